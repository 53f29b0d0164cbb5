import { strictest, strictestArchive } from '../../domain/ceiling.ts';
import { fence, revision, type TaskId } from '../../domain/ids.ts';
import { wholeArtifact } from '../../domain/item.ts';
import type { Artifact, Message } from '../../domain/message.ts';
import type { Refused } from '../../domain/refusal.ts';
import type { Queued, Run } from '../../domain/run.ts';
import type { Origin, Plan } from '../../domain/second-try.ts';
import type { Step } from '../../domain/step.ts';
import type { CallFact, StepFacts, StepTold } from '../../domain/step-facts.ts';
import type { Agent } from '../agents.ts';
import type { App } from '../app.ts';
import { createRun } from '../change/create-run.ts';
import { prepareStep } from '../change/prepare-step.ts';
import { NOTHING_SHOWN } from '../change/projection.ts';
import { sealAction, withOperatorAction } from '../content/operator-actions.ts';
import { prepareInput } from '../content/segment-input.ts';
import { type Ceilings, ceilingsOf, refusedByPolicy } from '../privacy/policy.ts';
import { contextDoc, inputDoc, runDoc } from '../records/documents.ts';
import { placeIn } from '../records/shards.ts';
import { activeTask, busyContext, firstRun, takenContext } from '../tasks/first-run.ts';
import type { Shown } from './earlier-run.ts';
import type { Operator } from './operator-rights.ts';
import { principalOfRun } from './seen-run.ts';

/** What a new run is made of. */
export interface Making {
  readonly earlier: Run;
  readonly agent: Agent;
  readonly plan: Plan;
  readonly shown: Shown;
  readonly kind: Origin['kind'];
  readonly taskId: TaskId;
  /** In the place of a message of the caller. */
  readonly edit?: Pick<Message, 'parts'>;
}

/** Steps in one commit have so many bytes at most; what is larger lies in objects. */
const INLINE = 4 * 1024 * 1024;

/**
 * A new run of the caller, scope and context of an earlier one: its row, its first revision, the
 * steps that it takes over, sealed with keys of its own, and its place in the context are one
 * commit (G19). Refused when the context is busy, or nothing may be kept any more. If it is there
 * already, it is answered.
 */
export async function makeRun(
  app: App,
  operator: Operator,
  making: Making,
): Promise<Run | Refused> {
  const { agent, earlier, kind, plan, taskId } = making;
  const forbidden = refusedByPolicy(app, agent);
  if (forbidden !== undefined) return forbidden;
  const run = await rowOf(app, making);
  const message = messageOf(app, making);
  const artifacts = artifactsOf(making);
  const contextAt = contextDoc(run.scope, run.contextId);
  const inline = Math.floor(INLINE / Math.max(1, plan.kept.length));
  const settings = { ...app.settings, inlineContent: Math.min(app.settings.inlineContent, inline) };
  const outcome = await createRun(
    app,
    run,
    {
      publish: {
        items: [{ kind: 'message', message }, ...artifacts.map(wholeArtifact)],
        status: {},
      },
      seal: async (keys) => ({
        input: run.hasInput ? await prepareInput(app, keys.runKey, { message }) : undefined,
        act: sealAction(app, keys.runKey, { kind, task: earlier.taskId }, operator.subject),
        steps: await Promise.all(
          plan.kept.map(({ facts, step }, at) =>
            prepareStep({ ...app, settings }, keys, at + 1, {
              step: withKeys(step, making),
              fence: fence(0),
              told: toldBy(facts),
            }),
          ),
        ),
      }),
      read: async (tx) => ({ context: await tx.get(contextAt) }),
      decide(first, now, { act, context }) {
        const free = agent.parallel || activeTask(context) === null;
        return free ? withOperatorAction(first, act, now) : undefined;
      },
      write(tx, next, { context, input, steps }) {
        for (const write of steps) write(tx, next);
        if (input !== undefined) tx.create(inputDoc(next.taskId), input);
        tx.set(contextAt, takenContext(context, next, agent.parallel));
      },
      held: NOTHING_SHOWN,
    },
    { isDerived: true },
  );
  if (outcome.kind === 'changed') return outcome.run;
  const present = await app.store.get(runDoc(taskId));
  return present ?? busyContext(activeTask(outcome.read?.context) ?? '');
}

async function rowOf(app: App, { agent, earlier, kind, plan, taskId }: Making): Promise<Queued> {
  const place = placeIn(await app.shards.toWrite(), taskId);
  const { wrapped } = await app.keys.create(taskId);
  const { contextId: context, scope } = earlier;
  const first = { taskId, context, scope, place, wrapped };
  const row = firstRun(app, principalOfRun(earlier), first, stricter(app, agent, earlier), {});
  const generations = plan.kept.map(({ step }) => ('generation' in step ? step.generation : 0));
  return {
    ...row,
    steps: plan.kept.length,
    pauseGeneration: Math.max(0, ...generations),
    inputRevision: revision(1),
    origin: { kind, taskId: earlier.taskId, steps: plan.kept.length },
  };
}

/** What may be kept of an agent's runs now, and no more than of the run that it is taken from. */
function stricter(app: App, agent: Agent, earlier: Run): Ceilings {
  const now = ceilingsOf(app, agent);
  return {
    answerCeiling: strictest(now.answerCeiling, earlier.answerCeiling),
    auditCeiling: strictest(now.auditCeiling, earlier.auditCeiling),
    archive: strictestArchive(now.archive, earlier.archive),
  };
}

/**
 * A call that may have begun in the earlier run is known to its tool as it was there; one that ran,
 * and that an operator wants a second time, is another.
 */
function withKeys(step: Step, { earlier, plan }: Making): Step {
  if (step.kind !== 'turn') return step;
  const twice = new Set(plan.named.flatMap(({ callId, made }) => (made ? [callId] : [])));
  const calls = step.calls.map(({ key, ...call }) =>
    twice.has(call.id) ? call : { ...call, key: key ?? `${earlier.taskId}.${call.id}` },
  );
  return { ...step, calls };
}

const calledBy = ({ effect, name }: CallFact): Omit<CallFact, 'callId'> => ({
  ...(effect !== undefined && { effect }),
  ...(name !== undefined && { name }),
});

/** What its maker knew of a step, as it is told once more. */
function toldBy({ attempt, calls, cost, fault, startedAt }: StepFacts): StepTold {
  return {
    ...(attempt !== undefined && { attempt }),
    ...(calls && { calls: calls.map(calledBy) }),
    ...(cost !== undefined && { cost }),
    ...(fault !== undefined && { fault }),
    ...(startedAt !== undefined && { startedAt }),
  };
}

/** The caller's own message, which refers to the earlier task (A2A section 4.1.4). */
function messageOf(app: App, { earlier, edit, plan, shown }: Making): Message {
  const first = plan.kept.find(({ step }) => step.kind === 'answer')?.step;
  const { message } = first?.kind === 'answer' ? first : shown;
  const { referenceTaskIds = [] } = message;
  return {
    ...message,
    ...(plan.kept.length === 0 && edit),
    messageId: app.ids.uuid(),
    referenceTaskIds: [...new Set([...referenceTaskIds, earlier.taskId])],
  };
}

/** Of a retry all, because every result is taken over; of a fork those of the turns that are. */
function artifactsOf({ kind, plan, shown }: Making): readonly Artifact[] {
  if (plan.kept.length === 0) return [];
  if (kind === 'retry') return shown.artifacts;
  const ids = new Set(
    plan.kept.flatMap(({ step }) => (step.kind === 'turn' ? step.artifacts : [])),
  );
  return shown.artifacts.filter(({ artifactId }) => ids.has(artifactId));
}
