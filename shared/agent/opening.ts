import type { Recalled, SegmentPorts } from '../app/agents.ts';
import type { Caller, RequestDetails } from '../domain/caller.ts';
import type { Message } from '../domain/message.ts';
import type { ScheduledAt } from '../domain/schedule.ts';
import type { Opening, Step } from '../domain/step.ts';
import type { ModelEntry } from '../models/model.ts';
import { scheduled } from './agent-context.ts';
import { type Memory, memoryEntries, remembered } from './memory.ts';

/** What a function that gives instructions goes by. */
export interface InstructionsContext {
  readonly taskId: string;
  readonly contextId: string;
  /** Whose task it is. */
  readonly caller: Caller;
  /** What came beside `message`. */
  readonly request: RequestDetails;
  /** The one that made the task. */
  readonly message: Message;
  /** The tick that made the task. Absent: a caller made it (docs/schedules.md). */
  readonly schedule?: ScheduledAt;
  readonly signal: AbortSignal;
}

export type Instructions = string | ((about: InstructionsContext) => string | Promise<string>);

/** What an agent declares of how its runs begin. */
export interface Declared {
  readonly instructions: Instructions;
  readonly memory: Memory;
}

/** The same for one run, as its model is told. */
export interface Opened {
  readonly instructions: string;
  /** Of the tasks that are shown. */
  readonly memory: readonly ModelEntry[];
  /** Their ids, of those that can be read. */
  readonly sources: readonly string[];
  /** Tasks that are to be summed up. */
  readonly older: readonly string[];
  /** There are more than all these. */
  readonly more: boolean;
  /** Tokens that remembered tasks may take. */
  readonly budget: number;
}

/** Characters of instructions. */
const INSTRUCTIONS = 1024 * 1024;

/**
 * What a run is to go by, to be committed with its first step. Undefined: nothing that is its own.
 * Throws what the author's function throws.
 */
export async function openingOf(
  segment: SegmentPorts,
  { instructions, memory }: Declared,
): Promise<Opening | undefined> {
  const told = typeof instructions === 'function' ? await ask(segment, instructions) : undefined;
  const taken = memory && remembered(await segment.recall(), memory);
  if (told === undefined && taken === undefined) return undefined;
  return { ...(told !== undefined && { instructions: told }), ...(taken && { memory: taken }) };
}

/**
 * What the run of these steps goes by. What its first step says stands, whatever the agent declares
 * by now. Throws what the author's function throws.
 */
export async function opened(
  segment: SegmentPorts,
  steps: readonly Step[],
  { instructions: declared, memory: kept }: Declared,
): Promise<Opened> {
  const first = steps.find((step) => step.kind === 'answer');
  const { instructions = declared, memory } = first?.opening ?? {};
  const { more = false, older = [], shown = [] } = memory ?? {};
  const recalled = await recall(
    segment,
    shown.map(({ taskId }) => taskId),
  );
  return {
    // A string when the run began.
    instructions:
      typeof instructions === 'function' ? await ask(segment, instructions) : instructions,
    memory: memoryEntries(shown, recalled),
    sources: recalled.tasks.map(({ taskId }) => taskId),
    older,
    more,
    budget: kept?.tokens ?? 0,
  };
}

const NOTHING: Recalled = { tasks: [], more: false };

const recall = async (segment: SegmentPorts, ids: readonly string[]): Promise<Recalled> =>
  ids.length === 0 ? NOTHING : segment.recall(ids);

async function ask(
  { caller, contextId, message, request, signal, taskId }: SegmentPorts,
  instructions: Exclude<Instructions, string>,
): Promise<string> {
  const told: unknown = await instructions({
    taskId,
    contextId,
    caller,
    request,
    message,
    ...scheduled(taskId, message),
    signal,
  });
  if (typeof told === 'string' && told.length <= INSTRUCTIONS) return told;
  throw new TypeError(`instructions must give a string of ${INSTRUCTIONS} characters at most`);
}
