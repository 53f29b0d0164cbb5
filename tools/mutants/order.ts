/**
 * Which tests are tried first on a mutant: those that told its neighbours, in the same file, then
 * the quick ones.
 */
export function orderOf(
  tests: readonly string[],
  kills: ReadonlyMap<string, number>,
  took: ReadonlyMap<string, number>,
): readonly string[] {
  // A kill is worth as much as a test that is so many times quicker.
  const rank = (id: string) => (took.get(id) ?? 0) / (1 + 10 * (kills.get(id) ?? 0));
  return tests.toSorted((a, b) => rank(a) - rank(b));
}
