import { operatorStatus } from '../app/operators/operator-status.ts';
import { operation, requireOperator } from './operation.ts';
import { statusResponse } from './status-schemas.ts';

export const statusOperation = operation({
  id: 'status',
  method: 'GET',
  path: '/status',
  summary: 'Numbers of the whole installation, counted now, over all runs that are kept.',
  right: 'any',
  answer: statusResponse,
  async handle(around) {
    // Numbers only, but not for callers who are no operators.
    await requireOperator(around);
    return operatorStatus(around.app, around.caller.rights);
  },
});
