import { http } from '@google-cloud/functions-framework';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { faultName } from '../../shared/app/wake-up.ts';
import { appFromEnvironment } from '../environment.ts';
import { FLUSH } from '../open-tracer.ts';

/** Acts on what is due, each time that the scheduler calls (G24). */
http('sweeper', async (_request, response) => {
  const app = await appFromEnvironment('sweeper');
  try {
    const rows = await sweep(app);
    app.log.write('info', 'swept', { rows });
    response.status(200).json({ rows });
  } catch (error) {
    // The next call looks at the same rows. An error that got out of here would be logged whole, and a message can hold content.
    app.log.write('error', 'sweep failed', { fault: faultName(error) });
    response.status(503).json({ outcome: 'again' });
  } finally {
    await app.tracer?.flush(FLUSH);
  }
});
