import type { Limits } from '../../domain/budget.ts';
import type { Millis } from '../../domain/brand.ts';
import type { Message } from '../../domain/message.ts';
import type { Task } from '../../domain/task.ts';
import type { ToolServers } from '../../ports/tool-servers.ts';
import type { SegmentPorts } from '../agents.ts';
import type { TaskSpan } from '../task-span.ts';
import type { Transcript } from '../transcript.ts';
import type { RunRecord } from './record.ts';

export interface ReplayOptions {
  readonly limits: Limits;
  readonly now: () => Millis;
  readonly earlierTasks: () => Promise<readonly Task[]>;
  /** Stands in for the folder of its files, which are not fetched. */
  readonly folder: string;
}

const reason = 'nothing is called while a run is compared';
const noServers: ToolServers = {
  list: () => Promise.resolve({ kind: 'away', reason }),
  call: () => Promise.resolve({ kind: 'not_sent', reason }),
  close: () => Promise.resolve(),
};
const noSpan: TaskSpan = { set: () => undefined, span: async (_name, work) => work(noSpan) };
const NOTHING: Message = { messageId: 'none', role: 'user', parts: [] };

/** A segment that answers from the record, and in which nothing can be done, sent or committed. */
export function replayPorts(record: RunRecord, options: ReplayOptions): SegmentPorts {
  const { caller, request, run, steps } = record;
  const { earlierTasks, folder, limits, now } = options;
  const [first] = steps;
  return {
    taskId: run.taskId,
    contextId: run.contextId,
    message: first?.kind === 'answer' ? first.message : NOTHING,
    caller,
    request,
    history: [],
    artifacts: 0,
    attempt: 1,
    signal: new AbortController().signal,
    earlierTasks,
    recall: () => Promise.resolve({ tasks: [], more: false }),
    taskById: async (id) => (await earlierTasks()).find((task) => task.taskId === id),
    before: () => Promise.resolve(undefined),
    status: () => Promise.resolve(),
    artifact: () => Promise.resolve(),
    tighten: () => Promise.resolve(),
    prices: {},
    now,
    after: () => () => undefined,
    warn: () => undefined,
    transcript: replayTranscript(record, limits),
    toolServers: noServers,
    ...(run.files && { folder }),
    span: noSpan,
    measure: () => undefined,
    report: () => undefined,
    stray: () => undefined,
  };
}

/** Without time left no wait is waited for here, whatever is left of it. */
function replayTranscript({ run, steps }: RunRecord, limits: Limits): Transcript {
  return {
    load: () => Promise.resolve(steps),
    append: () => Promise.resolve(),
    begin: () => Promise.resolve(),
    delegate: () => Promise.resolve({ kind: 'suspended' }),
    signals: () => Promise.resolve({ count: 0, signals: [] }),
    signal: () => Promise.reject(new TypeError(reason)),
    publicDigest: () => Promise.resolve(''),
    maySumUp: () => Promise.resolve(true),
    spent: run.spent,
    delegates: true,
    limits,
    continuation: undefined,
    timeLeft: 0,
  };
}
