import { examine } from '../app/operators/examine.ts';
import { diagnosis } from './doctor-schemas.ts';
import { operation, requireOperator } from './operation.ts';

export const doctorOperation = operation({
  id: 'doctor',
  method: 'GET',
  path: '/doctor',
  summary:
    'Looks at the installation: store, indexes, formats, clock, queue, keys, what waits, and remotes of agents that the operator may `view`. Reveals no content and no secret.',
  right: 'any',
  answer: diagnosis,
  async handle(around) {
    await requireOperator(around);
    const { agents, app, caller, host } = around;
    const [found, ofHost] = await Promise.all([
      examine(app, caller.rights, agents),
      host?.() ?? Promise.resolve([]),
    ]);
    return { at: app.clock.now(), findings: [...ofHost, ...found] };
  },
});
