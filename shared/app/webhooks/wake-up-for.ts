import type { Millis } from '../../domain/brand.ts';
import type { TaskId } from '../../domain/ids.ts';
import type { App } from '../app.ts';
import { faultName } from '../wake-up.ts';

/**
 * Hands over that a webhook has something to be told at that time. A hand-over that fails costs
 * seconds: its row says so, too, and the sweeper finds it (G24).
 */
export async function wakeUpFor(
  app: App,
  { revision, taskId }: { readonly taskId: string; readonly revision: number },
  webhook: string,
  { at = app.clock.now(), repeat = 0 }: { readonly at?: Millis; readonly repeat?: number } = {},
): Promise<void> {
  const given = { kind: 'push', taskId: taskId as TaskId, revision, at, webhook } as const;
  try {
    await app.queue.enqueue(repeat === 0 ? given : { ...given, repeat });
  } catch (error) {
    const fault = faultName(error);
    app.log.write('warning', 'wake-up not handed over', { task: taskId, kind: 'push', fault });
  }
}
