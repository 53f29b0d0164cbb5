import { NO_TASK } from '../../ports/queue.ts';
import type { App } from '../app.ts';
import { faultName } from '../wake-up.ts';

/**
 * Has each target looked after where its secrets are: one call to the queue each, and without
 * targets none. One that is not handed over is handed over by the next sweep.
 */
export async function handOverNotices(app: App): Promise<void> {
  for (const { name } of app.notices?.targets ?? []) await handOver(app, name);
}

/** At once, and not only by the next sweep. */
export async function handOver(app: App, target: string): Promise<void> {
  const at = app.clock.now();
  try {
    await app.queue.enqueue({ kind: 'notice', taskId: NO_TASK, revision: 0, at, target });
  } catch (error) {
    const fault = faultName(error);
    app.log.write('warning', 'wake-up not handed over', { kind: 'notice', target, fault });
  }
}
