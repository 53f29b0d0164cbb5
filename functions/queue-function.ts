import type { HttpFunction } from '@google-cloud/functions-framework';
import type { App } from '../shared/app/app.ts';
import { handleWakeUp } from '../shared/app/handle-wake-up.ts';
import type { ObligationKind } from '../shared/domain/obligations.ts';
import type { VerifyCaller } from '../shared/gcp/tasks/verify-caller.ts';
import { receiveWakeUp } from './receive-wake-up.ts';

/** A function that a queue calls with one wake-up. With `verify`, only a caller that it knows is served. */
export function queueFunction(
  name: string,
  kinds: readonly ObligationKind[],
  app: () => Promise<App>,
  verify?: VerifyCaller,
): HttpFunction {
  return async ({ headers, body }, response) => {
    const composed = await app();
    const receiver = {
      name,
      kinds,
      app: composed,
      handle: (wakeUp: Parameters<typeof handleWakeUp>[1]) => handleWakeUp(composed, wakeUp),
      ...(verify && { verify }),
    };
    const { status, outcome } = await receiveWakeUp(receiver, headers.authorization, body);
    // A refused caller learns nothing.
    if (status === 401 || status === 403) response.status(status).end();
    else response.status(status).json({ outcome });
  };
}
