import type { App } from '../shared/app/app.ts';
import { sweep } from '../shared/app/worker/sweep.ts';
import { faultName } from '../shared/app/wake-up.ts';

/**
 * Sweeps at once and then at each interval, until stopped: what Cloud Scheduler does for the
 * deployed sweeper.
 */
export function keepSweeping(app: App): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function loop(): Promise<void> {
    while (!signal.aborted) {
      try {
        const rows = await sweep(app, signal);
        if (rows > 0) app.log.write('info', 'swept', { rows });
      } catch (error) {
        app.log.write('error', 'sweep failed', { fault: faultName(error) });
      }
      await app.clock.sleep(app.settings.sweepInterval, signal);
    }
  }

  const running = loop();
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
