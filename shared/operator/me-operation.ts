import { z } from 'zod';
import { RIGHTS } from '../ports/grants.ts';
import { component } from './components.ts';
import { operation, requireOperator } from './operation.ts';

export const me = component(
  'Me',
  z.object({
    operator: z.string().meta({ description: 'the name that grants are given to' }),
    agents: z
      .array(z.object({ name: z.string(), may: z.array(z.enum(RIGHTS)) }))
      .meta({ description: 'published agents that this operator has any right on' }),
  }),
);

export const meOperation = operation({
  id: 'me',
  method: 'GET',
  path: '/me',
  summary: 'Who you are to this API, and what you may do.',
  right: 'any',
  answer: me,
  async handle(around) {
    await requireOperator(around);
    const { agents, caller } = around;
    const all = await Promise.all(
      agents.map(async (name) => ({ name, may: [...(await caller.rights(name))] })),
    );
    return { operator: caller.subject, agents: all.filter(({ may }) => may.length > 0) };
  },
});
