import { z } from 'zod';
import { component } from './components.ts';
import { changes } from './change-schemas.ts';
import { instant } from './instant.ts';
import { circuit } from './remote-schemas.ts';

const count = z.number().int();

export const statusResponse = component(
  'Status',
  z.object({
    at: instant,
    queued: count.meta({ description: 'those that wait for an event, a circuit or a time, too' }),
    running: count,
    waiting: z.object({
      approval: count,
      input: count,
      dependency: count.meta({ description: 'for a remote agent, `unknownSend` included' }),
      unknownSend: count,
    }),
    blocked: count.meta({
      description: 'came back to what is gone or changed, and wait for that or for an operator',
    }),
    changed: z
      .array(z.object({ id: z.string(), agent: z.string(), status: z.string(), changes }))
      .meta({
        description:
          'blocked runs, and runs that wait and could not go on either; the longest waits',
      }),
    expiredLeases: count.meta({
      description: 'claims not renewed in time, and not yet taken back',
    }),
    looked: count.meta({
      description: '`expiredLeases` is found among this many due rows at most',
    }),
    deadLettered: z.object({ attemptsExhausted: count, effectUnknown: count }).meta({
      description:
        'failed because trying again was over, or not safe; of the runs that are still kept',
    }),
    oldestWait: z
      .object({ since: instant, status: z.string(), id: z.string().optional() })
      .optional()
      .meta({ description: 'the waiting run whose public state is the oldest' }),
    pausedAgents: z.array(z.object({ agent: z.string(), since: instant })).meta({
      description: 'of which nothing begins, of those that this operator may see',
    }),
    circuits: z.array(circuit).meta({
      description: 'remote agents that are left alone, because calls of them failed',
    }),
    parkedWebhooks: z
      .object({
        count,
        oldest: z.object({ since: instant, id: z.string().optional() }).optional(),
      })
      .meta({
        description: 'webhooks that were given up; the operation `listParkedWebhooks` names them',
      }),
  }),
);
