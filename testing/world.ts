import { durationOf } from '../shared/agent/steps/duration.ts';
import type { DefinedAgent, Model } from '../shared/agent/index.ts';
import type { AgentName } from '../shared/domain/ids.ts';
import { isEnded, waitsForPerson } from '../shared/domain/run.ts';
import { defaults, type Settings } from '../shared/domain/settings.ts';
import type { Redactor } from '../shared/ports/redactor.ts';
import type { ToolServers } from '../shared/ports/tool-servers.ts';
import { Caller } from './caller.ts';
import { type CheckedTask, checkUpgrade } from './check-upgrade.ts';
import { Engine } from './engine.ts';
import {
  type Effect,
  type Repeated,
  repeatedIn,
  type Thrown,
  type Watch,
  watched,
} from './effects.ts';
import { Gate } from './gate.ts';
import { MemoryBackend } from './memory-backend.ts';
import { MemoryBlobs } from './memory-blobs.ts';
import { memorySealer } from './memory-sealer.ts';
import { MemoryWorkspaces } from './memory-workspaces.ts';
import { MemoryRemoteAgents } from './memory-remote-agents.ts';
import { noOutgoing } from './no-remotes.ts';
import { notingRemotes } from './noting-remotes.ts';
import { NotRecorded } from './recording.ts';
import type { ScriptedRemote } from './scripted-remote.ts';
import { type Completed, problemsOf } from './invariants.ts';
import { Operator } from './operator.ts';
import type { SeenTask } from './seen-task.ts';
import type { ScriptedToolServer } from './scripted-tool-server.ts';
import { seededIds } from './seeded-ids.ts';
import { taskFacts } from './rows.ts';
import { VirtualClock } from './virtual-clock.ts';

/** What a world is made of. */
export interface WorldOptions {
  /** The agents that it serves. The first is the one that callers reach who name none. */
  readonly agents: readonly DefinedAgent[];
  /** Models in the place of those that agents declare, by the names of the agents. */
  readonly models?: Readonly<Record<string, Model>>;
  /** Remote agents by the names that agents declare them by. One that is not here is away. */
  readonly remotes?: Readonly<Record<string, ScriptedRemote>>;
  /** Servers of tools by the names that agents declare them by. One that is not here is away. */
  readonly mcp?: Readonly<Record<string, ScriptedToolServer>>;
  /** When its clock starts. Default: 15 January 2027, 08:00 UTC. */
  readonly clock?: Date | number;
  /** Of its ids and keys: the same seed, the same ids. Default: 1. */
  readonly seed?: number;
  /** Numbers that are other than the defaults (docs/configuration.md). */
  readonly settings?: Partial<Settings>;
}

/** An event that a server would have logged. */
export interface LogLine {
  readonly level: string;
  readonly event: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Few tasks need no more, and a world looks at each range. */
const SETTINGS: Settings = { ...defaults, shards: 1 };

/**
 * Agents as a server runs them, in this process: rows, queue, sweeper, callers and operators, over
 * memory and on a clock that only the test moves. It is itself a caller, called `caller`.
 */
export class World extends Caller {
  /** An operator with every right. */
  readonly operator: Operator;
  /** Each time that a tool or a step began, in their order. */
  readonly effects: readonly Effect[];
  readonly log: readonly LogLine[];
  /** What agents, tools, steps and models threw, in its order: callers see no word of it. */
  readonly thrown: readonly Thrown[];
  readonly #completed: ReadonlyMap<string, Completed>;
  readonly #engine: Engine;
  readonly #as: (owner: string) => Caller;

  /** @internal */
  constructor(options: WorldOptions) {
    const made = engineOf(options);
    const { completed, effects, engine, ids, log, names, thrown } = made;
    super({ engine, ids, agents: names, owner: 'caller' });
    this.operator = new Operator(engine, ids, 'operator');
    this.effects = effects;
    this.log = log;
    this.thrown = thrown;
    this.#completed = completed;
    this.#engine = engine;
    this.#as = (owner) => new Caller({ engine, ids, agents: names, owner });
  }

  /** The tools and steps that ran more than once for the same call, as far as time has come. */
  get repeated(): readonly Repeated[] {
    return repeatedIn(this.effects);
  }

  /** Another caller, who sees its own tasks alone. */
  as(name: string): Caller {
    return this.#as(name);
  }

  /** The time in this world. */
  now(): Date {
    return new Date(this.#engine.clock.now());
  }

  /**
   * Lets time pass, `3 d`, `90 s` or milliseconds: what falls due on the way happens at its time.
   */
  advance(span: string | number): Promise<void> {
    return this.#engine.advance(durationOf(span, 'advance'));
  }

  /**
   * Lets time pass, from one due thing to the next, until the task has ended or waits for a person,
   * or nothing is due any more.
   */
  async settled(taskId: string): Promise<SeenTask> {
    await this.#engine.until(() => {
      const run = taskFacts(this.#engine.backend, taskId);
      if (run === undefined) return true;
      return (isEnded(run) || waitsForPerson(run)) && run.projectedRevision === run.revision;
    });
    return this.get(taskId);
  }

  /** How many commits were made so far. */
  get commits(): number {
    return this.#engine.commits;
  }

  /**
   * The process is lost at that commit from now on, 1 for the next, `before` it counts or right
   * after. Another one takes over what it left, when its leases have lapsed: time passes for that.
   */
  crashAt(commit: number, when: 'before' | 'after' = 'after'): void {
    this.#engine.loseAt(commit, when);
  }

  /**
   * Nothing runs for so long, as when a machine is off: what falls due meanwhile happens late, when
   * another process has taken over, and ticks of schedules are missed.
   */
  outage(span: string | number): Promise<void> {
    return this.#engine.away(durationOf(span, 'outage'));
  }

  /**
   * What does not hold, in words; empty if all does: each completed task has its result, no tool or
   * step ran twice that must not, and nothing is left waiting for no one.
   */
  problems(): Promise<readonly string[]> {
    const { backend } = this.#engine;
    const { effects } = this;
    const completed = this.#completed;
    return this.#engine.ask((host) => problemsOf({ host, backend, effects, completed }));
  }

  /**
   * What would become of each open task with other agents, as `holdfast check-upgrade` says it:
   * what is recorded is replayed against their code, and nothing of them runs.
   */
  checkUpgrade(agents: readonly DefinedAgent[]): Promise<readonly CheckedTask[]> {
    return this.#engine.ask(({ app }) => checkUpgrade(app, agents));
  }

  /** Ends the world. Throws an Error with all that does not hold (see `problems`). */
  async close(): Promise<void> {
    await this.#engine.rest();
    const problems = await this.problems();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  }

  /** A place in an agent's code where the test holds it. */
  gate(): Gate {
    return new Gate(this.#engine);
  }
}

/**
 * A world of these agents. Everything in it happens in this process, at once, and in the same way
 * each time; only what agents do of their own accord reaches further.
 *
 * @example
 * const world = createWorld({ agents: [greeter] });
 * const task = await world.send('Ada');
 * assert.equal(task.state, 'COMPLETED');
 */
export function createWorld(options: WorldOptions): World {
  return new World(options);
}

const EIGHT = Date.UTC(2027, 0, 15, 8);

function engineOf(options: WorldOptions) {
  const { agents, clock: start = EIGHT, mcp = {}, models = {}, remotes = {} } = options;
  const { seed = 1, settings } = options;
  const effects: Effect[] = [];
  const completed = new Map<string, Completed>();
  const log: LogLine[] = [];
  const thrown: Thrown[] = [];
  const clock = new VirtualClock(Number(start));
  const ids = seededIds(seed);
  const backend = new MemoryBackend();
  const blobs = new MemoryBlobs(clock);
  const served = agents.map((agent) => modelled(agent, models));
  const names = served.map(({ name }) => name);
  for (const name of Object.keys(models))
    if (!names.some((each) => each === name)) throw new TypeError(`models: no agent ${name}`);
  const declared = served.flatMap((agent) => (agent.remotes ?? []).map(({ name }) => name));
  for (const [name, remote] of Object.entries(remotes)) {
    if (!declared.includes(name)) throw new TypeError(`remotes: no agent declares ${name}`);
    remote.joins(clock);
  }
  const below = new MemoryRemoteAgents(new Map(Object.entries(remotes)));
  const engine = new Engine({
    clock,
    backend,
    ports: {
      backend,
      blobs,
      workspaces: new MemoryWorkspaces(() => clock.now(), blobs),
      clock,
      ids,
      settings: { ...SETTINGS, ...settings },
      sealer: memorySealer(ids),
      redactor,
      remotes: notingRemotes(below, backend, (effect) => void effects.push(effect)),
      outgoing: noOutgoing,
      toolServers: toolServersOf(mcp),
      grants: { allows: (subject) => Promise.resolve(subject === 'operator') },
      log: { write: (level, event, fields = {}) => void log.push({ level, event, fields }) },
    },
    agents(isAlive) {
      // What a lost process leaves running in this one is none of the world's.
      const watch: Watch = {
        effect: (effect) => void (isAlive() && effects.push(effect)),
        problem(problem) {
          if (!isAlive()) return;
          thrown.push(problem);
          if (problem.error instanceof NotRecorded) engine.fail(problem.error);
        },
        completed: (taskId, words, artifactIds) =>
          void (isAlive() && completed.set(taskId, { words, artifactIds })),
      };
      const watching = new Map<AgentName, DefinedAgent>(
        served.map((agent) => [agent.name, watched(agent, watch)]),
      );
      return { get: (name) => watching.get(name), all: [...watching.values()] };
    },
    policies: {
      idempotency: 'authenticated',
      // As `npm start` has them: a run that failed can be tried again from its last good step.
      installation: { answer: 'metadata', audit: 'full' },
    },
  });
  return { completed, effects, engine, ids, log, names, thrown };
}

function modelled(agent: DefinedAgent, models: Readonly<Record<string, Model>>): DefinedAgent {
  const model = models[agent.name];
  if (model === undefined) return agent;
  if (agent.withModel !== undefined) return agent.withModel(model);
  throw new TypeError(`models: ${agent.name} is no agent with a model`);
}

function toolServersOf(mcp: Readonly<Record<string, ScriptedToolServer>>): ToolServers {
  const reason = 'the world has no such server';
  return {
    list: async ({ name }) => mcp[name]?.list() ?? { kind: 'away', reason },
    call: async (server, ...given) =>
      mcp[server.name]?.call(server, ...given) ?? { kind: 'not_sent', reason },
    close: () => Promise.resolve(),
  };
}

/** The one that servers use; it is loaded where something is to be redacted. */
const redactor: Redactor = {
  async redact(...given) {
    const { createPatternRedactor } = await import('../shared/redaction/pattern-redactor.ts');
    return createPatternRedactor().redact(...given);
  },
};
