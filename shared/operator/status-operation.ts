import { operatorStatus } from '../app/operators/operator-status.ts';
import { changesJson } from './blocked-row.ts';
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
    const status = await operatorStatus(around.app, around.caller.rights);
    return {
      ...status,
      pausedAgents: [...status.pausedAgents],
      circuits: [...status.circuits],
      changed: status.changed.map(({ changes, run }) => ({
        id: run.taskId,
        agent: run.agent,
        status: run.status,
        changes: changesJson(changes),
      })),
    };
  },
});
