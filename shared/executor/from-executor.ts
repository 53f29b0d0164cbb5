import type { AgentExecutor } from '@a2a-js/sdk/server';
import {
  declaredAgent,
  type DefinedAgent,
  type SharedDeclaration,
} from '../agent/declared-agent.ts';
import { thrownEnding } from '../agent/endings.ts';
import type { Ending, SegmentPorts } from '../app/agents.ts';
import { SegmentBus } from './event-bus.ts';
import { type CallContextOf, plainCallContext, requestContextOf } from './request-context.ts';
import { SegmentEvents } from './segment-events.ts';

/** What the agent of an executor says about itself: card fields, and what may be kept. */
export interface ExecutorDeclaration extends Omit<SharedDeclaration, 'files'> {
  /** Makes `requestContext.context`, for an executor that expects more than the plain one. */
  readonly callContext?: CallContextOf;
}

/**
 * Makes an agent of an executor of the SDK (`@a2a-js/sdk`), which stays as it is. Throws TypeError
 * that lists everything that is wrong with the declaration.
 *
 * @example
 * export default fromExecutor(new MyExecutor(), {
 *   name: 'mine',
 *   description: 'Does what it did before.',
 * });
 */
export function fromExecutor(
  executor: AgentExecutor,
  declaration: ExecutorDeclaration,
): DefinedAgent {
  const { callContext = plainCallContext } = declaration;
  const fits = (['execute', 'cancelTask'] as const).every(
    (name) => typeof executor[name] === 'function',
  );
  const problems = fits ? [] : ['The executor must have the functions execute and cancelTask.'];
  return declaredAgent(declaration, problems, () => ({
    run: (segment) => runExecutor(executor, segment, callContext),
  }));
}

async function runExecutor(
  executor: AgentExecutor,
  segment: SegmentPorts,
  callContextOf: CallContextOf,
): Promise<Ending> {
  const before = await segment.before();
  const context = await requestContextOf(segment, before, callContextOf);
  const events = new SegmentEvents(segment, before);
  const bus = new SegmentBus(events);
  const stop = (): void => {
    events.abandon();
    if (isCalledOff(segment)) void cancelled(executor, segment, bus);
  };
  segment.signal.addEventListener('abort', stop, { once: true });
  try {
    if (segment.signal.aborted) return { kind: 'yielded' };
    void executed(executor.execute.bind(executor, context, bus), segment, events);
    const ending = await events.ending;
    await events.settled();
    return ending;
  } finally {
    segment.signal.removeEventListener('abort', stop);
  }
}

/** The task is over; a segment that only its worker lost is run again by another. */
function isCalledOff({ signal }: SegmentPorts): boolean {
  return ['cancelled', 'deadline'].includes(String(signal.reason));
}

/** Never rejects: how it came out is the events' ending. */
async function executed(
  execute: () => Promise<void>,
  segment: SegmentPorts,
  events: SegmentEvents,
): Promise<void> {
  try {
    await execute();
    events.finished();
  } catch (error) {
    const ending = thrownEnding(error);
    if (events.over && !events.abandoned)
      segment.warn('executor failed after the end', { fault: nameOf(error) });
    else if (ending !== undefined) events.end(ending);
    else events.throw(error);
  }
  if (events.dropped > 0 && !events.abandoned)
    segment.warn('executor published after the end', { events: events.dropped });
}

async function cancelled(
  executor: AgentExecutor,
  segment: SegmentPorts,
  bus: SegmentBus,
): Promise<void> {
  try {
    await executor.cancelTask(segment.taskId, bus);
  } catch (error) {
    segment.warn('executor not cancelled', { fault: nameOf(error) });
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');
