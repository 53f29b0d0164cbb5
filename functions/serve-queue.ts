import { http } from '@google-cloud/functions-framework';
import type { WakeUpKind } from '../shared/ports/queue.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import type { FunctionName } from './function-names.ts';
import { drainTheServer } from './drain.ts';
import type { openToolServers } from './open-tool-servers.ts';
import { queueFunction } from './queue-function.ts';

/**
 * Publishes a function that a queue calls. Asked to stop, it takes no more deliveries, hands the
 * runs that it works on back to the queue, and goes when their requests are answered.
 */
export function serveQueue(
  name: FunctionName,
  kinds: readonly WakeUpKind[],
  toolServers?: typeof openToolServers,
): void {
  const closing = new AbortController();
  http(name, queueFunction(name, kinds, closing.signal, toolServers));
  drainTheServer({ clock: systemClock, closing });
}
