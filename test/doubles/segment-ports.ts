import type { SegmentPorts } from '../../shared/app/agents.ts';
import type { TaskSpan } from '../../shared/app/task-span.ts';
import { noToolServers } from '../../functions/no-tool-servers.ts';
import { noTranscript } from './no-transcript.ts';

/** Where nothing is traced. */
const noSpan: TaskSpan = { set: () => undefined, span: async (_name, work) => work(noSpan) };

/** A segment of an anonymous caller in which nothing was said before, and nothing is kept. */
export function segmentPorts(over: Partial<SegmentPorts> = {}): SegmentPorts {
  return {
    taskId: 'task',
    contextId: 'context',
    message: { messageId: 'm', role: 'user', parts: [] },
    caller: { owner: '', tenant: '', authenticated: false },
    request: {},
    history: [],
    attempt: 1,
    signal: new AbortController().signal,
    artifacts: 0,
    taskById: () => Promise.resolve(undefined),
    before: () => Promise.resolve(undefined),
    recall: () => Promise.resolve({ tasks: [], more: false }),
    earlierTasks: () => Promise.resolve([]),
    prices: {},
    now: () => 0,
    after: () => () => undefined,
    warn: () => undefined,
    tighten: () => Promise.resolve(),
    transcript: noTranscript,
    status: () => Promise.resolve(),
    artifact: () => Promise.resolve(),
    toolServers: noToolServers,
    span: noSpan,
    measure: () => undefined,
    report: () => undefined,
    stray: () => undefined,
    ...over,
  };
}
