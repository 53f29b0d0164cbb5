import { z } from 'zod';
import type { ScheduleRow } from '../../domain/schedule.ts';
import type { Doc, Query } from '../../ports/store.ts';
import { codec, SCHEMA_VERSION } from './documents.ts';
import { tolerantCodec } from './unreadable.ts';

const scheduleSchema = z.object({
  v: z.literal(SCHEMA_VERSION),
  agent: z.string(),
  rule: z.string(),
  cron: z.string(),
  timezone: z.string(),
  nextAt: z.number().nullable(),
  pausedAt: z.number().nullable(),
  lastTick: z.number().nullable(),
  lastTask: z.string().nullable(),
  missed: z.number(),
  skipped: z.number(),
  refusal: z.string().nullable(),
  replaced: z.array(z.object({ rule: z.string(), at: z.number() })),
});
type ScheduleDoc = z.infer<typeof scheduleSchema>;

const scheduleCodec = codec<ScheduleDoc>(scheduleSchema);

export const rowToDoc = ({ replaced, ...row }: ScheduleRow): ScheduleDoc => ({
  ...row,
  v: SCHEMA_VERSION,
  replaced: replaced.map((each) => ({ ...each })),
});

/** Names of agents are fit for a path. */
export const scheduleDoc = (agent: string): Doc<ScheduleDoc> => ({
  path: `schedules/${agent}`,
  codec: scheduleCodec,
});

/** As many agents have one at most as a process loads. */
const MOST = 1_000;

/** A row that a newer version wrote comes as undefined, and is left alone. */
export const allSchedules: Query<ScheduleDoc | undefined> = {
  collection: 'schedules',
  codec: tolerantCodec(scheduleCodec),
  filters: [],
  order: undefined,
  limit: MOST,
};
