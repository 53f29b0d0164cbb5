import type { Agent, Ending, SegmentPorts } from '../app/agents.ts';
import type { Message, Part } from '../domain/message.ts';
import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';
import type { ToolServers } from '../ports/tool-servers.ts';
import { AgentProcess, type Gone, type Outcome } from './agent-process.ts';
import { type Bounds, errorOf, fateOf } from './fate.ts';
import type { OpenLink } from './messages.ts';

export interface Isolation {
  readonly open: OpenLink;
  readonly clock: Clock;
  readonly bounds: Bounds;
  readonly toolServers: ToolServers;
  /** Told of errors that nothing caught and that belong to no segment. */
  readonly stray: (agent: string, error: unknown) => void;
}

/** A process that nothing needs any more is ended. */
const IDLE: Millis = 5 * 60_000;
/** Runs that are tried alone, at a time. */
const ALONE = 2;
/** Tasks that are remembered to be tried alone. */
const SUSPECTS = 1_000;

/**
 * The agent with its code in a process of its own, which is started when it is first needed. What
 * holds that process's thread, takes its memory or ends it fails its own run, or, where that is not
 * known, has each run that was at work tried again in a process for it alone (docs/isolation.md).
 */
export function isolated<A extends Agent>(agent: A, isolation: Isolation): A {
  const home = new AgentHome(agent, isolation);
  return {
    ...agent,
    run: (segment) => home.run(segment),
    ...(agent.reply && { reply: (message) => home.reply(message) }),
  };
}

class AgentHome {
  readonly #agent: Agent;
  readonly #isolation: Isolation;
  readonly #suspects = new Set<string>();
  #process: AgentProcess | undefined;
  #cancelIdle: (() => void) | undefined;
  #alone = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(agent: Agent, isolation: Isolation) {
    this.#agent = agent;
    this.#isolation = isolation;
  }

  async run(segment: SegmentPorts): Promise<Ending> {
    const { taskId } = segment;
    const outcome = this.#suspects.has(taskId)
      ? await this.#runAlone(segment)
      : await this.#work((process) => process.run(segment));
    if (outcome.kind === 'ended') {
      this.#suspects.delete(taskId);
      return outcome.ending;
    }
    if (outcome.kind === 'replied') throw new TypeError('a run was answered as a reply');
    if (outcome.kind === 'broken') return { kind: 'retry', error: outcome.error };
    const { bounds } = this.#isolation;
    const ending = fateOf(outcome.death, outcome, this.#agent.name, bounds);
    if (ending.kind === 'retry') this.#suspect(taskId);
    else this.#suspects.delete(taskId);
    return ending;
  }

  async reply(message: Message): Promise<readonly Part[] | undefined> {
    const outcome = await this.#work((process) => process.reply(message));
    if (outcome.kind === 'replied') return outcome.parts;
    if (outcome.kind === 'ended') throw new TypeError('a reply was answered as a run');
    throw this.#errorOf(outcome);
  }

  #errorOf(gone: Gone): unknown {
    return gone.kind === 'broken'
      ? gone.error
      : errorOf(gone.death, this.#agent.name, this.#isolation.bounds);
  }

  #suspect(taskId: string): void {
    const [oldest] = this.#suspects;
    if (this.#suspects.size >= SUSPECTS && oldest !== undefined) this.#suspects.delete(oldest);
    this.#suspects.add(taskId);
  }

  async #work(begin: (process: AgentProcess) => Promise<Outcome>): Promise<Outcome> {
    this.#cancelIdle?.();
    if (this.#process === undefined || this.#process.gone) this.#process = this.#open();
    const process = this.#process;
    try {
      return await begin(process);
    } finally {
      if (process === this.#process && process.busy === 0) this.#closeWhenIdle(process);
    }
  }

  #closeWhenIdle(process: AgentProcess): void {
    this.#cancelIdle?.();
    this.#cancelIdle = this.#isolation.clock.after(IDLE, () => {
      if (this.#process === process) this.#process = undefined;
      process.close();
    });
  }

  /** Waits for its turn: a process takes memory, and many may be suspected at once. */
  async #runAlone(segment: SegmentPorts): Promise<Outcome> {
    if (!(await this.#turn(segment))) return { kind: 'ended', ending: { kind: 'interrupted' } };
    const process = this.#open();
    try {
      return await process.run(segment);
    } finally {
      process.close();
      const next = this.#waiting.shift();
      if (next === undefined) this.#alone -= 1;
      else next();
    }
  }

  /** False: half of the segment's time is over, and nothing of it was used. */
  async #turn(segment: SegmentPorts): Promise<boolean> {
    if (this.#alone < ALONE) {
      this.#alone += 1;
      return true;
    }
    const turn = Promise.withResolvers<boolean>();
    const take = (): void => turn.resolve(true);
    this.#waiting.push(take);
    const leave = (): void => {
      const at = this.#waiting.indexOf(take);
      if (at >= 0) this.#waiting.splice(at, 1);
      if (at >= 0) turn.resolve(false);
    };
    const cancel = segment.after(segment.transcript.timeLeft / 2, leave);
    segment.signal.addEventListener('abort', leave, { once: true });
    try {
      return await turn.promise;
    } finally {
      cancel();
      segment.signal.removeEventListener('abort', leave);
    }
  }

  #open(): AgentProcess {
    const { open, stray, toolServers } = this.#isolation;
    const { name } = this.#agent;
    return new AgentProcess(open, name, toolServers, (error) => stray(name, error));
  }
}
