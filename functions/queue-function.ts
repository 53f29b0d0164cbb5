import type { HttpFunction } from '@google-cloud/functions-framework';
import type { App } from '../shared/app/app.ts';
import { handleWakeUp } from '../shared/app/worker/handle-wake-up.ts';
import type { WakeUp, WakeUpKind } from '../shared/ports/queue.ts';
import type { FunctionName } from './function-names.ts';
import { fromEnvironment } from './environment.ts';
import type { openToolServers } from './open-tool-servers.ts';
import { FLUSH } from './open-tracer.ts';
import { receiveWakeUp } from './receive-wake-up.ts';

/** What only some of them work with, so that the others' packages are without it. */
export interface Parts {
  readonly toolServers?: typeof openToolServers;
  readonly tellTarget?: NonNullable<App['tellTarget']>;
}

/**
 * A function that a queue calls with one wake-up. In a deployment, only a caller that it knows is
 * served.
 */
export function queueFunction(
  name: FunctionName,
  kinds: readonly WakeUpKind[],
  closing: AbortSignal = new AbortController().signal,
  { tellTarget, toolServers }: Parts = {},
): HttpFunction {
  return async ({ headersDistinct: headers, body }, response) => {
    const { app: composed, verify } = await fromEnvironment(name, { toolServers });
    const app = tellTarget === undefined ? composed : { ...composed, tellTarget };
    if (closing.aborted) {
      // Of a connection that was open already. The queue comes again, and meets another instance.
      response.status(503).set('Connection', 'close').json({ outcome: 'again' });
      return;
    }
    const handBack = (): void => app.segments.stopAll('shutdown');
    closing.addEventListener('abort', handBack);
    const receiver = {
      name,
      kinds,
      app,
      handle: (wakeUp: WakeUp) => handleWakeUp(app, wakeUp),
      ...(verify && { verify }),
    };
    const { status, outcome } = await receiveWakeUp(receiver, headers, body);
    closing.removeEventListener('abort', handBack);
    // An instance gets no processor time after its response (docs/tracing.md).
    await Promise.all([app.tracer?.flush(FLUSH), app.metrics?.flush(FLUSH)]);
    // A refused caller learns nothing.
    if (status === 401 || status === 403) response.status(status).end();
    else response.status(status).json({ outcome });
  };
}
