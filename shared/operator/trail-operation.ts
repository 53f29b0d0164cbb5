import { z } from 'zod';
import { runTrail } from '../app/operators/run-trail.ts';
import { taken } from './failure.ts';
import { operation } from './operation.ts';
import { trail } from './trail-schemas.ts';
import { trailOf } from './trail-view.ts';

export const trailOperation = operation({
  id: 'getTrail',
  method: 'GET',
  path: '/runs/{id}/trail',
  summary:
    'What a run did, step by step, also after its end, as far as it is kept: names, times and classes for operators with any right, what was said with the right `view`.',
  right: 'any',
  query: z.strictObject({
    from: z.coerce.number().int().min(1).default(1).meta({ description: 'number of the first' }),
    limit: z.coerce.number().int().min(1).max(200).default(100),
  }),
  answer: trail,
  errors: ['RUN_NOT_FOUND'],
  handle: async ({ app, caller }, { params, query }) =>
    trailOf(taken(await runTrail(app, caller.rights, params['id'] ?? '', query))),
});
