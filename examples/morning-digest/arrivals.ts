const HOUR = 3_600_000;

/** Stands in for a look into a mailbox or a table: what came in before that time. */
export function arrivals(before: Date): readonly string[] {
  return [3, 5, 8].map((hours) => {
    const at = new Date(before.getTime() - hours * HOUR);
    return `a letter at ${at.toISOString()}`;
  });
}
