import type { SegmentPorts } from '../app/agents.ts';
import type { Transcript } from '../app/transcript.ts';
import type { TaskSpan } from '../app/task-span.ts';
import type { Clock } from '../ports/clock.ts';
import type { ToolServers } from '../ports/tool-servers.ts';
import type { Methods, RunMethods, SegmentData, Told, TranscriptState } from './messages.ts';
import type { SentErrors } from './sent-errors.ts';

/** The way from an agent to the segment that runs it in another process. */
export interface ToSegment {
  /** Rejects with what the segment throws. */
  ask<M extends keyof RunMethods>(
    method: M,
    ...args: Methods[M]['args']
  ): Promise<Methods[M]['value']>;
  tell(told: Told): void;
  readonly errors: SentErrors;
  readonly signal: AbortSignal;
  /** As it was told last. */
  readonly state: () => TranscriptState;
  readonly clock: Clock;
  readonly toolServers: ToolServers;
}

/** What a segment offers, in the process of its agent. */
export function isolatedSegment(
  { aborted: _, traceparent, transcript, ...data }: SegmentData,
  to: ToSegment,
): SegmentPorts {
  const { clock, toolServers } = to;
  return {
    ...data,
    signal: to.signal,
    earlierTasks: () => to.ask('earlierTasks'),
    recall: (...args) => to.ask('recall', ...args),
    taskById: (...args) => to.ask('taskById', ...args),
    before: () => to.ask('before'),
    status: (...args) => to.ask('status', ...args),
    artifact: (...args) => to.ask('artifact', ...args),
    tighten: (...args) => to.ask('tighten', ...args),
    now: () => clock.now(),
    after: (wait, callback) => clock.after(wait, callback),
    warn: (...args) => to.tell({ what: 'warn', args }),
    measure: (...args) => to.tell({ what: 'measure', args }),
    report: ({ error, ...problem }) =>
      to.tell({ what: 'report', problem, error: to.errors.send(error) }),
    stray: (error) => to.tell({ what: 'stray', error: to.errors.send(error) }),
    toolServers,
    span: traceparent === undefined ? noSpan : spanOf(to, 0, traceparent),
    transcript: transcriptOf(transcript, to),
  };
}

function transcriptOf(
  { delegates, limits, timeLeft }: SegmentData['transcript'],
  to: ToSegment,
): Transcript {
  const { clock } = to;
  const until = clock.now() + timeLeft;
  return {
    load: () => to.ask('load'),
    append: (...args) => to.ask('append', ...args),
    begin: (...args) => to.ask('begin', ...args),
    delegate: (...args) => to.ask('delegate', ...args),
    signals: (...args) => to.ask('signals', ...args),
    signal: (...args) => to.ask('signal', ...args),
    publicDigest: (...args) => to.ask('publicDigest', ...args),
    maySumUp: () => to.ask('maySumUp'),
    delegates,
    limits,
    get spent() {
      return to.state().spent;
    },
    get continuation() {
      return to.state().continuation;
    },
    get timeLeft() {
      return until - clock.now();
    },
  };
}

/** Where nothing is traced. */
const noSpan: TaskSpan = { set: () => undefined, span: async (_name, work) => work(noSpan) };

function spanOf(to: ToSegment, span: number, traceparent: string | undefined): TaskSpan {
  return {
    ...(traceparent !== undefined && { traceparent }),
    set: (attributes) => to.tell({ what: 'setSpan', span, attributes }),
    async span(name, work, ...more) {
      const inner = await to.ask('openSpan', span, name, ...more);
      try {
        const result = await work(spanOf(to, inner.span, inner.traceparent));
        to.tell({ what: 'endSpan', span: inner.span });
        return result;
      } catch (error) {
        to.tell({ what: 'endSpan', span: inner.span, error: to.errors.send(error) });
        throw error;
      }
    },
  };
}
