interface Known {
  readonly file: string;
  /** Milliseconds of the processor, unchanged. */
  readonly took: number;
  /** It looks at the room where the mutant is. */
  readonly own: boolean;
  /** So many mutants of that file it told. */
  readonly kills: number;
}

/**
 * Which tests are tried first on a mutant: those that told its neighbours, those of its room, the
 * others; the quick ones first, and of each file one after the other, for they look at different
 * things.
 */
export function orderOf(tests: readonly string[], know: (id: string) => Known): readonly string[] {
  const known = tests.map((id) => ({ id, ...know(id) }));
  // A kill is worth as much as a test that is so many times quicker.
  const rank = ({ kills, took }: Known): number => took / (1 + 10 * kills);
  const quick = known.toSorted((a, b) => rank(a) - rank(b));
  const files = Map.groupBy(quick, ({ file }) => file);
  const turns = [...files.values()].flatMap((all) => all.map((test, turn) => ({ ...test, turn })));
  const rest = turns
    .filter(({ kills }) => kills === 0)
    .toSorted((a, b) => Number(b.own) - Number(a.own) || a.turn - b.turn);
  return [...quick.filter(({ kills }) => kills > 0), ...rest].map(({ id }) => id);
}
