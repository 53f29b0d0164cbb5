/** The one of these that was most likely meant; undefined if none is near. */
export function nearest(given: string, known: readonly string[]): string | undefined {
  const begins = known.filter((each) => given.length > 1 && each.startsWith(given));
  if (begins.length === 1) return begins[0];
  const [best] = known
    .map((name) => ({ name, far: distance(given, name) }))
    .toSorted((a, b) => a.far - b.far);
  if (best === undefined) return undefined;
  return best.far <= Math.max(1, Math.floor(best.name.length / 3)) ? best.name : undefined;
}

/** Letters to put in, take out, change or swap with their neighbour. */
function distance(one: string, other: string): number {
  const rows = [Array.from({ length: other.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= one.length; row += 1) {
    const line = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const same = one[row - 1] === other[at - 1];
      const swapped =
        row > 1 && at > 1 && one[row - 1] === other[at - 2] && one[row - 2] === other[at - 1];
      line.push(
        Math.min(
          (rows[row - 1]?.[at] ?? 0) + 1,
          (line[at - 1] ?? 0) + 1,
          (rows[row - 1]?.[at - 1] ?? 0) + (same ? 0 : 1),
          swapped ? (rows[row - 2]?.[at - 2] ?? 0) + 1 : Infinity,
        ),
      );
    }
    rows.push(line);
  }
  return rows[one.length]?.[other.length] ?? 0;
}
