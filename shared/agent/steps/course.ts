import type { SegmentPorts } from '../../app/agents.ts';
import type { Misfit } from '../../domain/blocked.ts';
import { isJsonObject } from '../../domain/json.ts';
import type { Message } from '../../domain/message.ts';
import type { Result, Step } from '../../domain/step.ts';
import type { StepTold } from '../../domain/step-facts.ts';
import { type Answer, comparePaths, idOf, pathOf, type Recorded, recordedOf } from './recorded.ts';

/** A step as it is committed, with what is known of it. */
export interface Entry {
  readonly step: Step;
  readonly told?: StepTold;
}

/** One transaction. `rounds`: so many operations are new in it. */
export type Commit = (entries: readonly Entry[], rounds?: number) => Promise<void>;

/**
 * The committed steps of a run whose function works in steps, by the place of each operation in it
 * (docs/steps.md#how-a-run-goes-on). An operation is a turn of one call, and its result a step of
 * that call: so all that holds for the transcript of a model holds for this one.
 */
export class Course {
  readonly #segment: SegmentPorts;
  readonly #steps: Step[] = [];
  readonly #recorded = new Map<string, Recorded>();
  readonly #deferred: Entry[] = [];
  #last: Promise<unknown> = Promise.resolve();
  #advanced = false;

  private constructor(segment: SegmentPorts, steps: readonly Step[]) {
    this.#segment = segment;
    for (const step of steps) this.note(step);
  }

  /** What a caller has answered is taken in before anything else could come between. */
  static async load(segment: SegmentPorts): Promise<Course> {
    const { message, transcript } = segment;
    const course = new Course(segment, await transcript.load());
    const { continuation } = transcript;
    if (continuation?.kind !== 'message') return course;
    const { generation } = continuation;
    await course.commit([{ step: { kind: 'answer', generation, message } }]);
    course.#advanced = false;
    return course;
  }

  /** The message that made the task, in every segment. */
  get message(): Message {
    const [first] = this.#steps;
    return first?.kind === 'answer' ? first.message : this.#segment.message;
  }

  /** This segment has brought the run further. */
  get advanced(): boolean {
    return this.#advanced;
  }

  /** Numbers of the events that it took; a run that it is made of had others. */
  eventsTaken(): Set<number> {
    const { taskId } = this.#segment;
    const taken = this.#steps.flatMap((step) => {
      const value = step.kind === 'result' && isJsonObject(step.value) ? step.value : {};
      const { event, run } = value;
      return run === taskId && typeof event === 'number' ? [event] : [];
    });
    return new Set(taken);
  }

  /** A model's turn: when it was recorded, the agent was no function of steps. */
  foreign(): Misfit | undefined {
    const [id] = [...this.#recorded].find(([, { kind }]) => kind === '') ?? [];
    if (id === undefined) return undefined;
    return { at: id, recorded: "a model's turn", now: 'a function of steps' };
  }

  at(id: string): Recorded | undefined {
    return this.#recorded.get(id);
  }

  /** The first operation of the branches at this place. */
  below(path: readonly number[]): Recorded | undefined {
    const prefix = `${idOf(path)}.`;
    const first = [...this.#recorded].find(([id]) => id.startsWith(prefix));
    return first?.[1];
  }

  /** Taken in with the next commit: a function that comes by here again finds the same without. */
  defer(entry: Entry): void {
    this.#deferred.push(entry);
  }

  /** Before a run is paused, so that no later answer is taken for what is answered already. */
  async flush(): Promise<void> {
    if (this.#deferred.length > 0) await this.commit([]);
  }

  readonly commit: Commit = (entries, rounds) => this.alone((commit) => commit(entries, rounds));

  /**
   * As long as this is at work nothing else of this run is committed: a commit says that the step
   * which must not run twice has ended.
   */
  alone<T>(work: (commit: Commit) => Promise<T>): Promise<T> {
    const turn = this.#last.then(() => work((...given) => this.#append(...given)));
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** A step that is committed. */
  note(step: Step): void {
    this.#steps.push(step);
    if (step.kind === 'turn') {
      const [call] = step.calls;
      if (call !== undefined) this.#recorded.set(call.id, recordedOf(step, call));
    } else if (step.kind === 'result') {
      this.#amend(step.callId, { result: step });
    } else if (step.kind !== 'summary' && this.#steps.length > 1) {
      const asked = this.#asked();
      if (asked !== undefined) this.#amend(asked, { answer: step });
    }
  }

  async #append(given: readonly Entry[], rounds = 0): Promise<void> {
    const { message, transcript } = this.#segment;
    const first = this.#steps.length === 0;
    const opening: Entry = { step: { kind: 'answer', generation: 0, message } };
    const entries = [...(first ? [opening] : []), ...this.#deferred, ...given];
    await transcript.append(
      entries.map(({ step }) => step),
      { told: entries.map(({ told = {} }) => told), ...(rounds > 0 && { spend: { rounds } }) },
    );
    this.#advanced = true;
    this.#deferred.length = 0;
    for (const { step } of entries) this.note(step);
  }

  /**
   * What a run is paused for: the first, in the order of the function, of what is asked of a person
   * and has no result. It is paused when no branch can go on, so none can come before it.
   */
  #asked(): string | undefined {
    const waiting = [...this.#recorded].filter(
      ([, { kind, result }]) => ASKS.has(kind) && result === undefined,
    );
    return waiting.map(([id]) => id).toSorted((a, b) => comparePaths(pathOf(a), pathOf(b)))[0];
  }

  #amend(id: string, more: { readonly result?: Result; readonly answer?: Answer }): void {
    const before = this.#recorded.get(id);
    if (before !== undefined) this.#recorded.set(id, { ...before, ...more });
  }
}

const ASKS: ReadonlySet<string> = new Set(['approve', 'ask', 'call']);
