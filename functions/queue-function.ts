import type { HttpFunction } from '@google-cloud/functions-framework';
import { z } from 'zod';
import type { App } from '../shared/app/app.ts';
import { handleWakeUp } from '../shared/app/handle-wake-up.ts';
import { taskId } from '../shared/domain/ids.ts';
import type { ObligationKind } from '../shared/domain/obligations.ts';
import type { WakeUp } from '../shared/ports/queue.ts';

const wakeUpSchema = z.object({
  kind: z.enum(['run', 'check-lease', 'deadline', 'project', 'purge'] satisfies ObligationKind[]),
  taskId: z.string(),
  revision: z.number().int().min(0),
  at: z.number(),
});

/**
 * A function that a queue calls with one wake-up. It answers 2xx for everything that another delivery can't mend, also for a
 * body that is no wake-up; 503 only when our own infrastructure failed (architecture section 10, rule 5).
 */
export function queueFunction(
  name: string,
  kinds: readonly ObligationKind[],
  app: () => Promise<App>,
): HttpFunction {
  return async (request, response) => {
    const composed = await app();
    const wakeUp = parse(request.body);
    if (wakeUp === undefined || !kinds.includes(wakeUp.kind)) {
      composed.log.write('error', 'not a wake-up of this function', { function: name });
      response.status(200).json({ outcome: 'ignored' });
      return;
    }
    const outcome = await handleWakeUp(composed, wakeUp);
    response.status(outcome === 'done' ? 200 : 503).json({ outcome });
  };
}

function parse(body: unknown): WakeUp | undefined {
  const parsed = wakeUpSchema.safeParse(body);
  const id = parsed.success ? taskId(parsed.data.taskId) : undefined;
  return parsed.success && id !== undefined ? { ...parsed.data, taskId: id } : undefined;
}
