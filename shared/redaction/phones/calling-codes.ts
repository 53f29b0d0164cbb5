/** Of each country calling code how many digits may follow it. */
export type CallingCodes = ReadonlyMap<string, ReadonlySet<number>>;

let loading: Promise<CallingCodes> | undefined;

/**
 * From the numbering plans that Google's libphonenumber keeps; loaded when the first text is
 * redacted.
 */
export function loadCallingCodes(): Promise<CallingCodes> {
  loading ??= readPlans();
  return loading;
}

async function readPlans(): Promise<CallingCodes> {
  const [{ getCountries, getCountryCallingCode, Metadata }, { default: plans }] = await Promise.all(
    [import('libphonenumber-js/core'), import('libphonenumber-js/min/metadata')],
  );
  const metadata = new Metadata(plans);
  const codes = new Map<string, Set<number>>();
  for (const country of getCountries(plans)) {
    metadata.selectNumberingPlan(country);
    const code = getCountryCallingCode(country, plans);
    const lengths = codes.get(code) ?? new Set();
    for (const length of metadata.numberingPlan?.possibleLengths() ?? []) lengths.add(length);
    codes.set(code, lengths);
  }
  // The local part alone of a number in North America can't follow +1.
  codes.get('1')?.delete(7);
  return codes;
}
