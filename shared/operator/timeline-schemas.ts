import { z } from 'zod';
import { asked } from './asked-schema.ts';
import { changes } from './change-schemas.ts';
import { component } from './components.ts';
import { instant, span } from './instant.ts';
import { agentError, runRow, use } from './run-schemas.ts';

const count = z.number().int();
const content = z.unknown().optional().meta({
  description: 'only with the right `view`, while the run is open or its trail is kept in full',
});

export const amounts = component(
  'Amounts',
  z.object({
    rounds: z.number().optional(),
    tokens: z.number().optional(),
    cost: z.number().optional(),
    delegations: z.number().optional(),
    bytes: z.number().optional(),
  }),
);

const modelUse = use.extend({ model: z.string() });

const wait = z.object({
  nextLookAt: instant,
  looks: count,
  failures: count.meta({ description: 'of the newest looks, one after the other' }),
  send: z.string().meta({ description: 'id of the send that it waits for' }),
  operation: z
    .object({ taskId: z.string(), contextId: z.string() })
    .optional()
    .meta({ description: 'the remote task; only with the right `view`' }),
});

const revision = z.object({ revision: count, state: z.string(), at: instant });

const segment = z.object({
  fence: count,
  enqueued: instant.meta({ description: 'when it was due in the queue' }),
  dispatched: instant.meta({ description: 'when the queue delivered it' }),
  claimed: instant,
  committed: instant.optional().meta({
    description: 'when it left the run; absent while it works, and if its worker was lost',
  }),
  waited: span.meta({ description: 'milliseconds from being due to being claimed' }),
  worked: span
    .optional()
    .meta({ description: 'milliseconds from being claimed to leaving the run' }),
});

const step = z.object({ step: count, kind: z.string(), at: instant, fence: count, content });

export const sendRow = component(
  'Send',
  z.object({
    id: z.string(),
    remote: z.string(),
    state: z.string().meta({
      description:
        'prepared, acknowledged, refused, not_sent, outcome_unknown, superseded or abandoned',
    }),
    reason: z.string().optional(),
    callId: z.string(),
    contextId: z.string().meta({
      description: 'the context that the message opened at the remote; its task is found there',
    }),
    card: z.string().optional().meta({
      description: "URL of the remote's agent card, while the agent declares that remote",
    }),
    digest: z.string().optional().meta({
      description:
        'SHA-256 of the message; only with the right `view`: who can guess it could check',
    }),
    preparedAt: instant,
    settledAt: instant.optional(),
    replaces: z.string().optional(),
    replacedBy: z.string().optional(),
    cancelledAt: instant.optional().meta({ description: 'when the remote was asked to cancel' }),
    cancelled: z.string().optional().meta({ description: 'what it answered' }),
    content,
  }),
);

const pause = z.object({
  generation: count,
  kind: z.enum(['approval', 'input', 'dependency']),
  at: instant,
  send: z.string().optional(),
  resolution: z.string().optional(),
  resolvedAt: instant.optional(),
  content,
});

const decision = z.object({
  id: z.string(),
  generation: count,
  kind: z.enum(['approve', 'deny', 'input']),
  by: z.enum(['owner', 'operator']),
  mode: z.enum(['stored', 'direct']),
  state: z.string().meta({ description: 'stored, consumed, refused or void' }),
  storedAt: instant,
  settledAt: instant.optional(),
  content,
});

const event = z.object({
  number: count,
  name: z.string(),
  at: instant,
  by: z.enum(['owner', 'operator']),
  content,
});

const act = z.object({
  kind: z.string().meta({
    description:
      'approve, deny, input, resend, link, abandon, redeliver, continue, cancel, retry or fork',
  }),
  at: instant,
  send: z.string().optional().meta({ description: 'id of the send that it was done to' }),
  run: z.string().optional().meta({
    description: 'that was made of this one, or that this one was made of',
  }),
  operator: z.string().optional().meta({ description: 'who did it; only with the right `view`' }),
});

export const timeline = component(
  'Run',
  runRow.extend({
    owner: z.string().optional().meta({ description: 'only with the right `view`' }),
    tenant: z.string(),
    fence: count,
    attempts: count,
    deadlineAt: instant,
    purgeAt: instant.optional(),
    spent: amounts,
    models: z.array(modelUse).optional().meta({
      description: 'which models made its turns, in the order in which they first answered',
    }),
    files: z
      .object({ count: z.number().int(), bytes: z.number().int() })
      .optional()
      .meta({ description: 'that it has committed; absent if its agent has none' }),
    limits: amounts,
    dependency: wait.optional(),
    changes: changes.optional().meta({
      description: 'what is gone or changed, as declared now, of what it would go on with',
    }),
    asked: asked.optional(),
    timeline: z.array(revision),
    segments: z.array(segment),
    steps: z.array(step),
    sends: z.array(sendRow),
    pauses: z.array(pause),
    decisions: z.array(decision),
    events: z.array(event).meta({ description: 'that were delivered to it, taken or not' }),
    errors: z.array(agentError).meta({
      description:
        "what the agent's code threw, and why it was put back into the queue; the newest few",
    }),
    acts: z.array(act).meta({ description: 'what else operators did to it' }),
  }),
);
