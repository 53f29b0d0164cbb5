import { performance } from 'node:perf_hooks';
import { isDeepStrictEqual } from 'node:util';
import { afterEach, expect } from 'vitest';
import type { EventStream, Frame } from './stream.ts';
import {
  isTerminal,
  nameOf,
  stateOf,
  textOf,
  type WireArtifact,
  type WireEvent,
  type WireTask,
} from './wire.ts';

interface Sight {
  readonly began: number;
  readonly ended: number;
  readonly task: WireTask;
  /** Everything that the task holds; false for rows of lists and trimmed answers. */
  readonly whole: boolean;
}

/**
 * Remembers everything that any client was shown of any task, and finds what can't be true of one
 * task (the top of the list of public reports): streams are stretches of one order, terminal is
 * terminal, what was shown stays, and the end holds all.
 */
export class Oracle {
  readonly #sights = new Map<string, Sight[]>();
  readonly #streams: EventStream[] = [];
  /**
   * A lost worker's segment begins anew, so chunks of an open artifact may be stated again from the
   * first one.
   */
  readonly #reruns: boolean;

  constructor(options: { readonly reruns?: boolean } = {}) {
    this.#reruns = options.reruns ?? false;
  }

  sawTask(task: WireTask, began: number, whole: boolean): void {
    const sights = this.#sights.get(task.id) ?? [];
    sights.push({ began, ended: performance.now(), task, whole });
    this.#sights.set(task.id, sights);
  }

  /** A row of a list, which holds no artifacts unless asked for. */
  sawState(task: WireTask, began: number): void {
    this.sawTask(task, began, false);
  }

  watch(stream: EventStream): void {
    this.#streams.push(stream);
  }

  /** The task that a stream is about. */
  idOf(stream: EventStream): string {
    const [first] = stream.frames;
    if (first === undefined) throw new Error('the stream has shown nothing yet');
    return taskIdOf(first.event);
  }

  tasks(): readonly string[] {
    return [...this.#sights.keys()];
  }

  /** Every contradiction, in words. */
  contradictions(): readonly string[] {
    const found: string[] = [];
    const journals = new Map<string, Map<number, WireEvent>>();
    for (const stream of this.#streams) found.push(...this.#stream(stream, journals));
    for (const [id, sights] of this.#sights) found.push(...this.#order(id, sights));
    for (const stream of this.#streams) {
      for (const frame of stream.frames) found.push(...this.#shown(frame));
    }
    for (const [id, journal] of journals) {
      found.push(...this.#ending(id, journal, this.#sights.get(id) ?? []));
    }
    return found;
  }

  /** Within one stream no gap and no repeat; between streams one position is one event. */
  #stream(stream: EventStream, journals: Map<string, Map<number, WireEvent>>): string[] {
    const found: string[] = [];
    let last: number | undefined;
    let terminal = false;
    for (const [at, { seq, event }] of stream.frames.entries()) {
      if (seq === undefined) continue;
      const id = taskIdOf(event);
      if (terminal) found.push(`${id}: ${nameOf(event)} after a terminal state in one stream`);
      if (last !== undefined && seq !== last + 1)
        found.push(`${id}: a stream goes from ${last} to ${seq}`);
      if ('task' in event && at > 0) found.push(`${id}: a snapshot in the middle of a stream`);
      last = seq;
      if ('task' in event) continue;
      terminal ||= 'statusUpdate' in event && isTerminal(stateOf(event.statusUpdate));
      const journal = journals.get(id) ?? new Map<number, WireEvent>();
      journals.set(id, journal);
      const known = journal.get(seq);
      if (known !== undefined && !isDeepStrictEqual(known, event))
        found.push(`${id}: two streams differ at ${seq}`);
      journal.set(seq, event);
    }
    return found;
  }

  /** A sight that began after another had ended shows at least as much. */
  #order(id: string, sights: readonly Sight[]): string[] {
    const found: string[] = [];
    const byEnd = sights.toSorted((a, b) => a.ended - b.ended);
    for (const [at, earlier] of byEnd.entries()) {
      const later = byEnd.slice(at + 1).find((sight) => sight.began >= earlier.ended);
      if (later === undefined) continue;
      const lost = this.#lost(earlier, later);
      if (lost !== undefined) found.push(`${id}: ${lost}`);
    }
    return found;
  }

  #lost(earlier: Sight, later: Sight): string | undefined {
    const was = stateOf(earlier.task);
    const is = stateOf(later.task);
    if (isTerminal(was) && is !== was) return `${was} became ${is}`;
    if (isTerminal(was) && earlier.task.status.timestamp !== later.task.status.timestamp)
      return `${was} at two times`;
    if (earlier.task.status.timestamp > later.task.status.timestamp) return 'time went backwards';
    if (was !== 'SUBMITTED' && is === 'SUBMITTED') return `${was} became SUBMITTED`;
    if (!earlier.whole || !later.whole) return undefined;
    const said = (later.task.history ?? []).map((message) => message.messageId);
    const gone = (earlier.task.history ?? []).find((message, at) => said[at] !== message.messageId);
    if (gone !== undefined) return `message ${gone.messageId} is gone, or elsewhere`;
    for (const artifact of earlier.task.artifacts ?? []) {
      const present = artifactOf(later.task, artifact.artifactId);
      if (present === undefined) return `artifact ${artifact.artifactId} is gone`;
      const grown = (textOf(present) ?? '').startsWith(textOf(artifact) ?? '');
      if (!grown && !this.#reruns) return `artifact ${artifact.artifactId} lost content`;
    }
    return undefined;
  }

  /** What a stream showed, a task that was asked for afterwards holds. */
  #shown({ event, at }: Frame): string[] {
    const id = taskIdOf(event);
    const later = (this.#sights.get(id) ?? []).filter((sight) => sight.began >= at);
    if ('artifactUpdate' in event) {
      const { artifactId } = event.artifactUpdate.artifact;
      const lacks = later.some(
        ({ whole, task }) => whole && artifactOf(task, artifactId) === undefined,
      );
      return lacks ? [`${id}: a stream showed artifact ${artifactId}, a later answer did not`] : [];
    }
    if (!('statusUpdate' in event)) return [];
    const state = stateOf(event.statusUpdate);
    const other = later.find(({ task }) => isTerminal(state) && stateOf(task) !== state);
    return other === undefined ? [] : [`${id}: ${state} in a stream, then ${stateOf(other.task)}`];
  }

  /** A terminal task holds every artifact that any stream carried, as the streams built it. */
  #ending(id: string, journal: ReadonlyMap<number, WireEvent>, sights: readonly Sight[]): string[] {
    const end = sights.findLast((sight) => sight.whole && isTerminal(stateOf(sight.task)));
    if (end === undefined) return [];
    const built = new Map<string, string>();
    const order = [...journal].toSorted(([a], [b]) => a - b);
    const complete = order.every(([seq], at) => seq === (order[0]?.[0] ?? 0) + at);
    for (const [, event] of order) {
      if (!('artifactUpdate' in event)) continue;
      const { artifact, append } = event.artifactUpdate;
      const before = append === true ? (built.get(artifact.artifactId) ?? '') : '';
      built.set(artifact.artifactId, `${before}${textOf(artifact) ?? ''}`);
    }
    return [...built].flatMap(([artifactId, text]) => {
      const present = artifactOf(end.task, artifactId);
      if (present === undefined) return [`${id}: the end lacks artifact ${artifactId}`];
      // A journal that began in the middle of an artifact holds its end only.
      const whole = textOf(present) ?? '';
      const fits = complete && (order[0]?.[0] ?? 0) <= 2 ? whole === text : whole.endsWith(text);
      return fits ? [] : [`${id}: artifact ${artifactId} differs from its stream`];
    });
  }
}

function taskIdOf(event: WireEvent): string {
  if ('task' in event) return event.task.id;
  if ('statusUpdate' in event) return event.statusUpdate.taskId;
  return 'artifactUpdate' in event ? event.artifactUpdate.taskId : '';
}

function artifactOf(task: WireTask, artifactId: string): WireArtifact | undefined {
  return task.artifacts?.find((artifact) => artifact.artifactId === artifactId);
}

/** Names of the frames, for assertions. */
export function namesOf(frames: readonly Frame[]): readonly string[] {
  return frames.map((frame) => nameOf(frame.event));
}

/** An oracle that is asked after each test. */
export function useOracle(options: { readonly reruns?: boolean } = {}): Oracle {
  const oracle = new Oracle(options);
  afterEach(() => {
    expect(oracle.contradictions()).toEqual([]);
  });
  return oracle;
}
