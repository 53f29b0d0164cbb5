import { type AgentName, type TaskId, taskId } from '../../domain/ids.ts';
import { derivedUuid } from '../../domain/derived-id.ts';
import type { Message } from '../../domain/message.ts';
import type { Millis } from '../../domain/brand.ts';
import { isRefused, type Refused } from '../../domain/refusal.ts';
import { isEnded, type Run } from '../../domain/run.ts';
import {
  ALL,
  type Origin,
  type Plan,
  planOf,
  type RiskyCall,
  type Wanted,
} from '../../domain/second-try.ts';
import { cancel } from '../../domain/transitions.ts';
import { isAtRest } from '../../domain/waiting.ts';
import type { Agent } from '../agents.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import { afterEnd } from '../change/end-run.ts';
import { contextDoc, runDoc } from '../records/documents.ts';
import { activeTask } from '../tasks/first-run.ts';
import { wakeUp } from '../wake-up.ts';
import { type EarlierRun, earlierRun, shownBy } from './earlier-run.ts';
import { makeRun } from './make-run.ts';
import { notAllowed, type OperatorRefused, unknownRun } from './operator-refusal.ts';
import type { Operator } from './operator-rights.ts';
import { shownStatus } from './run-filter.ts';
import { runFor } from './seen-run.ts';

/** What an operator asks for. */
export interface TryAsked {
  readonly kind: Origin['kind'];
  /** Of a fork: the step that is done anew first. */
  readonly from?: number;
  /** Of a fork: what the caller's message says instead. */
  readonly edit?: Pick<Message, 'parts'>;
  readonly again: readonly string[];
  /** Of a fork: a run that waits is cancelled, and the new one takes its place. */
  readonly cancel?: boolean;
  /** Repeated, it is the same request: the run that it made is answered. */
  readonly requestId: string;
  /** Not if a run was made of this one already, whatever request it was. */
  readonly unlessTried: boolean;
}

/** What a second try is made of, and the run that was made. */
export interface SecondTry {
  readonly kind: 'try';
  readonly earlier: Run;
  readonly plan: Plan;
  /** Steps of which nothing is known, not even what ran in them. */
  readonly unread: number;
  /** Absent of a dry run. */
  readonly made?: Run;
  /** The task of the context that is not finished: nothing can begin beside it. */
  readonly busy?: string;
}

/** What it would be, and nothing is done. */
export async function tryPlanned(
  app: App,
  operator: Operator,
  id: string,
  asked: Omit<TryAsked, 'requestId' | 'unlessTried'>,
): Promise<SecondTry | Refused | OperatorRefused> {
  const found = await planned(app, operator, id, asked);
  if ('code' in found) return found;
  const { agent, earlier, plan, unread } = found;
  const busy = await busyWith(app, agent, earlier);
  return { kind: 'try', earlier, plan, unread, ...(busy !== null && { busy }) };
}

/**
 * The work of a run that has ended goes on in a new run of the same caller and context, whose task
 * refers to the earlier one. What is done to the rows: a note in the earlier one, which names the
 * task that is to be; then the new run with everything that it takes over, in one commit. A crash
 * in between leaves the note, and the next request of the kind makes the run that it names.
 */
export async function trySecond(
  app: App,
  operator: Operator,
  id: string,
  asked: TryAsked,
): Promise<SecondTry | Refused | OperatorRefused> {
  const found = await planned(app, operator, id, asked);
  if ('code' in found) return found;
  const { agent, earlier, plan, unread } = found;
  if (!isEnded(earlier)) {
    const forbidden = await mayCancel(app, operator, earlier, asked);
    if (forbidden !== undefined) return forbidden;
  }
  const place = await placeFor(app, earlier, asked);
  if ('code' in place) return place;
  const about = { kind: 'try', earlier, plan, unread } as const;
  if (place.made !== undefined) return { ...about, made: place.made };
  const risky = refusedFor(plan.risks, unread, asked.again);
  if (risky !== undefined) return risky;
  const busy = await busyWith(app, agent, earlier);
  if (busy !== null) return contextBusy(busy);
  const shown = await shownBy(app, earlier);
  if ('code' in shown) return shown;
  if (!(await note(app, operator, earlier, asked.kind, place.taskId))) return wentOn();
  const made = await makeRun(app, operator, {
    earlier,
    agent,
    plan,
    shown,
    kind: asked.kind,
    taskId: place.taskId,
    ...(asked.edit && { edit: asked.edit }),
  });
  if (isRefused(made)) return made;
  app.log.write('info', 'second try', {
    task: made.taskId,
    of: earlier.taskId,
    kind: asked.kind,
    kept: plan.kept.length,
  });
  await wakeUp(app, made);
  return { ...about, made };
}

interface Planned extends Pick<EarlierRun, 'unread'> {
  readonly earlier: Run;
  readonly agent: Agent;
  readonly plan: Plan;
}

async function planned(
  app: App,
  { rights }: Operator,
  id: string,
  { again, edit, from, kind }: Omit<TryAsked, 'requestId' | 'unlessTried'>,
): Promise<Planned | OperatorRefused> {
  const seen = await runFor(app, rights, id, 'retry');
  if ('kind' in seen) return seen;
  const { run: earlier } = seen;
  const unfit = unfitFor(earlier, kind);
  if (unfit !== undefined) return unfit;
  const agent = app.agents.get(earlier.agent);
  if (agent === undefined) return notAllowed('AGENT_NOT_FOUND', gone(earlier.agent));
  const { circumstances, steps, unread } = await earlierRun(app, earlier, agent);
  const first = steps[(from ?? 0) - 1]?.step;
  const message = first?.kind === 'answer' ? first.message : undefined;
  const wanted: Wanted = {
    kind,
    again,
    ...(from !== undefined && { from }),
    ...(edit && { edit: { messageId: app.ids.uuid(), role: 'user', ...message, ...edit } }),
  };
  const plan = planOf(steps, wanted, circumstances);
  if ('field' in plan) return notAllowed('STEP_NOT_FOUND', plan.words, { field: plan.field });
  if (kind === 'fork' && plan.why !== undefined) return notAllowed('TRAIL_NOT_KEPT', WHY[plan.why]);
  return { earlier, agent, plan, unread };
}

const gone = (agent: AgentName): string => `the agent ${agent} is not published any more`;

/** Why a run begins from its message, for operators. */
export const WHY: Record<NonNullable<Plan['why']>, string> = {
  'no-steps': 'it has no steps, so there is none to go on from',
  'not-kept': 'what was said in its steps is not kept, or can not be read any more',
  files: 'its agent has files, and those of the earlier run are not taken over',
  'too-many': 'it has more steps than can be taken over',
};

function unfitFor(run: Run, kind: Origin['kind']): OperatorRefused | undefined {
  if (!isEnded(run) && !(kind === 'fork' && isAtRest(run)))
    return notAllowed('RUN_NOT_ENDED', `the run has not ended: it is ${shownStatus(run)}`);
  if (kind === 'retry' && run.status === 'completed')
    return notAllowed('RUN_COMPLETED', 'the run has its result; fork it to have another');
  return undefined;
}

/** Its fork takes the place of a run that waits: two would wait for one decision. */
async function mayCancel(
  app: App,
  { rights }: Operator,
  { status, taskId }: Run,
  { cancel }: TryAsked,
): Promise<OperatorRefused | undefined> {
  if (cancel !== true)
    return notAllowed(
      'RUN_NOT_ENDED',
      `the run has not ended: it is ${status}. With \`cancel\` it is cancelled, and the new run takes its place`,
    );
  const seen = await runFor(app, rights, taskId, 'cancel');
  return 'kind' in seen ? seen : undefined;
}

const wentOn = (): OperatorRefused =>
  notAllowed('RUN_NOT_ENDED', 'the run went on meanwhile: nothing was done');

function refusedFor(
  risks: readonly RiskyCall[],
  unread: number,
  again: readonly string[],
): OperatorRefused | undefined {
  if (unread > 0 && !again.includes(ALL))
    return notAllowed(
      'MAY_REPEAT',
      `nothing is known of ${unread} of its steps: what must not run twice may have run in them. Name \`${ALL}\` in \`again\` if it may`,
    );
  if (risks.length === 0) return undefined;
  const calls = risks.map(
    ({ callId, effect, made, name = 'a call', step }) =>
      `${name} (${callId}, step ${step}, ${effect}, ${made ? 'it ran' : 'it may have run'})`,
  );
  return notAllowed(
    'MAY_REPEAT',
    `this must not run twice: ${calls.join('; ')}. Name what may run again in \`again\``,
  );
}

const contextBusy = (active: string): OperatorRefused =>
  notAllowed('CONTEXT_BUSY', `the task ${active} of the same context is not finished`);

async function busyWith(app: App, agent: Agent, run: Run): Promise<string | null> {
  if (agent.parallel) return null;
  const active = activeTask(await app.store.get(contextDoc(run.scope, run.contextId)));
  return active === run.taskId ? null : active;
}

/** A note that names a task which is not there was left by a crash, if it is younger than this. */
const UNFINISHED: Millis = 60 * 60_000;

interface Place {
  readonly taskId: TaskId;
  /** It is there already. */
  readonly made?: Run;
}

/** The id of the run that this request makes, or has made. */
async function placeFor(
  app: App,
  run: Run,
  { kind, requestId, unlessTried }: TryAsked,
): Promise<Place | OperatorRefused> {
  const own = taskId(derivedUuid(JSON.stringify([kind, run.taskId, requestId])));
  if (own === undefined) throw new RangeError('a derived id is an id');
  const made = await app.store.get(runDoc(own));
  if (made !== undefined) return { taskId: own, made };
  const last = run.acts?.findLast((act) => act.kind === kind && act.task !== undefined);
  const named = last?.task === undefined ? undefined : taskId(last.task);
  if (last === undefined || named === undefined || named === own) return { taskId: own };
  const tried = await app.store.get(runDoc(named));
  const unfinished = tried === undefined && app.clock.now() - last.at < UNFINISHED;
  if (unfinished) return { taskId: named };
  if (!unlessTried) return { taskId: own };
  return notAllowed('TRIED_ALREADY', `a run was made of it already: ${named}`);
}

/**
 * In the row of the earlier run, before the new one is there. A task that has ended stays as it is;
 * one that waits is cancelled by the same commit, if it waits as it did when it was planned with.
 * False: it does not.
 */
async function note(
  app: App,
  { subject }: Operator,
  earlier: Run,
  kind: Origin['kind'],
  task: TaskId,
): Promise<boolean> {
  const waits = !isEnded(earlier);
  const outcome = await changeRun(app, earlier, {
    act: { kind, task, operator: subject },
    ...(waits && { publish: { status: {} } }),
    decide(current, now) {
      const noted = current.acts?.some((each) => each.kind === kind && each.task === task) === true;
      if (noted) return undefined;
      if (isEnded(current)) return waits ? undefined : current;
      return waits && isSameWait(earlier, current) ? cancel(current, now) : undefined;
    },
  });
  const { run } = outcome;
  if (run === undefined) throw new RangeError(unknownRun().message);
  if (waits && outcome.kind === 'changed') {
    app.segments.stop(run.taskId, 'cancelled');
    await afterEnd(app, outcome);
  }
  return isEnded(run) && run.acts?.some((each) => each.task === task) === true;
}

/** No step was made in between, and what it waits for is the same. */
function isSameWait(planned: Run, current: Run): boolean {
  const { fence, pauseGeneration, revision, status, steps } = current;
  return (
    isAtRest(current) &&
    status === planned.status &&
    fence === planned.fence &&
    steps === planned.steps &&
    revision === planned.revision &&
    pauseGeneration === planned.pauseGeneration
  );
}
