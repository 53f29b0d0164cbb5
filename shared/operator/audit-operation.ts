import { z } from 'zod';
import { listAudit } from '../app/operators/list-audit.ts';
import { AUDIT_ACTS } from '../domain/audit.ts';
import { component } from './components.ts';
import { fail, taken } from './failure.ts';
import { givenInstant, instant } from './instant.ts';
import { operation } from './operation.ts';

export const auditEntry = component(
  'AuditEntry',
  z.object({
    id: z.string(),
    at: instant,
    act: z
      .string()
      .meta({ description: `${AUDIT_ACTS.join(', ')}; a newer version may note more` }),
    operator: z.string().optional().meta({
      description:
        'who did it: an operator, a person at a command line, or `configuration`; absent where that can not be read any more',
    }),
    run: z.string().optional().meta({ description: 'it may have been removed since' }),
    agent: z
      .string()
      .optional()
      .meta({ description: 'absent where the act was one on the whole installation' }),
    subject: z
      .string()
      .optional()
      .meta({ description: 'what it was done to, if not the run: id of a send or a key' }),
    outcome: z.string().optional().meta({ description: 'what came of it, such as the status' }),
  }),
);

export const auditPage = component(
  'AuditPage',
  z.object({
    entries: z.array(auditEntry),
    cursor: z.string().optional().meta({
      description: 'where the record goes on; a page may be short, even empty, and have one',
    }),
  }),
);

export const auditOperation = operation({
  id: 'listAudit',
  method: 'GET',
  path: '/audit',
  summary:
    'What operators did, oldest first, also to runs that are removed by now. What was done to the whole installation is shown to operators with the right on every agent.',
  right: 'audit',
  query: z.strictObject({
    since: givenInstant.optional().meta({ description: 'at or after this instant' }),
    until: givenInstant.optional().meta({ description: 'before this instant' }),
    operator: z.string().max(300).optional(),
    act: z.string().max(100).optional(),
    run: z.string().max(100).optional(),
    cursor: z.string().max(2_000).optional(),
    limit: z.coerce.number().int().min(1).max(1_000).default(100),
  }),
  answer: auditPage,
  async handle({ agents, app, caller }, { query }) {
    const { act, cursor, limit, operator, run, since, until } = query;
    if (act !== undefined && !AUDIT_ACTS.some((known) => known === act)) {
      const words = `act: ${JSON.stringify(act)} is not known; it is one of ${AUDIT_ACTS.join(', ')}`;
      throw fail('INVALID_PARAMS', words, { field: 'act' });
    }
    const page = taken(
      await listAudit(app, caller.rights, agents, {
        limit,
        ...(act !== undefined && { act }),
        ...(cursor !== undefined && { cursor }),
        ...(operator !== undefined && { operator }),
        ...(run !== undefined && { run }),
        ...(since !== undefined && { since }),
        ...(until !== undefined && { until }),
      }),
    );
    return {
      entries: page.entries.map(({ taskId, ...entry }) => ({
        ...entry,
        ...(taskId !== undefined && { run: taskId }),
      })),
      ...(page.cursor !== undefined && { cursor: page.cursor }),
    };
  },
});
