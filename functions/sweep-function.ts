import type { HttpFunction } from '@google-cloud/functions-framework';
import { faultName } from '../shared/app/wake-up.ts';
import { sweep } from '../shared/app/worker/sweep.ts';
import { fromEnvironment } from './environment.ts';
import { FLUSH } from './open-tracer.ts';

/**
 * Acts on what is due, each time that the scheduler calls. In a deployment, only the scheduler's
 * account is served.
 */
export function sweepFunction(): HttpFunction {
  return async ({ headersDistinct: headers }, response) => {
    const { app, verify } = await fromEnvironment('sweeper');
    try {
      const caller = (await verify?.(headers)) ?? 'known';
      if (caller !== 'known') {
        app.log.write('warning', 'delivery refused', { function: 'sweeper', caller });
        response.status(caller === 'unknown' ? 401 : 403).end();
        return;
      }
      const rows = await sweep(app);
      app.log.write('info', 'swept', { rows });
      response.status(200).json({ rows });
    } catch (error) {
      // The next call reads the same rows. An error that escaped here would be logged whole, and
      // its message can hold content.
      app.log.write('error', 'sweep failed', { fault: faultName(error) });
      response.status(503).json({ outcome: 'again' });
    } finally {
      await Promise.all([app.tracer?.flush(FLUSH), app.metrics?.flush(FLUSH)]);
    }
  };
}
