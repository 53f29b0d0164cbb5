import type { SegmentPorts } from '../app/agents.ts';
import type { Transcript } from '../app/transcript.ts';
import type { TaskSpan } from '../app/task-span.ts';
import type {
  Answer,
  Answers,
  Asked,
  Methods,
  RunMethods,
  SegmentData,
  Told,
  TranscriptState,
} from './messages.ts';
import { SentErrors } from './sent-errors.ts';

/** After these the transcript may say something else of itself. */
const OF_TRANSCRIPT: readonly string[] = ['load', 'append', 'begin', 'delegate'];

/** One segment, as the process of its agent asks for it. */
export class SegmentAnswers {
  readonly errors = new SentErrors();
  readonly #segment: SegmentPorts;
  readonly #answers: Answers<keyof RunMethods>;
  readonly #spans = new Map<number, OpenSpan>();
  #opened = 0;

  constructor(segment: SegmentPorts) {
    this.#segment = segment;
    const { transcript } = segment;
    this.#answers = {
      earlierTasks: () => segment.earlierTasks(),
      recall: (...args) => segment.recall(...args),
      taskById: (...args) => segment.taskById(...args),
      before: () => segment.before(),
      status: (...args) => segment.status(...args),
      artifact: (...args) => segment.artifact(...args),
      tighten: (...args) => segment.tighten(...args),
      load: () => transcript.load(),
      append: (...args) => transcript.append(...args),
      begin: (...args) => transcript.begin(...args),
      delegate: (...args) => transcript.delegate(...args),
      signals: (...args) => transcript.signals(...args),
      signal: (...args) => transcript.signal(...args),
      publicDigest: (...args) => transcript.publicDigest(...args),
      maySumUp: () => transcript.maySumUp(),
      openSpan: (...args) => this.#openSpan(...args),
    };
  }

  get data(): SegmentData {
    const { artifacts, attempt, caller, contextId, folder, history, message } = this.#segment;
    const { prices, request, signal, span, taskId, transcript } = this.#segment;
    const { delegates, limits, timeLeft } = transcript;
    const { traceparent } = span;
    return {
      artifacts,
      attempt,
      caller,
      contextId,
      history,
      message,
      prices,
      request,
      taskId,
      ...(folder !== undefined && { folder }),
      ...(traceparent !== undefined && { traceparent }),
      ...(signal.aborted && { aborted: { reason: reasonOf(signal) } }),
      transcript: { ...stateOf(transcript), delegates, limits, timeLeft },
    };
  }

  /** Never rejects. */
  async answer(
    asked: Asked<keyof RunMethods>,
  ): Promise<{ readonly answer: Answer; readonly state?: TranscriptState }> {
    const state = OF_TRANSCRIPT.includes(asked.method);
    try {
      const value = await answerTo(this.#answers, asked);
      const { transcript } = this.#segment;
      return { answer: { value }, ...(state && { state: stateOf(transcript) }) };
    } catch (error) {
      return { answer: { error: this.errors.send(error) } };
    }
  }

  tell(told: Told): void {
    const segment = this.#segment;
    switch (told.what) {
      case 'warn':
        return segment.warn(...told.args);
      case 'measure':
        return segment.measure(...told.args);
      case 'report':
        return segment.report({ ...told.problem, error: this.errors.take(told.error) });
      case 'stray':
        return segment.stray(this.errors.take(told.error));
      case 'setSpan':
        return this.#spanOf(told.span)?.set(told.attributes);
      case 'endSpan': {
        const { error, span } = told;
        this.#spans.get(span)?.end(error && { error: this.errors.take(error) });
        return void this.#spans.delete(span);
      }
    }
  }

  /** Ends what its agent left open. */
  close(error: unknown): void {
    for (const { end } of this.#spans.values()) end({ error });
    this.#spans.clear();
  }

  #spanOf(number: number): TaskSpan | undefined {
    return number === 0 ? this.#segment.span : this.#spans.get(number)?.span;
  }

  async #openSpan(...[within, name, ...more]: Methods['openSpan']['args']) {
    const number = (this.#opened += 1);
    const opened = Promise.withResolvers<TaskSpan>();
    const ended = Promise.withResolvers<void>();
    const around = this.#spanOf(within) ?? this.#segment.span;
    const work = (span: TaskSpan): Promise<void> => {
      opened.resolve(span);
      return ended.promise;
    };
    // Its error is the agent's, which it goes to by itself.
    around.span(name, work, ...more).catch(() => undefined);
    const span = await opened.promise;
    this.#spans.set(number, {
      span,
      end: (failed) => (failed === undefined ? ended.resolve() : ended.reject(failed.error)),
    });
    const { traceparent } = span;
    return { span: number, ...(traceparent !== undefined && { traceparent }) };
  }
}

interface OpenSpan {
  readonly span: TaskSpan;
  readonly end: (failed: { readonly error: unknown } | undefined) => void;
}

export function answerTo<M extends keyof Methods>(
  answers: Answers<M>,
  { args, method }: Asked<M>,
): Promise<Methods[M]['value']> {
  return answers[method](...args);
}

function stateOf({ continuation, spent }: Transcript): TranscriptState {
  return { spent, continuation };
}

/** A word, as the segments of this process say it. */
export const reasonOf = ({ reason }: AbortSignal): unknown =>
  typeof reason === 'string' ? reason : String(reason);
