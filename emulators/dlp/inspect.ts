/** A few detectors of the double; those of the service know far more. */
const DETECTORS: Readonly<Record<string, RegExp>> = {
  EMAIL_ADDRESS: /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g,
  PHONE_NUMBER: /\+\d(?:[ -]?\d){7,14}/g,
};

export interface Inspected {
  readonly text: string;
  readonly counts: ReadonlyMap<string, number>;
}

/** Each finding becomes the name of its kind in brackets, as replaceWithInfoTypeConfig does. */
export function inspect(text: string, infoTypes: readonly string[]): Inspected {
  const counts = new Map<string, number>();
  let redacted = text;
  for (const name of infoTypes) {
    const detector = DETECTORS[name];
    if (detector === undefined) continue;
    redacted = redacted.replace(detector, () => {
      counts.set(name, (counts.get(name) ?? 0) + 1);
      return `[${name}]`;
    });
  }
  return { text: redacted, counts };
}
