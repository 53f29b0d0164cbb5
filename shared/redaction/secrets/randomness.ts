/**
 * Whether a value was drawn rather than written: letters and digits, and of many kinds for its
 * length.
 */
export function looksRandom(value: string, length = 16): boolean {
  if (value.length < length || !/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  return bitsPerCharacter(value) >= Math.min(3, Math.log2(value.length) - 0.75);
}

/** Shannon's entropy of the value's own characters. */
function bitsPerCharacter(value: string): number {
  const counts = new Map<string, number>();
  for (const character of value) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) {
    const share = count / value.length;
    bits -= share * Math.log2(share);
  }
  return bits;
}
