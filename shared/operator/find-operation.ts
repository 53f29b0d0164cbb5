import { z } from 'zod';
import { findRuns, ID_PREFIX } from '../app/operators/find-runs.ts';
import { shownStatus } from '../app/operators/run-filter.ts';
import { component } from './components.ts';
import { fail } from './failure.ts';
import { operation } from './operation.ts';

export const foundRuns = component(
  'FoundRuns',
  z.object({
    runs: z
      .array(z.object({ id: z.string(), agent: z.string(), status: z.string() }))
      .meta({ description: 'in the order of their ids, 10 at most' }),
    more: z.boolean().meta({ description: 'there may be others that begin so' }),
  }),
);

export const findOperation = operation({
  id: 'findRuns',
  method: 'GET',
  path: '/find/{id}',
  summary:
    'Runs whose ids begin so (4 characters or more), of agents that the operator has any right on.',
  right: 'any',
  answer: foundRuns,
  errors: ['RUN_NOT_FOUND'],
  async handle({ app, caller }, { params }) {
    const { id = '' } = params;
    if (!ID_PREFIX.test(id))
      throw fail('INVALID_PARAMS', 'id: must be 4 or more characters of an id: 0-9 a-f -', {
        field: 'id',
      });
    const { more, runs } = await findRuns(app, caller.rights, id);
    if (runs.length === 0 && !more) throw fail('RUN_NOT_FOUND', 'run not found');
    const found = runs.map(({ run }) => ({
      id: run.taskId,
      agent: run.agent,
      status: shownStatus(run),
    }));
    return { runs: found, more };
  },
});
