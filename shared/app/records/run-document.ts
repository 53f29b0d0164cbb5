import { z } from 'zod';
import { NOTHING_SPENT } from '../../domain/budget.ts';
import { dueAt } from '../../domain/obligations.ts';
import type { Blocked } from '../../domain/blocked.ts';
import { CEILINGS } from '../../domain/ceiling.ts';
import type { FailureReason } from '../../domain/failure-reason.ts';
import { FRAME_KEYS, frameOf } from '../../domain/frame-of.ts';
import { type ClaimToken, isBlocked, type Run, type RunFrame } from '../../domain/run.ts';
import { traceparent } from '../../domain/trace-context.ts';
import type { RunFiles } from '../../domain/files.ts';
import type { Fields } from '../../ports/backend.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { Codec } from '../../ports/store.ts';
import { runFilesSchema } from './files-schema.ts';
import { tolerantCodec } from './unreadable.ts';

const ceiling = z.enum(CEILINGS);
const bytes = z.custom<Uint8Array>((value) => value instanceof Uint8Array);

const declared = z.object({
  kind: z.enum(['tool', 'remote']),
  name: z.string(),
  facets: z.record(z.string(), z.string()),
});

const modelUse = z.object({
  model: z.string(),
  turns: z.number(),
  input: z.number(),
  output: z.number(),
  cached: z.number(),
  reasoning: z.number(),
  // Absent in rows that were written before costs were kept for each model.
  cost: z.number().default(0),
  unpriced: z.number().default(0),
});

const row = z.object({
  v: z.literal(1),
  taskId: z.string(),
  contextId: z.string(),
  agent: z.string(),
  tenant: z.string(),
  owner: z.string(),
  scope: z.string(),
  shard: z.number().default(0),
  // Absent in rows that were written before lists had ranges.
  listShard: z.number().default(0),
  status: z.string(),
  revision: z.number(),
  projectedRevision: z.number(),
  fence: z.number(),
  attempts: z.number(),
  repeats: z.number().optional(),
  pauseGeneration: z.number(),
  inputRevision: z.number(),
  createdAt: z.number(),
  statusAt: z.number(),
  deadlineAt: z.number(),
  // Absent in rows that ended before it was kept.
  endedAt: z.number().optional(),
  answerCeiling: ceiling,
  auditCeiling: ceiling,
  wrappedKey: bytes,
  commitId: z.string(),
  earlierCommits: z.array(z.string()).optional(),
  // Absent in rows that were written before ceilings and purging.
  archive: z.enum(['standard', 'sealed', 'off']).default('standard'),
  scrubbedRevision: z.number().default(0),
  scrubPending: z.boolean().default(false),
  archivePending: z.literal(true).optional(),
  archiveAt: z.number().optional(),
  archived: z.object({ revision: z.number(), generation: z.string() }).optional(),
  hasInput: z.boolean().default(false),
  purgeAt: z.number().nullable().default(null),
  // No reason to hold a run up: what is no traceparent is dropped.
  trace: z.unknown().transform(traceparent).optional(),
  // Absent in rows that were written before turns, tools and remote agents.
  steps: z.number().default(0),
  signals: z.number().optional(),
  spent: z
    .object({
      rounds: z.number(),
      tokens: z.number(),
      cost: z.number(),
      delegations: z.number(),
      bytes: z.number(),
    })
    .default(NOTHING_SPENT),
  models: z.array(modelUse).optional(),
  lastModel: z.string().optional(),
  uncounted: z.array(modelUse.extend({ day: z.number() })).optional(),
  segments: z
    .array(
      z.object({
        fence: z.number(),
        enqueued: z.number(),
        dispatched: z.number(),
        claimed: z.number(),
        committed: z.number().optional(),
      }),
    )
    .default([]),
  payloadKey: bytes.optional(),
  trail: z
    .object({
      level: z.enum(['metadata', 'redacted', 'full']),
      key: bytes.exactOptional(),
      until: z.number().exactOptional(),
      last: bytes.exactOptional(),
    })
    .optional(),
  effect: z.string().optional(),
  continuation: z
    .object({
      kind: z.enum(['message', 'decision', 'dependency']),
      generation: z.number(),
      askedAt: z.number().exactOptional(),
      auth: z.literal(true).exactOptional(),
    })
    .optional(),
  // Absent in rows of runs that never waited, and of versions that did not note it.
  pins: z
    .array(declared.extend({ callId: z.string() }))
    .optional()
    .catch(undefined),
  blocked: z
    .object({
      since: z.number(),
      changes: z.array(
        z.object({
          kind: z.enum(['agent', 'tool', 'remote', 'step']),
          name: z.string(),
          facets: z.array(z.string()),
          now: z.string(),
        }),
      ),
      digest: z.string(),
      accepted: z.literal(true).exactOptional(),
    })
    .optional()
    .catch(undefined),
  sending: z.object({ remote: z.string(), sendId: z.string() }).optional(),
  orphans: z
    .array(
      z.object({
        remote: z.string(),
        sendId: z.string(),
        // Nothing stands for a task that is to be looked for: a version that can't look finds it
        // unreadable, and lets it be.
        operation: bytes.transform((sealed) => (sealed.length === 0 ? null : sealed)),
        at: z.number(),
        attempts: z.number(),
      }),
    )
    .optional(),
  acts: z
    .array(
      z.object({
        // A newer version may note others: no reason not to read the row.
        kind: z.string(),
        at: z.number(),
        sendId: z.string().exactOptional(),
        task: z.string().exactOptional(),
        operator: bytes,
      }),
    )
    .optional(),
  files: runFilesSchema.optional(),
  origin: z
    .object({ kind: z.enum(['retry', 'fork']), taskId: z.string(), steps: z.number() })
    .optional()
    .catch(undefined),
  webhooks: z.object({ ids: z.array(z.string()), key: bytes, told: z.number() }).optional(),
  errors: z
    .array(
      z.object({
        at: z.number(),
        where: z.string(),
        tool: z.string().exactOptional(),
        attempt: z.number(),
        fault: z.string(),
        status: z.number().exactOptional(),
        words: bytes.exactOptional(),
      }),
    )
    .optional(),
  dependency: z
    .object({
      remote: z.string(),
      sendId: z.string(),
      operation: bytes.nullable(),
      nextPollAt: z.number(),
      deadlineAt: z.number(),
      polls: z.number(),
      failures: z.number(),
      lookedAt: z.number().exactOptional(),
    })
    .optional(),
  digest: z.string().optional(),
  notBefore: z.number().optional(),
  circuit: z.string().optional(),
  asleep: z.literal(true).optional(),
  awaits: z.array(z.string()).optional(),
  claimToken: z.string().optional(),
  claimUntil: z.number().optional(),
  pausedAt: z.number().optional(),
  expectsData: z.boolean().optional(),
  auth: z.literal(true).optional(),
  reason: z.string().optional(),
});

/** When what it used is to be counted: its worker would be in the way while it writes the row. */
const countAt = (run: Run): number => (run.status === 'running' ? run.claim.until : run.statusAt);

function filesFields({ commit, ...files }: RunFiles): Fields {
  return commit === undefined ? files : { ...files, commit: { ...commit } };
}

/** In the field `attention`: an operator must say what became of a message to a remote agent. */
export const UNKNOWN_SEND = 'unknown-send';
/** Or, if not that, whether the run may go on with what is gone or changed. */
export const BLOCKED = 'blocked';

/** What only an operator can help with; undefined if nothing. */
function attentionOf(run: Run): string | undefined {
  if (run.status === 'waiting_for_dependency' && run.dependency.operation === null)
    return UNKNOWN_SEND;
  return isBlocked(run) ? BLOCKED : undefined;
}

function blockedFields({ changes, ...blocked }: Blocked): Fields {
  return {
    ...blocked,
    changes: changes.map(({ facets, ...each }) => ({ ...each, facets: [...facets] })),
  };
}

/** Of the frame, what is stored as it is; the others are copied, each in its own way. */
const NESTED = [
  'spent',
  'models',
  'segments',
  'continuation',
  'sending',
  'orphans',
  'acts',
  'archived',
  'blocked',
  'earlierCommits',
  'errors',
  'files',
  'origin',
  'pins',
  'trail',
  'uncounted',
  'webhooks',
] as const;
type Plain = Exclude<(typeof FRAME_KEYS)[number], (typeof NESTED)[number]>;

const NAMES: ReadonlySet<string> = new Set(
  FRAME_KEYS.filter((key) => !NESTED.some((each) => each === key)),
);
const isPlain = (key: string): key is Plain => NAMES.has(key);

/** In one pass: taken apart by its rest, a row is copied each time, and each commit comes here. */
function plainFields(run: Run): { [key: string]: Fields[string] | undefined } {
  const fields: { [key: string]: Fields[string] | undefined } = {};
  for (const key in run) if (isPlain(key) && run[key] !== undefined) fields[key] = run[key];
  return fields;
}

/** The run's row: one flat document, with what the sweeper's index needs derived beside it. */
export const runCodec: Codec<Run> = {
  encode(run): Fields {
    const { status, spent, models, segments, continuation, sending, orphans, acts } = run;
    const { archived, blocked, earlierCommits, errors, files, origin, pins, trail } = run;
    const { uncounted, webhooks } = run;
    const fields = plainFields(run);
    fields['spent'] = { ...spent };
    fields['segments'] = segments.map((times) => ({ ...times }));
    if (models !== undefined) fields['models'] = models.map((use) => ({ ...use }));
    if (uncounted !== undefined) {
      fields['uncounted'] = uncounted.map((use) => ({ ...use }));
      fields['countAt'] = countAt(run);
    }
    if (continuation !== undefined) fields['continuation'] = { ...continuation };
    if (earlierCommits !== undefined) fields['earlierCommits'] = [...earlierCommits];
    if (trail !== undefined) fields['trail'] = { ...trail };
    if (sending !== undefined) fields['sending'] = { ...sending };
    if (archived !== undefined) fields['archived'] = { ...archived };
    if (orphans !== undefined)
      fields['orphans'] = orphans.map(({ operation, ...orphan }) => ({
        ...orphan,
        operation: operation ?? new Uint8Array(),
      }));
    if (pins !== undefined)
      fields['pins'] = pins.map(({ facets, ...pin }) => ({ ...pin, facets: { ...facets } }));
    if (blocked !== undefined) fields['blocked'] = blockedFields(blocked);
    if (acts !== undefined) fields['acts'] = acts.map((act) => ({ ...act }));
    if (errors !== undefined) fields['errors'] = errors.map((error) => ({ ...error }));
    if (files !== undefined) fields['files'] = filesFields(files);
    if (origin !== undefined) fields['origin'] = { ...origin };
    if (webhooks !== undefined) fields['webhooks'] = { ...webhooks, ids: [...webhooks.ids] };
    fields['status'] = status === 'unknown' ? run.stored : status;
    if ('notBefore' in run) fields['notBefore'] = run.notBefore;
    if ('circuit' in run && run.circuit !== undefined) fields['circuit'] = run.circuit;
    if ('asleep' in run && run.asleep !== undefined) fields['asleep'] = run.asleep;
    if ('awaits' in run && run.awaits !== undefined) fields['awaits'] = [...run.awaits];
    if ('claim' in run) {
      fields['claimToken'] = run.claim.token;
      fields['claimUntil'] = run.claim.until;
    }
    if ('pausedAt' in run) fields['pausedAt'] = run.pausedAt;
    if ('expectsData' in run) fields['expectsData'] = run.expectsData;
    if ('auth' in run && run.auth !== undefined) fields['auth'] = run.auth;
    if ('digest' in run && run.digest !== undefined) fields['digest'] = run.digest;
    if ('dependency' in run) fields['dependency'] = { ...run.dependency };
    const attention = attentionOf(run);
    if (attention !== undefined) fields['attention'] = attention;
    if ('reason' in run) fields['reason'] = run.reason;
    // For the index of runs by cost, which those without a model have no place in.
    if (spent.cost > 0) fields['cost'] = spent.cost;
    const derived = { v: 1, dueAt: dueAt(run) };
    // When it is due, too, only the newer version knows.
    if (status === 'unknown') return { ...derived, ...(run.row as Fields | undefined), ...fields };
    return { ...fields, ...derived };
  },
  decode(fields, path): Run {
    const parsed = row.safeParse(fields);
    if (!parsed.success) throw new Unreadable(`document ${path}`, parsed.error);
    const stored = parsed.data;
    const base = frameOf(stored as unknown as RunFrame);
    switch (stored.status) {
      case 'queued':
        return {
          ...base,
          status: 'queued',
          notBefore: stored.notBefore ?? 0,
          ...(stored.circuit !== undefined && { circuit: stored.circuit }),
          ...(stored.asleep && { asleep: stored.asleep }),
          ...(stored.awaits && { awaits: stored.awaits }),
        };
      case 'running':
        // A row without its claim is not held: its lease lapsed at the beginning of time.
        return {
          ...base,
          status: 'running',
          claim: { token: (stored.claimToken ?? '') as ClaimToken, until: stored.claimUntil ?? 0 },
        };
      case 'waiting_for_input':
      case 'waiting_for_approval':
        return {
          ...base,
          status: stored.status,
          pausedAt: stored.pausedAt ?? stored.statusAt,
          expectsData: stored.expectsData ?? false,
          ...(stored.auth !== undefined && { auth: stored.auth }),
          ...(stored.digest !== undefined && { digest: stored.digest }),
        };
      case 'waiting_for_dependency':
        if (stored.dependency === undefined) throw new Unreadable(`dependency of ${path}`);
        return {
          ...base,
          status: stored.status,
          pausedAt: stored.pausedAt ?? stored.statusAt,
          dependency: stored.dependency,
        };
      case 'completed':
      case 'cancelled':
      case 'rejected':
      case 'purging':
        return { ...base, status: stored.status };
      case 'failed':
        return {
          ...base,
          status: 'failed',
          reason: (stored.reason ?? 'AGENT_FAILED') as FailureReason,
        };
      default:
        return { ...base, status: 'unknown', stored: stored.status, row: fields };
    }
  },
};

/**
 * A row that another version wrote, or that is corrupt, is no run to us; it must not hide those
 * behind it.
 */
export const readableRunCodec = tolerantCodec(runCodec);
