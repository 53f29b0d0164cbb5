import type { SegmentPorts } from '../../app/agents.ts';
import type { Misfit } from '../../domain/blocked.ts';
import { add, exceeded } from '../../domain/budget.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { Remote } from '../../domain/remote.ts';
import type { StepTold } from '../../domain/step-facts.ts';
import { TaskFailed } from '../endings.ts';
import { authorLine } from './author-line.ts';
import type { Branches } from './branches.ts';
import type { Course, Entry } from './course.ts';
import type { EventDeclarations } from './event-declaration.ts';
import type { EventInbox } from './event-inbox.ts';
import { NAME, NAME_RULE } from './names.ts';
import { type Operation, type OperationKind, type Recorded, turnOf } from './recorded.ts';
import { isMisfit, type Scope } from './scope.ts';
import { StepFailed } from './step-failed.ts';

/** What the branches of one run have in common. */
export interface Around {
  readonly segment: SegmentPorts;
  readonly course: Course;
  readonly branches: Branches;
  readonly remotes: readonly Remote[];
  readonly events: EventDeclarations;
  readonly inbox: EventInbox;
  /** A segment that has less time left begins nothing more; milliseconds. */
  readonly margin: number;
  /** The function is only compared with what is recorded: nothing of it begins. */
  readonly replay?: true;
}

/** One branch of a function that works in steps: what each of its operations goes by. */
export class Branch {
  readonly around: Around;
  readonly scope: Scope;

  constructor(around: Around, scope: Scope) {
    this.around = around;
    this.scope = scope;
  }

  /**
   * Carries out the next operation of this branch, by what is recorded of it. Throws StepsAtOnce,
   * and TypeError for a name that can't be one.
   */
  async operation<T>(
    kind: OperationKind,
    name: string,
    work: (operation: Operation, recorded: Recorded | undefined) => Promise<T>,
  ): Promise<T> {
    if (!NAME.test(name)) throw new TypeError(`${kind}(${JSON.stringify(name)}): ${NAME_RULE}`);
    const operation = { ...this.scope.begin(kind, name), ...this.asker() };
    try {
      const recorded = this.scope.recorded(operation);
      if (isMisfit(recorded)) return await this.endAsMisfit(recorded, operation);
      if (recorded?.result === undefined && recorded?.answer === undefined)
        await this.#mayBegin(operation, recorded);
      return await work(operation, recorded);
    } catch (error) {
      if (error instanceof StepFailed || error instanceof TaskFailed) throw error;
      return await this.around.branches.fail(error);
    } finally {
      this.scope.end();
    }
  }

  /** Commits what is asked for, before anything comes of it. */
  record(operation: Operation, details: JsonObject, effect: string): Promise<void> {
    return this.around.course.commit([this.asked(operation, details, effect)], 1);
  }

  asked(operation: Operation, details: JsonObject, effect: string): Entry {
    return { step: turnOf(operation, details), told: this.told(operation, effect) };
  }

  told({ name }: Operation, effect: string): StepTold {
    return { startedAt: this.around.segment.now(), calls: [{ name, effect }] };
  }

  /** Who asks, before anything is awaited; looked for where nothing else is to be done alone. */
  asker(): { readonly line?: string } {
    const line = this.around.replay && authorLine(new Error());
    return line === undefined ? {} : { line };
  }

  endAsMisfit(misfit: Misfit, { line }: { readonly line?: string } = {}): Promise<never> {
    const { branches } = this.around;
    return branches.end({
      kind: 'misfit',
      misfit: { ...misfit, ...(line !== undefined && { line }) },
    });
  }

  /** It is asked for something else under the same name: nothing of that was approved or sent. */
  async sameAsRecorded(
    operation: Operation,
    recorded: Recorded | undefined,
    details: JsonObject,
  ): Promise<void> {
    if (recorded === undefined || recorded.digest === turnOf(operation, details).digest) return;
    await this.endAsMisfit(this.scope.changed(operation), operation);
  }

  /** Another segment begins what would not be over in this one; a budget has a last operation. */
  async #mayBegin({ kind, path }: Operation, recorded: Recorded | undefined): Promise<void> {
    const { branches, course, margin, replay, segment } = this.around;
    const { limits, spent, timeLeft } = segment.transcript;
    const limit = exceeded(add(spent, { rounds: 1 }), limits);
    if (limit !== undefined) await branches.end({ kind: 'exceeded', limit });
    const begins = recorded === undefined || ACTS.has(kind);
    const over = segment.signal.aborted || (course.advanced && timeLeft < margin);
    if (!over && !(replay === true && begins)) return;
    const taken = { kind: 'ends', ending: { kind: 'yielded' } } as const;
    await branches.wait({ kind: 'now', path }, () => Promise.resolve(taken));
  }
}

/** What would do something although it is recorded that it was asked for. */
const ACTS: ReadonlySet<OperationKind> = new Set<OperationKind>(['step', 'event']);
