import { http } from '@google-cloud/functions-framework';
import { sweep } from '../../shared/app/sweep.ts';
import { appFromEnvironment } from '../environment.ts';
import { FLUSH } from '../open-tracer.ts';

/** Acts on what is due, each time that the scheduler calls (G24). */
http('sweeper', async (_request, response) => {
  const app = await appFromEnvironment('sweeper');
  const rows = await sweep(app);
  app.log.write('info', 'swept', { rows });
  await app.tracer?.flush(FLUSH);
  response.status(200).json({ rows });
});
