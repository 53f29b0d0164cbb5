import type { Idempotency } from '../../shared/app/app.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import type { Millis } from '../../shared/domain/brand.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import type { Ids } from '../../shared/ports/ids.ts';
import { MemoryBackend } from '../../testing/memory-backend.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { MemoryWorkspaces } from '../../testing/memory-workspaces.ts';
import { memorySealer } from '../../testing/memory-sealer.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import type { FaultPlan } from './faults.ts';
import { commitProblem } from './invariants/at-commit.ts';
import { atRest } from './invariants/at-rest.ts';
import { witnessOf } from './invariants/outside.ts';
import type { Network } from './line.ts';
import { Hooks } from './hooks.ts';
import { Process } from './process.ts';
import type { Services } from './process-ports.ts';
import { Record } from './record.ts';
import { RemoteWorld } from './remote-world.ts';
import { simulated } from './simulated-settings.ts';
import { type QueueManners, UnreliableQueue } from './unreliable-queue.ts';

export interface WorldOptions {
  readonly seed: number;
  readonly plan: FaultPlan;
  readonly processes: number;
  readonly queue: QueueManners;
  /** How slow a call may be. */
  readonly slow: Millis;
  /** Chance that a client misses an answer and asks again. */
  readonly missed: number;
  /** How far the clock of each process may be off. */
  readonly skew: Millis;
  readonly idempotency: Idempotency;
  /**
   * How many first segments each process runs of what it accepts itself; 0: it accepts for the
   * queue.
   */
  readonly lane: number;
  /** Two targets are told what waits and fails. */
  readonly notices?: boolean;
  /** An agent has a schedule. */
  readonly ticks?: boolean;
  /** Puts a known bug before the database. */
  readonly spoil?: (backend: Backend) => Backend;
  /** A sweeper that never comes, to show that it is needed. */
  readonly sweepless?: boolean;
  readonly trace?: (line: string) => void;
}

/** Long enough for every run to end, whatever was in its way. */
const LIMIT: Millis = 60_000;
const STEP: Millis = 40;

/** Processes, their services and all that goes wrong, moved by one virtual clock and one seed. */
export class World {
  readonly options: WorldOptions;
  readonly settings: Settings = simulated;
  readonly clock = new VirtualClock();
  /**
   * Decides what happens when; the ids have a source of their own, so that neither disturbs the
   * other.
   */
  readonly chance: Ids;
  readonly ids: Ids;
  readonly record = new Record();
  readonly blobs = new MemoryBlobs(this.clock);
  readonly workspaces: MemoryWorkspaces;
  readonly backend: MemoryBackend;
  readonly services: Services;
  readonly network: Network;
  readonly queue: UnreliableQueue;
  readonly outside: RemoteWorld;
  readonly hooks = new Hooks();
  /** Who may do everything that an operator can be allowed to. */
  readonly operators = new Set<string>();
  /** The story was told, every run was at rest and nothing was on its way. */
  cameToRest = false;
  #processes: Process[] = [];
  #born = 0;

  constructor(options: WorldOptions) {
    this.options = options;
    this.chance = seededIds(options.seed);
    this.ids = seededIds(options.seed ^ 0x5f5f5f);
    const { clock, chance } = this;
    this.workspaces = new MemoryWorkspaces(() => clock.now(), this.blobs);
    this.network = {
      clock,
      chance,
      plan: options.plan,
      slow: options.slow,
      calls: 0,
      outages: new Map(),
      current: undefined,
      trace: (line) => options.trace?.(`${this.elapsed.toFixed(1)} ${line}`),
    };
    this.backend = new MemoryBackend((changes) => {
      const commit = { at: this.record.moment(), changes, by: this.network.current };
      for (const { path, after } of changes) this.#traceChange(path, after?.fields);
      this.record.commits.push(commit);
      const problem = commitProblem(commit, this.backend);
      if (problem !== undefined) this.record.complaints.push(problem);
    });
    this.queue = new UnreliableQueue(clock, chance, options.queue, (wakeUp, owner) =>
      this.#worker(owner)?.handle(wakeUp),
    );
    this.outside = new RemoteWorld(clock, witnessOf(this));
    this.services = {
      backend: options.spoil?.(this.backend) ?? this.backend,
      blobs: this.blobs,
      workspaces: this.workspaces,
      sealer: memorySealer(this.ids),
      queue: (process) => this.queue.of(process),
      outside: this.outside,
      hooks: this.hooks,
      grants: { allows: (subject) => Promise.resolve(this.operators.has(subject)) },
      ids: this.ids,
      log: {
        write: (level, event, fields) =>
          this.network.trace(`   ${level} ${event} ${JSON.stringify(fields)}`),
      },
      settings: this.settings,
    };
    for (let n = 0; n < options.processes; n += 1) this.#boot();
  }

  get elapsed(): Millis {
    return this.clock.now() - 1_800_000_000_000;
  }

  /** Some process that is alive, as a load balancer picks one. */
  anyProcess(): Process | undefined {
    return this.#processes[Math.floor(this.chance.random() * this.#processes.length)];
  }

  get processes(): readonly Process[] {
    return this.#processes;
  }

  /**
   * Lets time pass until the story is told and everything is at rest, or until it is clear that it
   * will never be.
   */
  async run(story: Promise<void>): Promise<void> {
    let told = false;
    story.then(
      () => {
        told = true;
      },
      (error: unknown) => {
        told = true;
        this.record.complaints.push(
          `story: ${error instanceof Error ? (error.stack ?? '') : 'failed'}`,
        );
      },
    );
    const rests = (): boolean => told && this.queue.open === 0 && atRest(this);
    while (this.elapsed < LIMIT && this.record.complaints.length === 0 && !this.cameToRest) {
      await this.clock.advance(STEP);
      if (!rests()) continue;
      // What is still under way has this long to show itself; a late write may be new work.
      await this.clock.advance(2 * STEP);
      this.cameToRest = rests();
    }
  }

  #boot(): void {
    this.#born += 1;
    const { skew, idempotency, lane, notices = false, ticks = false } = this.options;
    const off = skew === 0 ? 0 : Math.round((this.chance.random() - 0.5) * 2 * skew);
    const manners = { skew: off, idempotency, lane, notices, ticks };
    const process = new Process(this.#born, this.network, this.services, manners, (dead) => {
      this.#processes = this.#processes.filter((each) => each !== dead);
      this.clock.after(60 + this.chance.random() * 300, () => this.#boot());
    });
    this.#processes.push(process);
    if (!this.options.sweepless) void process.sweepAlways();
  }

  /** An in-process queue reaches its own process only, a queue service any. */
  #worker(owner: number): Process | undefined {
    if (this.options.queue.durable) return this.anyProcess();
    return this.#processes.find(({ id }) => id === owner);
  }

  #traceChange(path: string, fields: { readonly [key: string]: unknown } | undefined): void {
    if (this.options.trace === undefined) return;
    const names = [
      'status',
      'state',
      'revision',
      'projectedRevision',
      'fence',
      'attempts',
      'lastSeq',
      'toSeq',
      'activeTask',
      'dueAt',
      'steps',
      'pauseGeneration',
      'effect',
      'cancelledAt',
      'resolution',
    ];
    const shown = names.flatMap((name) =>
      fields?.[name] === undefined ? [] : [`${name}=${JSON.stringify(fields[name])}`],
    );
    this.network.trace(`   ${path} ${shown.join(' ')} by ${this.network.current?.name ?? '?'}`);
  }
}
