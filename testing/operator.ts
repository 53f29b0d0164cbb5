import type { Words } from '../shared/agent/index.ts';
import { toParts } from '../shared/agent/parts.ts';
import type { App } from '../shared/app/app.ts';
import { storeDecision } from '../shared/app/decisions/store-decision.ts';
import { abandonSend } from '../shared/app/operators/abandon-send.ts';
import { cancelRun } from '../shared/app/operators/cancel-run.ts';
import { continueRun } from '../shared/app/operators/continue-run.ts';
import { deliverEvent } from '../shared/app/operators/deliver-event.ts';
import { type Inbox, inbox } from '../shared/app/operators/inbox.ts';
import { linkSend } from '../shared/app/operators/link-send.ts';
import { rightsOf } from '../shared/app/operators/operator-rights.ts';
import { resendSend } from '../shared/app/operators/resend-send.ts';
import { runSchedule } from '../shared/app/operators/run-schedule.ts';
import { listSchedules, pauseSchedule, resumeSchedule } from '../shared/app/operators/schedules.ts';
import { type TryAsked, trySecond } from '../shared/app/operators/second-try.ts';
import { sendName } from '../shared/app/operators/unresolved-send.ts';
import { type AgentName, agentName } from '../shared/domain/ids.ts';
import type { Decision } from '../shared/domain/decision.ts';
import type { Json } from '../shared/domain/json.ts';
import { type Run, waitsForPerson } from '../shared/domain/run.ts';
import type { Ids } from '../shared/ports/ids.ts';
import type { Engine } from './engine.ts';
import { granted } from './refusal.ts';
import { taskFacts } from './rows.ts';
import { type SeenSchedule, seenSchedule } from './seen-schedule.ts';

/** A held call as an operator sees it. */
export interface HeldCall {
  readonly tool: string;
  readonly summary: string;
  readonly arguments?: Json;
}

/** What waits for an operator. */
export interface Waiting {
  /**
   * `approval` and `input`: a person decides. `send`: whether a message arrived at a remote agent
   * is not known. `blocked`: what the run goes on with is gone or changed.
   */
  readonly kind: 'approval' | 'input' | 'send' | 'blocked';
  readonly taskId: string;
  readonly agent: string;
  /** Of an approval. */
  readonly calls: readonly HeldCall[];
  /** JSON Schema of the input that is wanted, if it is data. */
  readonly schema?: Json;
  /** Of a send. */
  readonly remote?: string;
}

export interface RetryOptions {
  /** Steps and calls, by their numbers and ids, that may run again although they must not twice. */
  readonly again?: readonly string[];
}

export interface ForkOptions extends RetryOptions {
  /** The step that is done anew first. */
  readonly from?: number;
  /** What the caller's message says instead. */
  readonly words?: Words;
}

const MOST = 100;

/** An operator with every right. What is refused throws Refusal. */
export class Operator {
  readonly #engine: Engine;
  readonly #ids: Ids;
  readonly #subject: string;

  /** @internal */
  constructor(engine: Engine, ids: Ids, subject: string) {
    this.#engine = engine;
    this.#ids = ids;
    this.#subject = subject;
  }

  /** What waits for a person, the longest first. */
  async inbox(): Promise<readonly Waiting[]> {
    const found = await this.#engine.ask(({ app }) =>
      inbox(app, rightsOf(app, this.#subject), MOST),
    );
    return waitingIn(found);
  }

  /** Says yes to what the task waits for. */
  approve(taskId: string): Promise<void> {
    return this.#decide(taskId, { kind: 'approve' });
  }

  /** Says no. */
  deny(taskId: string): Promise<void> {
    return this.#decide(taskId, { kind: 'deny' });
  }

  /** Puts in what the task asks for. */
  input(taskId: string, input: Json): Promise<void> {
    return this.#decide(taskId, { kind: 'input', input });
  }

  /** Delivers an event to a task. With an id, one that is delivered again is the same event. */
  event(taskId: string, name: string, data: Json = null, id = this.#ids.uuid()): Promise<void> {
    return this.#act((app) => deliverEvent(app, this.#as(app), taskId, { name, data, id }));
  }

  /** Names the remote task that a send of unknown outcome has started. */
  link(taskId: string, remoteTaskId: string): Promise<void> {
    return this.#act((app) => linkSend(app, this.#as(app), this.#sendOf(taskId), remoteTaskId));
  }

  /** Gives a send of unknown outcome up: the agent is told so. */
  abandon(taskId: string): Promise<void> {
    return this.#act((app) => abandonSend(app, this.#as(app), this.#sendOf(taskId)));
  }

  /** Sends a message of unknown outcome again, as a message of its own. */
  resend(taskId: string): Promise<void> {
    return this.#act((app) => resendSend(app, this.#as(app), this.#sendOf(taskId)));
  }

  cancel(taskId: string): Promise<void> {
    return this.#act((app) => cancelRun(app, this.#as(app), taskId));
  }

  /** Lets a run go on whose agent, tools or remotes are gone or changed, as they are now. */
  continue(taskId: string): Promise<void> {
    const digest = this.#run(taskId).blocked?.digest ?? '';
    return this.#act((app) => continueRun(app, this.#as(app), taskId, digest));
  }

  /** Tries a run that failed once more, from its last good step. Answers the new task's id. */
  retry(taskId: string, { again = [] }: RetryOptions = {}): Promise<string> {
    return this.#try(taskId, { kind: 'retry', again });
  }

  /** A new task from a step of one that has ended. Answers its id. */
  fork(taskId: string, { again = [], from, words }: ForkOptions = {}): Promise<string> {
    const edit = words === undefined ? undefined : { parts: toParts(words, 'words') };
    return this.#try(taskId, {
      kind: 'fork',
      again,
      ...(from !== undefined && { from }),
      ...(edit && { edit }),
    });
  }

  /** The schedules of all agents: when each ticks next, and what became of its ticks. */
  async schedules(): Promise<readonly SeenSchedule[]> {
    const seen = await this.#engine.ask(({ app }) =>
      listSchedules(
        app,
        this.#as(app),
        (app.agents.all ?? []).map(({ name }) => name),
      ),
    );
    return seen.map(seenSchedule);
  }

  /** No tick of that agent makes a task until it is resumed. */
  pauseSchedule(agent: string): Promise<void> {
    return this.#act((app) => pauseSchedule(app, this.#as(app), named(agent)));
  }

  /** Its schedule goes on with the first tick from now on. */
  resumeSchedule(agent: string): Promise<void> {
    return this.#act((app) => resumeSchedule(app, this.#as(app), named(agent)));
  }

  /** Makes a task as a tick makes it, now. Answers its id. */
  async runSchedule(agent: string): Promise<string> {
    const requestId = this.#ids.uuid();
    const made = await this.#engine.ask(({ app }) =>
      runSchedule(app, this.#as(app), named(agent), requestId),
    );
    await this.#engine.rest();
    return granted(made).taskId;
  }

  async #try(taskId: string, asked: Omit<TryAsked, 'requestId' | 'unlessTried'>): Promise<string> {
    const requestId = this.#ids.uuid();
    const made = await this.#engine.ask(({ app }) =>
      trySecond(app, this.#as(app), taskId, { ...asked, requestId, unlessTried: false }),
    );
    await this.#engine.rest();
    const run = granted(made).made;
    if (run === undefined) throw new Error('no run was made');
    return run.taskId;
  }

  async #decide(taskId: string, decision: Pick<Decision, 'kind' | 'input'>): Promise<void> {
    const run = this.#run(taskId);
    if (!waitsForPerson(run)) throw new TypeError(`the task waits for no one: it is ${run.status}`);
    const { digest, pauseGeneration } = run;
    const named = { ...decision, pauseGeneration, ...(digest !== undefined && { digest }) };
    const decider = { kind: 'operator', subject: this.#subject } as const;
    await this.#act((app) => storeDecision(app, decider, taskId, named));
  }

  async #act(call: (app: App) => Promise<object>): Promise<void> {
    granted(await this.#engine.ask(({ app }) => call(app)));
    await this.#engine.rest();
  }

  #as(app: App) {
    return { subject: this.#subject, rights: rightsOf(app, this.#subject) };
  }

  #sendOf(taskId: string): string {
    const run = this.#run(taskId);
    if (run.status === 'waiting_for_dependency') return sendName(taskId, run.dependency.sendId);
    throw new TypeError(`the task waits for no remote agent: it is ${run.status}`);
  }

  #run(taskId: string): Run {
    const run = taskFacts(this.#engine.backend, taskId);
    if (run === undefined) throw new TypeError(`no task ${taskId}`);
    return run;
  }
}

function named(agent: string): AgentName {
  const name = agentName(agent);
  if (name === undefined) throw new TypeError(`agent: ${JSON.stringify(agent)} is no name`);
  return name;
}

function waitingIn({ blocked, decisions, sends }: Inbox): readonly Waiting[] {
  return [
    ...decisions.map(({ asked, run: { agent, status, taskId } }): Waiting => {
      const calls = (asked?.calls ?? []).map(({ arguments: given, summary, tool }) => ({
        tool,
        summary,
        ...(given !== undefined && { arguments: given }),
      }));
      const kind = status === 'waiting_for_approval' ? 'approval' : 'input';
      const { schema } = asked ?? {};
      return { kind, taskId, agent, calls, ...(schema !== undefined && { schema }) };
    }),
    ...sends.map(
      ({ run: { agent, taskId }, send: { remote } }): Waiting => ({
        kind: 'send',
        taskId,
        agent,
        calls: [],
        remote,
      }),
    ),
    ...blocked.map(({ agent, taskId }): Waiting => ({ kind: 'blocked', taskId, agent, calls: [] })),
  ];
}
