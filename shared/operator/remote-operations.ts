import { z } from 'zod';
import {
  type DeclaredRemote,
  declaredRemotes,
  resetRemote,
} from '../app/operators/reset-remote.ts';
import { taken } from './failure.ts';
import { operation, requireOperator } from './operation.ts';
import { remotePage, remoteRow } from './remote-schemas.ts';

const rowOf = ({ agents, circuits, name }: DeclaredRemote) => ({
  remote: name,
  agents: [...agents],
  circuits: [...circuits],
});

export const remoteOperations = [
  operation({
    id: 'listRemotes',
    method: 'GET',
    path: '/remotes',
    summary: 'Remote agents that the published agents declare, and which are left alone just now.',
    right: 'any',
    answer: remotePage,
    async handle(around) {
      await requireOperator(around);
      const { agents, app, caller } = around;
      return { remotes: (await declaredRemotes(app, caller, agents)).map(rowOf) };
    },
  }),
  operation({
    id: 'resetRemote',
    method: 'POST',
    path: '/remotes/{remote}/reset',
    summary: 'Forgets that calls of a remote agent failed: what waits for it calls it now.',
    right: 'send',
    body: z.strictObject({}),
    answer: remoteRow,
    errors: ['REMOTE_NOT_FOUND'],
    handle: async ({ agents, app, caller }, { params }) =>
      rowOf(taken(await resetRemote(app, caller, agents, params['remote'] ?? ''))),
  }),
];
