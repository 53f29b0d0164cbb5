import { z } from 'zod';
import type { RemoteTaskRef } from '../../domain/remote.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import type { SealingKey } from './sealing-key.ts';
import { unseal, seal } from './sealing.ts';

const schema = z.object({ taskId: z.string(), contextId: z.string() });
const BINDING = ['remote task'] as const;

/** A remote task's ids for the row of the run that waits for it, sealed with the run's key. */
export function sealRemoteTask(
  app: App,
  runKey: SealingKey,
  remoteTask: RemoteTaskRef,
): Uint8Array {
  const plain = Buffer.from(JSON.stringify(remoteTask));
  return seal(runKey, BINDING, app.ids.bytes(12), plain);
}

/** Throws Unreadable. */
export function unsealRemoteTask(runKey: SealingKey, sealed: Uint8Array): RemoteTaskRef {
  const plain = Buffer.from(unseal(runKey, BINDING, sealed)).toString('utf8');
  const parsed = schema.safeParse(JSON.parse(plain));
  if (!parsed.success) throw new Unreadable('a remote task', parsed.error);
  return parsed.data;
}

/** Both kinds of row that hold a remote task, under the run's new key. Throws Unreadable. */
export function resealRemoteTask<T extends { readonly operation: Uint8Array | null }>(
  app: App,
  holder: T,
  before: SealingKey,
  after: SealingKey,
): T {
  if (holder.operation === null) return holder;
  return {
    ...holder,
    operation: sealRemoteTask(app, after, unsealRemoteTask(before, holder.operation)),
  };
}
