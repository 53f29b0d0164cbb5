import { z } from 'zod';
import { OUTCOMES, type Recent, type Stretch } from '../../domain/ended-runs.ts';
import type { Codec, Doc } from '../../ports/store.ts';
import { codec, SCHEMA_VERSION } from '../records/documents.ts';

const numbers = z.record(z.string(), z.number());

const stretch = z.object({
  at: z.number(),
  outcomes: numbers,
  reasons: numbers,
  took: numbers,
  waited: numbers,
});

const endedSchema = z.object({
  v: z.literal(1),
  /** Raised by each write: two that count at once, count once. */
  n: z.number(),
  countedTo: z.number(),
  minutes: z.array(stretch),
  hours: z.array(stretch),
  /** Up to which row of each outcome all are counted: a cursor. */
  upTo: z.partialRecord(z.enum(OUTCOMES), z.string()),
});

type Stored = z.infer<typeof endedSchema>;

/** The runs of one shard that ended in the last week, counted. */
export type EndedDoc = Recent & Pick<Stored, 'countedTo' | 'n' | 'upTo'>;

const stored = codec<Stored>(endedSchema);

const endedCodec: Codec<EndedDoc> = {
  decode: (fields, path) => stored.decode(fields, path),
  encode: ({ countedTo, hours, minutes, n, upTo }) =>
    stored.encode({
      v: SCHEMA_VERSION,
      n,
      countedTo,
      upTo,
      hours: hours.map(plain),
      minutes: minutes.map(plain),
    }),
};

const plain = ({ at, outcomes, reasons, took, waited }: Stretch): Stored['hours'][number] => ({
  at,
  outcomes: { ...outcomes },
  reasons: { ...reasons },
  took: { ...took },
  waited: { ...waited },
});

export const endedDoc = (shard: number): Doc<EndedDoc> => ({
  path: `ended/${shard}`,
  codec: endedCodec,
});
