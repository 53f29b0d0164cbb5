const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

/** As short as it gets. */
const LEAST = 8;

/**
 * Each id with its UUIDs as short as they can be told apart among these, eight characters or more.
 */
export function shortIds(ids: Iterable<string>): (id: string) => string {
  const all = [...new Set([...ids].flatMap((id) => id.match(UUID) ?? []))].toSorted();
  const short = new Map(
    all.map((id, at) => {
      const alike = Math.max(common(id, all[at - 1]), common(id, all[at + 1]));
      return [id, id.slice(0, Math.max(LEAST, alike + 1))];
    }),
  );
  return (id) => id.replaceAll(UUID, (found) => short.get(found) ?? found);
}

/** How many characters two begin with alike; those next to each other in order have most alike. */
function common(one: string, other: string | undefined): number {
  if (other === undefined) return 0;
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  return at;
}
