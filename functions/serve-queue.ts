import { http } from '@google-cloud/functions-framework';
import type { WakeUpKind } from '../shared/ports/queue.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import type { FunctionName } from './function-names.ts';
import { drainTheServer } from './drain.ts';
import { type Parts, queueFunction } from './queue-function.ts';

/**
 * Publishes a function that a queue calls. Asked to stop, it takes no more deliveries, hands the
 * runs that it works on back to the queue, and goes when their requests are answered.
 */
export function serveQueue(
  name: FunctionName,
  kinds: readonly WakeUpKind[],
  parts: Parts = {},
): void {
  const closing = new AbortController();
  http(name, queueFunction(name, kinds, closing.signal, parts));
  drainTheServer({ clock: systemClock, closing });
}
