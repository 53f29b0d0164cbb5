import type { Misfit } from '../../domain/blocked.ts';
import type { Course } from './course.ts';
import { idOf, type Operation, type OperationKind, type Recorded } from './recorded.ts';

/** Two operations of one branch at once: their order would be chance. */
export class StepsAtOnce extends Error {
  constructor(name: string) {
    super(
      `${JSON.stringify(name)} begins while another operation of the same branch is at work: await that first, or take ctx.all`,
    );
    this.name = 'StepsAtOnce';
  }
}

/** One branch of the function: its operations one after another, by their positions. */
export class Scope {
  /** Of the branch: the positions of those that it is in. */
  readonly path: readonly number[];
  readonly #course: Course;
  #position = 0;
  #shown: number;
  #busy = false;

  /** `shown`: how much the branch that it comes from has shown. */
  constructor(course: Course, path: readonly number[] = [], shown = 0) {
    this.#course = course;
    this.path = path;
    this.#shown = shown;
  }

  /** The place of the next operation. Throws StepsAtOnce. */
  begin(kind: OperationKind, name: string): Operation {
    return { path: this.#next(name), kind, name, shown: this.#shown };
  }

  /** The next branches, or what is recorded in their place. Throws StepsAtOnce. */
  fork(count: number): readonly Scope[] | Misfit {
    const path = this.#next('all');
    const found = this.#course.at(idOf(path));
    if (found !== undefined) return { at: idOf(path), recorded: wordsOf(found), now: 'all' };
    const from = this.#shown;
    return Array.from(
      { length: count },
      (_, at) => new Scope(this.#course, [...path, at + 1], from),
    );
  }

  /** Throws where an operation is still at work when its branch ends. */
  requireIdle(): void {
    if (this.#busy)
      throw new TypeError('an operation is still at work as its branch ends: await it');
  }

  /** The operation is over, and the function goes on. */
  end(): void {
    this.#busy = false;
  }

  /** What is recorded of an operation; undefined: nothing yet. */
  recorded({ kind, name, path }: Operation): Recorded | Misfit | undefined {
    const at = idOf(path);
    const found = this.#course.at(at);
    const now = wordsOf({ kind, name });
    if (found !== undefined)
      return found.kind === kind && found.name === name
        ? found
        : { at, recorded: wordsOf(found), now };
    return this.#course.below(path) === undefined ? undefined : { at, recorded: 'all', now };
  }

  /** The operation that is recorded under this name asked for something else. */
  changed({ kind, name, path }: Operation): Misfit {
    const now = wordsOf({ kind, name });
    return { at: idOf(path), recorded: now, now };
  }

  /** An operation that is recorded, and that the function did not come to. */
  left(): Misfit | undefined {
    const path = this.#after();
    const found = this.#course.at(idOf(path));
    if (found !== undefined) return { at: idOf(path), recorded: wordsOf(found), now: '' };
    const below = this.#course.below(path);
    return below && { at: idOf(path), recorded: 'all', now: '' };
  }

  /**
   * The number of what is shown next, and whether it was shown before: what was shown before an
   * operation is committed with it.
   */
  show(): { readonly number: number; readonly again: boolean } {
    this.#shown += 1;
    const path = this.#after();
    const next = this.#course.at(idOf(path)) ?? this.#course.below(path);
    return { number: this.#shown, again: next !== undefined && next.shown >= this.#shown };
  }

  #after(): readonly number[] {
    return [...this.path, this.#position + 1];
  }

  #next(name: string): readonly number[] {
    if (this.#busy) throw new StepsAtOnce(name);
    this.#busy = true;
    this.#position += 1;
    return [...this.path, this.#position];
  }
}

export function isMisfit(found: Recorded | Misfit | undefined): found is Misfit {
  return found !== undefined && 'now' in found;
}

const NAMED: ReadonlySet<string> = new Set(['step', 'approve', 'call', 'event']);
const wordsOf = ({ kind, name }: Pick<Recorded, 'kind' | 'name'>) =>
  NAMED.has(kind) ? `${kind} ${name}` : kind;
