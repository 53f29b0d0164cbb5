import type { Ending, SegmentPorts } from '../../app/agents.ts';
import type { Remote } from '../../domain/remote.ts';
import type { Maybe } from '../declared-agent.ts';
import { thrownEnding } from '../endings.ts';
import { toParts, type Words } from '../parts.ts';
import { authorLine } from './author-line.ts';
import { Branches } from './branches.ts';
import { contextOf } from './context-of.ts';
import { Course } from './course.ts';
import type { EventDeclarations } from './event-declaration.ts';
import { EventInbox } from './event-inbox.ts';
import { Scope } from './scope.ts';
import type { StepsContext } from './steps-context.ts';

/** The function of an agent that works in steps. */
export type StepsFunction<E extends EventDeclarations = EventDeclarations> = (
  ctx: StepsContext<E>,
) => Maybe<Words> | Promise<Maybe<Words>>;

/** What the function may use besides its context. */
interface Declared {
  readonly remotes?: readonly Remote[] | undefined;
  readonly events?: EventDeclarations | undefined;
}

/** `true`: nothing begins, and the function stands still where something would. */
type Replay = true | undefined;

/**
 * Runs the function from its top. It comes to its end, or stands still: then the segment ends with
 * what it waits for, and nothing of the function runs any more.
 */
export async function runSteps(
  segment: SegmentPorts,
  run: StepsFunction,
  { events = {}, remotes = [] }: Declared,
  replay?: Replay,
): Promise<Ending> {
  const course = await Course.load(segment);
  const foreign = course.foreign();
  if (foreign !== undefined) return { kind: 'misfit', misfit: foreign };
  const branches = new Branches();
  // A step may take as long as half a segment.
  const margin = segment.transcript.timeLeft / 2;
  const scope = new Scope(course);
  const inbox = new EventInbox(segment.transcript, course.eventsTaken());
  const around = {
    segment,
    course,
    branches,
    remotes,
    events,
    inbox,
    margin,
    ...(replay && { replay }),
  };
  const toItsEnd = async (): Promise<Ending> => {
    const ending = await endingOf(run, contextOf(around, scope));
    if (!('thrown' in ending)) scope.requireIdle();
    const misfit = scope.left();
    if (misfit !== undefined && !('retry' in ending)) {
      const line = replay && 'thrown' in ending ? authorLine(ending.thrown) : undefined;
      return { kind: 'misfit', misfit: { ...misfit, ...(line !== undefined && { line }) } };
    }
    if ('thrown' in ending) throw ending.thrown;
    return ending.ending;
  };
  return Promise.race([toItsEnd(), branches.ended]);
}

type Ended = { readonly ending: Ending; readonly retry?: true } | { readonly thrown: unknown };

async function endingOf(run: StepsFunction, ctx: StepsContext): Promise<Ended> {
  try {
    const words = await run(ctx);
    const parts = words === undefined ? [] : toParts(words, 'result');
    return { ending: { kind: 'completed', parts } };
  } catch (thrown) {
    const ending = thrownEnding(thrown);
    if (ending === undefined) return { thrown };
    return { ending, ...(ending.kind === 'retry' && { retry: true }) };
  }
}
