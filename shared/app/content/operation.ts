import { z } from 'zod';
import type { Operation } from '../../domain/remote.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import type { Place } from './place.ts';
import { open, seal } from './sealing.ts';

const schema = z.object({ taskId: z.string(), contextId: z.string() });
const aad = (taskId: string): string => `runs/${taskId}|operation`;

/** A remote task's ids for the row of the run that waits for it, sealed with the run's key. */
export function sealOperation(app: App, place: Place, operation: Operation): Uint8Array {
  const plain = Buffer.from(JSON.stringify(operation));
  return seal(place.key, aad(place.taskId), app.ids.bytes(12), plain);
}

/** Throws Unreadable. */
export function openOperation(place: Place, sealed: Uint8Array): Operation {
  const plain = Buffer.from(open(place.key, aad(place.taskId), sealed)).toString('utf8');
  const parsed = schema.safeParse(JSON.parse(plain));
  if (!parsed.success) throw new Unreadable(aad(place.taskId), parsed.error);
  return parsed.data;
}

/** Both kinds of row that hold a remote task, under the run's new key. Throws Unreadable. */
export function carriedOperation<T extends { readonly operation: Uint8Array | null }>(
  app: App,
  holder: T,
  before: Place,
  after: Place,
): T {
  if (holder.operation === null) return holder;
  return {
    ...holder,
    operation: sealOperation(app, after, openOperation(before, holder.operation)),
  };
}
