import { blockOf, changedStep } from '../../domain/blocked.ts';
import { exceeded } from '../../domain/budget.ts';
import type { Millis } from '../../domain/brand.ts';
import { canonicalJson, isJsonObject, type Json } from '../../domain/json.ts';
import type { Settings } from '../../domain/settings.ts';
import type { Step } from '../../domain/step.ts';
import type { Task } from '../../domain/task.ts';
import { tighten } from '../../domain/transitions.ts';
import {
  type Agent,
  type Agents,
  changesFor,
  limitsOf,
  type PauseRequest,
  type Replayed,
} from '../agents.ts';
import type { Installation } from '../app.ts';
import { ceilingsOf } from '../privacy/policy.ts';
import { faultName } from '../wake-up.ts';
import type { RunRecord } from './record.ts';
import { replayPorts } from './replay-ports.ts';
import type { Verdict } from './verdict.ts';

/** What a run is judged by. */
export interface Judging {
  readonly agents: Agents;
  readonly settings: Settings;
  readonly installation: Installation;
  readonly now: () => Millis;
  /** Of the same caller in the same context, newest first. */
  readonly earlierTasks: () => Promise<readonly Task[]>;
  /** Stands in for the folder of its files. */
  readonly folder: string;
  /** Where the author's code threw, if that is known: `file:line:column`. */
  readonly lineOf: (thrown: unknown) => string | undefined;
}

/**
 * What would become of a run with these agents when it is taken up: the checks of a segment, in
 * their order, by the same functions (`run-segment.ts`), and then the agent's own replay. Nothing
 * is done, sent or committed. Never throws for what the author's code throws.
 */
export async function judge(record: RunRecord, judging: Judging): Promise<Verdict> {
  const { run } = record;
  const { agents, installation, now, settings } = judging;
  const agent = agents.get(run.agent);
  const waited = run.pauseGeneration > 0;
  const changes = waited ? changesFor(agents, run) : [];
  if (agent === undefined && !waited) return { kind: 'fails', reason: 'AGENT_UNKNOWN' };
  const {
    answerCeiling: answer,
    archive,
    auditCeiling: audit,
  } = ceilingsOf({ installation }, agent);
  const { consequence } = tighten(run, { answer, archive, audit }) ?? {};
  if (consequence === 'fail') return { kind: 'fails', reason: 'RESULT_NOT_KEPT' };
  if (blockOf(run, changes, now()) !== undefined) return { kind: 'held', changes };
  // Only an operator lets a run of no agent go on, and to its end.
  if (agent === undefined) return { kind: 'fails', reason: 'AGENT_UNKNOWN' };
  const limit = exceeded(run.spent, limitsOf(settings, agent));
  if (limit !== undefined) return { kind: 'fails', reason: `${limit}_EXCEEDED` };
  const found = await replayed(record, agent, judging);
  if (found.kind !== 'goes on') return found;
  const misfit = eventMisfit(record, agent);
  if (misfit !== undefined) return { kind: 'differs', why: misfit };
  if (consequence === 'redact')
    return { kind: 'differs', why: `its answers are redacted from now on (answer ${answer})` };
  return found;
}

async function replayed(record: RunRecord, agent: Agent, judging: Judging): Promise<Verdict> {
  const { steps } = record;
  if (agent.replay === undefined) {
    if (!steps.some(({ kind }) => kind === 'turn')) return { kind: 'goes on' };
    return { kind: 'differs', why: 'its agent begins anew: it has no steps any more' };
  }
  const { earlierTasks, folder, lineOf, now, settings } = judging;
  const segment = replayPorts(record, {
    earlierTasks,
    folder,
    now,
    limits: limitsOf(settings, agent),
  });
  try {
    return verdictOn(await agent.replay(segment), record, lineOf);
  } catch (error) {
    return failing(error, lineOf);
  }
}

function verdictOn(found: Replayed, record: RunRecord, lineOf: Judging['lineOf']): Verdict {
  const { run, steps } = record;
  switch (found.kind) {
    case 'misfit': {
      const { line } = found.misfit;
      const changes = [changedStep(found.misfit)];
      return { kind: 'held', changes, ...(line !== undefined && { line }) };
    }
    case 'exceeded':
      return { kind: 'fails', reason: `${found.limit}_EXCEEDED` };
    case 'failed':
      return failing(found.error, lineOf);
    case 'refused': {
      // What it waited for was compared with what it was declared as, and is as it was.
      const calls = found.calls.filter(({ id }) => !run.pins?.some(({ callId }) => callId === id));
      const [call] = calls.filter(({ why }) => why !== 'server');
      if (call !== undefined) {
        const what = call.why === 'gone' ? 'its tool is gone' : 'its arguments do not fit any more';
        return { kind: 'differs', why: `the call of ${call.tool} is refused: ${what}` };
      }
      const [served] = calls;
      if (served === undefined) return goesOn(steps);
      const why = `${served.tool} is a tool of a server, which is not asked`;
      return { kind: 'not checked', why };
    }
    case 'paused':
      return asksOtherwise(found.pause, record) ?? goesOn(steps);
    case 'asked':
    case 'cancelled':
    case 'completed':
    case 'interrupted':
    case 'rejected':
    case 'resting':
    case 'retry':
    case 'slept':
    case 'suspended':
    case 'yielded':
      return goesOn(steps);
  }
}

function failing(error: unknown, lineOf: Judging['lineOf']): Verdict {
  const line = lineOf(error);
  const reason = `AGENT_FAILED (${faultName(error)})`;
  return { kind: 'fails', reason, ...(line !== undefined && { line }) };
}

/** The answer is checked by the schema that was asked with, and read by the one of now. */
function asksOtherwise(pause: PauseRequest, { asked, run, steps }: RunRecord): Verdict | undefined {
  const waits = run.status === 'waiting_for_input' && asked?.kind === 'input';
  if (!waits || pause.kind !== 'input' || pause.callId !== asked.callId) return undefined;
  const [before = null, after = null] = [asked.schema, pause.schema];
  if (canonicalJson(before) === canonicalJson(after)) return undefined;
  const { from = 'the question' } = goesOn(steps);
  const why = `${from} has another schema: an answer that does not fit it is asked for again`;
  return { kind: 'differs', why };
}

/** The operation or call that has no result yet. */
function goesOn(steps: readonly Step[]): Extract<Verdict, { kind: 'goes on' }> {
  const done = new Set(steps.flatMap((step) => (step.kind === 'result' ? [step.callId] : [])));
  const calls = steps.flatMap((step) => (step.kind === 'turn' ? step.calls : []));
  // A sleep has no result: one that others follow is over.
  const open = calls.filter(
    ({ id, operation }, at) =>
      !done.has(id) && (operation?.kind !== 'sleep' || at === calls.length - 1),
  );
  const next = open.findLast(({ operation }) => operation !== undefined) ?? open[0];
  if (next === undefined) return { kind: 'goes on' };
  const { id, operation, tool } = next;
  const kind = operation?.kind ?? 'call';
  const named = kind === tool ? kind : `${kind} ${tool}`;
  return { kind: 'goes on', from: operation === undefined ? named : `${id} ${named}` };
}

/** An event that is kept, taken or not, and that `ctx.event` would refuse now (`EventMisfit`). */
function eventMisfit({ run, signals, steps }: RunRecord, agent: Agent): string | undefined {
  if (agent.steps !== true) return undefined;
  const taken = new Set(
    steps.flatMap((step) => (step.kind === 'result' ? eventIn(step.value, run.taskId) : [])),
  );
  for (const { data, name, number } of signals) {
    const declared = agent.events?.find((each) => each.name === name);
    const about = `the event ${name} that was delivered (${number})`;
    if (declared === undefined && !taken.has(number)) return `${about} is not declared any more`;
    if (declared?.objection(data) !== undefined) return `${about} does not fit its schema any more`;
  }
  return undefined;
}

function eventIn(value: Json, taskId: string): readonly number[] {
  const { event, run } = isJsonObject(value) ? value : {};
  return run === taskId && typeof event === 'number' ? [event] : [];
}
