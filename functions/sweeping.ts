import type { App } from '../shared/app/app.ts';
import { faultName } from '../shared/app/wake-up.ts';

export interface Sweeping {
  /** From now on. */
  begin(): void;
  stop(): Promise<void>;
}

/**
 * Sweeps at once when it is told to begin, and then at each interval, until stopped: what Cloud
 * Scheduler does for the deployed sweeper. What sweeps is loaded then, behind the start.
 */
export function createSweeping(app: App): Sweeping {
  const begun = Promise.withResolvers<void>();
  const stopping = new AbortController();
  const { signal } = stopping;

  async function loop(): Promise<void> {
    await begun.promise;
    while (!signal.aborted) {
      try {
        const { sweep } = await import('../shared/app/worker/sweep.ts');
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
    begin: () => begun.resolve(),
    async stop() {
      stopping.abort();
      begun.resolve();
      await running;
    },
  };
}
