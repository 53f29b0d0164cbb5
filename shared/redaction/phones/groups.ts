/** A number up to its last separator; nothing of one without. */
export function withoutLastGroup(number: string): string {
  return /^(.*\d\)?)[^\d)]+\d*\)?$/s.exec(number)?.[1] ?? '';
}
