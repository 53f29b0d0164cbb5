/** What a message asks for, as far as rules can tell. */
export type Order =
  | { readonly kind: 'profile'; readonly table: string }
  | { readonly kind: 'pay'; readonly to: string; readonly euros?: number }
  /** What was asked for last, once more. */
  | { readonly kind: 'again' }
  | { readonly kind: 'unclear' };

const PROFILE = /^\s*profile\s*:\s*(\S.*)$/is;
const PAY =
  /^\s*pay\s+(\p{L}[\p{L}'’ -]{0,59}?)(?:\s+(\d{1,6}(?:[.,]\d{1,2})?)\s*(?:euros?|eur|€))?[.!]?\s*$/iu;

const AGAIN = /^\s*(?:do\s+)?(?:the\s+same\s+)?again\s*[.!]?\s*$/i;

/** Reads `profile: <table>`, `pay <name>`, `pay <name> <amount> euros` and `the same again`. */
export function orderIn(text: string): Order {
  const table = PROFILE.exec(text)?.[1];
  if (table !== undefined) return { kind: 'profile', table };
  if (AGAIN.test(text)) return { kind: 'again' };
  const [, to, amount] = PAY.exec(text) ?? [];
  if (to === undefined) return { kind: 'unclear' };
  const euros = Number(amount?.replace(',', '.'));
  // Nothing is paid by the way: no amount, or none to speak of, is asked for.
  return euros > 0 ? { kind: 'pay', to, euros } : { kind: 'pay', to };
}
