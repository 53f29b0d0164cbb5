import type { App } from '../shared/app/app.ts';
import { handleWakeUp } from '../shared/app/worker/handle-wake-up.ts';
import { sweep } from '../shared/app/worker/sweep.ts';
import type { Millis } from '../shared/domain/brand.ts';
import { dueNow } from '../shared/domain/obligations.ts';
import { isEnded, waitsForPerson } from '../shared/domain/run.ts';
import type { WakeUp } from '../shared/ports/queue.ts';
import { Host, type HostOptions } from './host.ts';
import type { MemoryBackend } from './memory-backend.ts';
import { allRuns } from './rows.ts';
import { settled, type VirtualClock } from './virtual-clock.ts';

/** So many turns of the event loop in which nothing happens are enough to say that nothing will. */
const QUIET = 20;
const AGAIN: Millis = 1_000;
/** A world that goes on for longer does not come to rest. */
const MOST = 100_000;

export interface EngineOptions extends Omit<HostOptions, 'enqueue'> {
  readonly clock: VirtualClock;
  readonly backend: MemoryBackend;
}

/**
 * Lets a world go on: delivers what is due, sweeps where rows are overdue, moves the clock from one
 * due thing to the next, and puts another process in the place of one that was lost.
 */
export class Engine {
  readonly clock: VirtualClock;
  readonly backend: MemoryBackend;
  readonly #options: EngineOptions;
  readonly #queue: WakeUp[] = [];
  readonly #deliveries = new Set<Promise<void>>();
  #host: Host;
  #swept: Millis = Number.NEGATIVE_INFINITY;
  #held = 0;
  #losses = 0;
  #failed: Error | undefined;
  #commits = 0;

  constructor(options: EngineOptions) {
    this.#options = options;
    this.clock = options.clock;
    this.backend = options.backend;
    this.#host = this.#boot(options);
  }

  /** Of the process that is there now. */
  get app(): App {
    return this.#host.app;
  }

  /** How many commits its processes have made. */
  get commits(): number {
    return this.#commits + this.#host.breaking.calls;
  }

  /** How many of its processes were lost. */
  get losses(): number {
    return this.#losses;
  }

  /** The process is lost at that commit from now on, 1 for the next. */
  loseAt(commit: number, when: 'before' | 'after'): void {
    const { breaking } = this.#host;
    breaking.breakAt(breaking.calls + commit, `crash-${when}`);
  }

  /** Does a call; when its process is lost over it, the next one is asked the same. */
  async ask<T>(call: (host: Host) => Promise<T>): Promise<T> {
    for (;;) {
      const host = this.#host;
      const answer = await Promise.race([call(host), host.died]);
      if (answer !== 'lost') return answer;
      await this.#replace(host);
    }
  }

  /** What is awaited is the test's to end: the world does not wait for it meanwhile. */
  async hold<T>(until: Promise<T>): Promise<T> {
    this.#held += 1;
    try {
      return await until;
    } finally {
      this.#held -= 1;
    }
  }

  /** The call that waits for the world throws this: it can't go on as it is meant to. */
  fail(error: Error): void {
    this.#failed ??= error;
  }

  /** Lets everything happen that is due now. */
  async rest(): Promise<void> {
    await this.#quiet();
    const failed = this.#failed;
    this.#failed = undefined;
    if (failed !== undefined) throw failed;
    while (!this.#host.alive) {
      await this.#replace(this.#host);
      await this.#quiet();
    }
  }

  /** Lets time pass, and everything happen that falls due on the way, each at its time. */
  async advance(span: Millis): Promise<void> {
    const until = this.clock.now() + span;
    await this.rest();
    for (let next = this.#next(); next <= until; next = this.#next()) await this.#to(next);
    await this.#to(until);
  }

  /** Lets time pass without a process; then another one takes up what is left, and is due. */
  async away(span: Millis): Promise<void> {
    await this.rest();
    const lost = this.#host;
    lost.breaking.lose();
    await this.clock.advance(span);
    await this.#replace(lost);
    await this.advance(0);
  }

  /** Lets time pass until that is so, or nothing is due any more. Throws where that has no end. */
  async until(done: () => boolean): Promise<void> {
    await this.rest();
    for (let steps = 0; !done(); steps += 1) {
      const next = this.#next();
      if (!Number.isFinite(next)) return;
      if (steps === MOST) throw new Error(`the world does not come to rest: ${this.#open()}`);
      await this.#to(next);
    }
  }

  /** Nothing is under way in a process, and no wake-up waits for its time. */
  get idle(): boolean {
    return this.#deliveries.size === 0 && this.#queue.length === 0;
  }

  #boot(options: EngineOptions): Host {
    return new Host({ ...options, enqueue: (wakeUp) => void this.#queue.push(wakeUp) });
  }

  /**
   * A new process, and time until what the other one left is taken over: its claims hold until
   * their leases lapse.
   */
  async #replace(lost: Host): Promise<void> {
    if (this.#host !== lost) return;
    this.#losses += 1;
    this.#commits += lost.breaking.calls;
    this.#deliveries.clear();
    this.#host = this.#boot(this.#options);
    const claims = new Map(allRuns(this.backend).map(({ fence, taskId }) => [taskId, fence]));
    await this.#quiet();
    const left = (): boolean =>
      allRuns(this.backend).some(
        (run) =>
          (run.status === 'running' && claims.get(run.taskId) === run.fence) ||
          dueNow(run, this.clock.now()).length > 0,
      );
    for (let next = this.#next(); left() && Number.isFinite(next); next = this.#next())
      await this.#to(next);
  }

  async #to(at: Millis): Promise<void> {
    await this.clock.advance(Math.max(0, at - this.clock.now()));
    if (this.clock.now() >= this.#sweepAt()) {
      this.#swept = this.clock.now();
      const { app, died } = this.#host;
      await Promise.race([sweep(app).catch(() => 0), died]);
    }
    await this.rest();
  }

  /** When something is due next; never, if nothing is. */
  #next(): Millis {
    const queued = this.#queue.map(({ at }) => at);
    const next = Math.min(this.clock.next ?? Number.POSITIVE_INFINITY, this.#sweepAt(), ...queued);
    return Math.max(next, this.clock.now());
  }

  /** The sweeper looks after what was due a while ago and is still there. */
  #sweepAt(): Millis {
    const { sweepGrace, sweepInterval } = this.app.settings;
    const due = this.backend.all('runs').flatMap(({ fields }) => {
      const at = fields['dueAt'];
      return typeof at === 'number' ? [at + sweepGrace] : [];
    });
    const next = Math.min(Number.POSITIVE_INFINITY, ...due, ...this.#ticks());
    return Math.max(next, this.#swept + sweepInterval);
  }

  /** Ticks of schedules; of one that has no row yet, its first look. */
  #ticks(): readonly Millis[] {
    const rows = this.backend.all('schedules').map(({ fields }) => fields['nextAt']);
    const begun = this.app.agents.all?.every(({ schedule }) => schedule === undefined) ?? true;
    if (rows.length === 0) return begun ? [] : [this.clock.now()];
    return rows.flatMap((at) => (typeof at === 'number' ? [at] : []));
  }

  async #quiet(): Promise<void> {
    const host = this.#host;
    let made = host.breaking.made;
    for (let turns = 0; turns < QUIET && host.alive; turns += 1) {
      const delivered = this.#deliver(host);
      await settled();
      if (delivered || made !== host.breaking.made) turns = -1;
      made = host.breaking.made;
      // What is still at work waits for something outside of this world.
      if (turns === QUIET - 1 && this.#waits) {
        await Promise.race([...this.#deliveries, host.died]);
        turns = -1;
      }
    }
  }

  /** What is at work waits for neither the test nor the clock. */
  get #waits(): boolean {
    return this.#deliveries.size > 0 && this.#held === 0 && this.clock.sleeping === 0;
  }

  #deliver(host: Host): boolean {
    const now = this.clock.now();
    const due = this.#queue.filter(({ at }) => at <= now);
    for (const wakeUp of due) {
      this.#queue.splice(this.#queue.indexOf(wakeUp), 1);
      const delivery = handleWakeUp(host.app, wakeUp).then((delivered) => {
        this.#deliveries.delete(delivery);
        const at = this.clock.now() + AGAIN;
        if (delivered === 'again' && host.alive) this.#queue.push({ ...wakeUp, at });
      });
      this.#deliveries.add(delivery);
    }
    return due.length > 0;
  }

  #open(): string {
    const open = allRuns(this.backend).filter((run) => !isEnded(run) && !waitsForPerson(run));
    return open.map(({ agent, status, taskId }) => `${agent} ${taskId} is ${status}`).join(', ');
  }
}
