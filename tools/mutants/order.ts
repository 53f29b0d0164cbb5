/**
 * Which tests are tried first on a mutant: those that told its neighbours, in the same file, and the
 * quick ones; of each file of tests one after the other, for they look at different things.
 */
export function orderOf(
  tests: readonly string[],
  kills: ReadonlyMap<string, number>,
  took: ReadonlyMap<string, number>,
): readonly string[] {
  // A kill is worth as much as a test that is so many times quicker.
  const rank = (id: string) => (took.get(id) ?? 0) / (1 + 10 * (kills.get(id) ?? 0));
  const ranked = tests.toSorted((a, b) => rank(a) - rank(b));
  const [told, others] = [true, false].map((has) => ranked.filter((id) => kills.has(id) === has));
  const files = Map.groupBy(others ?? [], (id) => id.split(' > ', 1)[0]);
  const turns = [...files.values()].flatMap((ids) => ids.map((id, turn) => ({ id, turn })));
  return [...(told ?? []), ...turns.toSorted((a, b) => a.turn - b.turn).map(({ id }) => id)];
}
