import { z } from 'zod';
import type { RemoteTaskRef } from '../../domain/remote.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import type { SealingKey } from './sealing-key.ts';
import { unseal, seal } from './sealing.ts';

const schema = z.object({ taskId: z.string(), contextId: z.string() });
/**
 * Binds a remote task to the send that began it, so that none is polled or cancelled for another.
 */
const bindingOf = (sendId: string) => ['remote task', sendId] as const;

/** A remote task's ids for the row of the run that waits for it, sealed with the run's key. */
export function sealRemoteTask(
  app: App,
  runKey: SealingKey,
  sendId: string,
  remoteTask: RemoteTaskRef,
): Uint8Array {
  const plain = Buffer.from(JSON.stringify(remoteTask));
  return seal(runKey, bindingOf(sendId), app.ids.bytes(12), plain);
}

/** Throws Unreadable. */
export function unsealRemoteTask(
  runKey: SealingKey,
  sendId: string,
  sealed: Uint8Array,
): RemoteTaskRef {
  const plain = Buffer.from(unseal(runKey, bindingOf(sendId), sealed)).toString('utf8');
  const parsed = schema.safeParse(JSON.parse(plain));
  if (!parsed.success) throw new Unreadable('a remote task', parsed.error);
  return parsed.data;
}

/** Both kinds of row that hold a remote task, under the run's new key. Throws Unreadable. */
export function resealRemoteTask<
  T extends { readonly sendId: string; readonly operation: Uint8Array | null },
>(app: App, holder: T, before: SealingKey, after: SealingKey): T {
  const { operation, sendId } = holder;
  if (operation === null) return holder;
  const remoteTask = unsealRemoteTask(before, sendId, operation);
  return { ...holder, operation: sealRemoteTask(app, after, sendId, remoteTask) };
}
