import type { Millis } from '../../domain/brand.ts';
import type { ScheduleRow } from '../../domain/schedule.ts';
import type { App } from '../app.ts';
import { allSchedules } from '../records/schedule-document.ts';

/** So long a rule that was replaced does not come back: a rollout takes less. */
const SETTLE: Millis = 10 * 60_000;

/** One process that reads and writes everything has no other release beside it. */
export const settleOf = ({ format }: App): Millis => (format === undefined ? 0 : SETTLE);

/** By the names of their agents. */
export async function rowsByAgent(app: App): Promise<ReadonlyMap<string, ScheduleRow>> {
  const page = await app.store.page(allSchedules);
  return new Map(page.flatMap(({ id, value }) => (value === undefined ? [] : [[id, value]])));
}
