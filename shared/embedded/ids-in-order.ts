import type { Clock } from '../ports/clock.ts';
import type { Ids } from '../ports/ids.ts';

/**
 * The same ids, but UUIDs begin with the time (version 7, RFC 9562): rows that are written together
 * then lie together in the indexes of a SQLite file, and a commit writes half as many pages. 74
 * bits are random. Firestore wants the opposite, ids that are spread: there they stay as they are
 * (docs/decisions/0075-ids-in-order-on-one-machine.md).
 */
export function idsInOrder(ids: Ids, clock: Pick<Clock, 'now'>): Ids {
  return { ...ids, uuid: () => uuidAt(clock.now(), ids.uuid()) };
}

/** Behind the time and the version, one of version 4 has the form and the chance of one of 7. */
function uuidAt(now: number, random: string): string {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(15)}`;
}
