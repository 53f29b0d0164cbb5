import { isPaused } from '../../domain/agent-pause.ts';
import { type ContextId, type Principal, scopeOf, type TaskId } from '../../domain/ids.ts';
import type { Agent } from '../agents.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import { type ClaimToken, hasClaim, type Run } from '../../domain/run.ts';
import { claimedAtOnce } from '../../domain/transitions.ts';
import type { Transaction } from '../../ports/store.ts';
import { placeIn } from '../records/shards.ts';
import type { App } from '../app.ts';
import { createRun } from '../change/create-run.ts';
import { NOTHING_SHOWN } from '../change/projection.ts';
import { type SegmentLane, type Taken, withSegment } from '../segment/segment-lane.ts';
import { activeTask, busyContext, firstRun, takenContext } from './first-run.ts';
import { readable } from './readable.ts';
import { prepareAudit } from '../content/audit-record.ts';
import { contextDoc, inputDoc } from '../records/documents.ts';
import { ceilingsOf, refusedByPolicy } from '../privacy/policy.ts';
import { prepareInput } from '../content/segment-input.ts';
import { contextOf } from './reply.ts';
import { acceptedBy, receiptFor } from '../records/receipt.ts';
import type { Accepted, SendRequest } from '../service.ts';
import { traced } from '../tracing.ts';
import { wakeUp } from '../wake-up.ts';
import { webhookWith } from '../webhooks/with-message.ts';

/** What makes a task besides its message, and belongs to the commit that accepts it. */
export interface Cause {
  /** It follows from the cause: so of one cause there is one task. */
  readonly taskId: TaskId;
  /** What the commit writes for it; undefined: it makes no task any more. */
  read(
    tx: Pick<Transaction, 'get'>,
  ): Promise<((tx: Pick<Transaction, 'create' | 'set'>, run: Run) => void) | undefined>;
}

/**
 * Accepts a new task: run, first revision, context and receipt in one transaction of at most four
 * writes; for a caller who reads the task next, its view and journal entry, too. With a place in
 * the lane the same transaction claims the run (decision 0034). Refused when the context is busy
 * (G19); a retry of a recognised message is answered by the task it made (G22).
 */
export function acceptMessage(
  app: App,
  principal: Principal,
  request: SendRequest,
  lane?: SegmentLane,
): Promise<Accepted | Refused> {
  return spanned(app, principal, async (traceable) => {
    const outcome = await accept(traceable, principal, request, lane);
    // Only a cause can have an end.
    return outcome ?? busyContext('');
  });
}

/**
 * Accepts the task of a cause, by all the rules for a message. Undefined: the cause makes none any
 * more, or has made it. Throws Unavailable, Contention.
 */
export function acceptFor(
  app: App,
  principal: Principal,
  request: SendRequest,
  cause: Cause,
): Promise<Accepted | Refused | undefined> {
  return spanned(app, principal, (traceable) =>
    accept(traceable, principal, request, undefined, cause),
  );
}

function spanned<A extends Accepted | Refused | undefined>(
  app: App,
  principal: Principal,
  work: (traceable: App) => Promise<A>,
): Promise<A> {
  const given = () => ({ attributes: { agent: principal.agent } });
  return traced(app, 'accept', given, async (traceable, span) => {
    const outcome = await work(traceable);
    if (outcome !== undefined)
      span?.set(isRefused(outcome) ? { refused: outcome.code } : { task: outcome.taskId });
    return outcome;
  });
}

async function accept(
  app: App,
  principal: Principal,
  request: SendRequest,
  lane?: SegmentLane,
  cause?: Cause,
): Promise<Accepted | Refused | undefined> {
  const context = contextOf(app, request);
  if (isRefused(context)) return context;
  const agent = app.agents.get(principal.agent);
  const forbidden = refusedByPolicy(app, agent);
  if (forbidden !== undefined) return forbidden;
  return withSegment(app, await laneFor(app, principal, lane), (claims) =>
    take(app, principal, request, { context, agent, claims, cause }),
  );
}

/** A message to a paused agent is accepted, and its run waits in the queue. */
async function laneFor(
  app: App,
  { agent }: Principal,
  lane: SegmentLane | undefined,
): Promise<SegmentLane | undefined> {
  if (lane === undefined) return undefined;
  return isPaused(await app.pausedAgents.of(agent)) ? undefined : lane;
}

interface Taking {
  readonly context: ContextId;
  readonly agent: Agent | undefined;
  /** The run is claimed in the same commit. */
  readonly claims: boolean;
  readonly cause: Cause | undefined;
}

async function take(
  app: App,
  principal: Principal,
  request: SendRequest,
  { context, agent, cause, claims }: Taking,
): Promise<Taken<Accepted | Refused | undefined>> {
  const scope = scopeOf(principal);
  const taskId = cause?.taskId ?? (app.ids.uuid() as TaskId);
  const place = placeIn(await app.shards.toWrite(), taskId);
  const { wrapped } = await app.keys.create(taskId);
  const run = firstRun(
    app,
    principal,
    { taskId, context, scope, place, wrapped },
    ceilingsOf(app, agent),
    request,
  );
  const receipt = receiptFor(app, principal, request);
  const webhook = webhookWith(app, run, request);
  const unfit = webhook.objection(run);
  if (unfit !== undefined) return { answer: unfit };
  const contextAt = contextDoc(scope, context);
  // One that was made for this message is another's by no chance that counts.
  const isNew = !request.contextId;
  const parallel = agent?.parallel ?? false;
  const { message, blocking = false } = request;
  const token = app.ids.token() as ClaimToken;
  const note = request.audit && (await prepareAudit(app, request.audit));
  const outcome = await createRun(
    app,
    run,
    {
      publish: { items: [{ kind: 'message', message }], status: {} },
      seal: async (keys) => ({
        input: run.hasInput ? await prepareInput(app, keys.runKey, request) : undefined,
        digest: receipt.digest(keys.runKey),
        ...webhook.seal(keys),
      }),
      // The receipt last: a refusal checks nothing, and the message that took the context meanwhile
      // left its receipt in the same commit.
      read: async (tx, first, sealed) => ({
        ...(await webhook.read(tx, first, sealed)),
        caused: await cause?.read(tx),
        context: isNew ? undefined : await tx.get(contextAt),
        // Of a cause there is one task whatever is sent: it needs no receipt.
        earlier: cause === undefined ? await receipt.find(tx) : undefined,
      }),
      decide(_first, now, { caused, context: present, earlier, hook }) {
        if (cause !== undefined && caused === undefined) return undefined;
        const free = parallel || activeTask(present) === null;
        if (!free || earlier !== undefined) return undefined;
        const begun = claims
          ? claimedAtOnce(run, { token, until: now + app.settings.lease }, now)
          : run;
        return webhook.addTo(begun, { hook });
      },
      write(tx, next, { caused, context: present, digest, input, ...found }) {
        if (input !== undefined) tx.create(inputDoc(next.taskId), input);
        const taken = takenContext(present, next, parallel);
        if (isNew) tx.create(contextAt, taken);
        else tx.set(contextAt, taken);
        if (cause === undefined) receipt.write(tx, next, digest);
        webhook.write(tx, found);
        note?.(tx, { run: next });
        caused?.(tx, next);
      },
      held: blocking ? undefined : NOTHING_SHOWN,
    },
    { isDerived: cause !== undefined },
  );
  if (outcome.kind === 'changed') {
    const { held, run: accepted } = outcome;
    await wakeUp(app, accepted);
    const answer = acceptedBy(accepted);
    if (held?.view === undefined) await readable(app, request, answer);
    if (!hasClaim(accepted, token)) return { answer };
    return { answer, claimed: { run: accepted, token, ...(held && { held }) } };
  }
  const { caused, context: present, earlier } = outcome.read ?? {};
  if (cause !== undefined && caused === undefined) return { answer: undefined };
  if (earlier === undefined) return { answer: busyContext(activeTask(present) ?? '') };
  return { answer: await readable(app, request, await receipt.answer(earlier)) };
}
