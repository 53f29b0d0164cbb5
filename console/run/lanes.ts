import { spanWords } from '../parts/words.ts';
import type { Timeline, Trail } from '../wire.ts';
import { type Tone, toneOfSend, toneOfState } from './tones.ts';

/** From one instant to another; one without an end goes on. */
export interface Bar {
  readonly from: number;
  readonly to: number | undefined;
  readonly tone: Tone;
  readonly words: string;
  /** Drawn as an outline: nothing works then. */
  readonly hollow?: true;
}

/** One instant. */
export interface Mark {
  readonly at: number;
  readonly tone: Tone;
  readonly words: string;
}

export interface Lane {
  readonly name: string;
  readonly bars: readonly Bar[];
  readonly marks: readonly Mark[];
}

const ms = (instant: string): number => Date.parse(instant);
const msOr = (instant: string | undefined): number | undefined =>
  instant === undefined ? undefined : ms(instant);

/** A run as lanes over one axis of time: what its caller saw, and what was behind that. */
export function lanesOf(run: Timeline, trail: Trail | undefined): readonly Lane[] {
  const all: readonly Lane[] = [
    callerLane(run),
    workLane(run),
    stepLane(run, trail),
    waitLane(run),
    sendLane(run),
    peopleLane(run),
  ];
  return all.filter(({ bars, marks }) => bars.length + marks.length > 0);
}

function callerLane({ open, timeline }: Timeline): Lane {
  const last = timeline.length - 1;
  const bars = timeline.flatMap(({ at, state }, index): Bar[] => {
    const tone = toneOfState(state);
    if (index === last && !open) return [];
    return [{ from: ms(at), to: msOr(timeline[index + 1]?.at), tone, words: state }];
  });
  const end = open ? undefined : timeline[last];
  const marks =
    end === undefined ? [] : [{ at: ms(end.at), tone: toneOfState(end.state), words: end.state }];
  return { name: 'Caller saw', bars, marks };
}

function workLane({ errors, segments }: Timeline): Lane {
  const newest = segments.at(-1);
  const bars = segments.flatMap((segment): Bar[] => {
    const { claimed, committed, enqueued, fence, waited, worked } = segment;
    const queue: Bar = {
      from: ms(enqueued),
      to: ms(claimed),
      tone: 'idle',
      hollow: true,
      words: `segment ${fence} was due for ${spanWords(waited)}`,
    };
    const lost = committed === undefined && segment !== newest;
    const work: Bar = {
      from: ms(claimed),
      to: msOr(committed) ?? (lost ? ms(claimed) : undefined),
      tone: lost ? 'bad' : 'busy',
      words: workWords(fence, worked, lost),
    };
    return ms(claimed) > ms(enqueued) ? [queue, work] : [work];
  });
  const marks = errors.map(({ at, attempt, fault, where }): Mark => {
    return { at: ms(at), tone: 'bad', words: `${fault} in ${where}, attempt ${attempt}` };
  });
  return { name: 'Work', bars, marks };
}

function workWords(fence: number, worked: number | undefined, lost: boolean): string {
  if (lost) return `segment ${fence}: its worker was lost`;
  if (worked === undefined) return `segment ${fence} works`;
  return `segment ${fence} worked for ${spanWords(worked)}`;
}

function stepLane({ steps }: Timeline, trail: Trail | undefined): Lane {
  if (trail === undefined) {
    const marks = steps.map(({ at, kind, step }): Mark => {
      return { at: ms(at), tone: 'busy', words: `step ${step}: ${kind}` };
    });
    return { name: 'Steps', bars: [], marks };
  }
  const bars: Bar[] = [];
  const marks: Mark[] = [];
  for (const step of trail.steps) {
    const words = stepWords(step);
    const tone: Tone = step.error !== undefined || step.status === 'error' ? 'bad' : 'good';
    // What waits for a person or for a remote agent is drawn as a wait already.
    const works = step.kind !== 'decision' && step.effect !== 'remote';
    if (step.startedAt !== undefined && works)
      bars.push({ from: ms(step.startedAt), to: ms(step.at), tone, words });
    else marks.push({ at: ms(step.at), tone, words });
  }
  return { name: 'Steps', bars, marks };
}

/** A step in one line: what it was, of which tool or model, and how it came out. */
export function stepWords(step: Trail['steps'][number]): string {
  const { attempt, calls = [], effect, error, kind, model, n, name, status, tookMs } = step;
  const of = name ?? (kind === 'turn' ? model : undefined);
  return [
    `step ${n}: ${kind}${of === undefined ? '' : ` of ${of}`}`,
    ...(effect === undefined ? [] : [effect]),
    ...(calls.length === 0 ? [] : [`calls ${calls.map((call) => call.name ?? '?').join(', ')}`]),
    ...(attempt === undefined || attempt === 1 ? [] : [`attempt ${attempt}`]),
    ...(status === undefined ? [] : [status]),
    ...(error === undefined ? [] : [error.class]),
    ...(tookMs === undefined ? [] : [spanWords(tookMs)]),
  ].join(', ');
}

function waitLane(run: Timeline): Lane {
  const bars = run.pauses.map((pause): Bar => {
    const { at, generation, kind, resolution } = pause;
    const came = resolution === undefined ? '' : `, ${resolution}`;
    return {
      from: ms(at),
      to: endOfPause(run, pause),
      tone: kind === 'dependency' ? 'remote' : 'person',
      words: `pause ${generation}: ${kind}${came}`,
    };
  });
  return { name: 'Waits', bars: [...bars, ...openWait(run)], marks: [] };
}

/** What is waited for without a pause has no row: it is known as long as it lasts. */
function openWait({ waitsFor }: Timeline): readonly Bar[] {
  if (waitsFor === undefined || PAUSES.includes(waitsFor.kind)) return [];
  const { events = [], kind, remote, since } = waitsFor;
  const what = remote ?? events.join(', ');
  const words = what === '' ? kind : `${kind} ${what}`;
  return [
    { from: ms(since), to: undefined, tone: kind === 'circuit' ? 'remote' : 'person', words },
  ];
}

const PAUSES: readonly string[] = ['approval', 'input', 'dependency', 'unknown-send'];

/**
 * A decision ends a pause, and says nothing in it. Of one that ended otherwise (a cancel, a
 * deadline) the next thing that its caller saw tells when.
 */
function endOfPause(
  { decisions, timeline, waitsFor }: Timeline,
  { at, generation, resolvedAt }: Timeline['pauses'][number],
): number | undefined {
  if (resolvedAt !== undefined) return ms(resolvedAt);
  const waits = waitsFor !== undefined && PAUSES.includes(waitsFor.kind);
  if (waits && waitsFor.generation === generation) return undefined;
  const decided = decisions.find((each) => each.generation === generation && each.state !== 'void');
  const left = timeline.find((each) => ms(each.at) > ms(at));
  return msOr(decided?.storedAt ?? left?.at ?? at);
}

function sendLane({ sends }: Timeline): Lane {
  const bars = sends.map(({ preparedAt, remote, settledAt, state }): Bar => {
    const words = `to ${remote}: ${state}`;
    return { from: ms(preparedAt), to: msOr(settledAt), tone: toneOfSend(state), words };
  });
  return { name: 'Sends', bars, marks: [] };
}

function peopleLane({ acts, decisions, events }: Timeline): Lane {
  const delivered = events.map(({ at, by, name }): Mark => {
    return { at: ms(at), tone: 'person', words: `event ${name} by the ${by}` };
  });
  const decided = decisions.map(({ by, generation, kind, storedAt }): Mark => {
    const words = `${kind} of pause ${generation} by ${by}`;
    return { at: ms(storedAt), tone: 'person', words };
  });
  const acted = acts
    .filter(({ kind }) => !['approve', 'deny', 'input'].includes(kind))
    .map(({ at, kind, operator }): Mark => {
      return { at: ms(at), tone: 'person', words: `${kind}${operator ? ` by ${operator}` : ''}` };
    });
  return { name: 'People', bars: [], marks: [...decided, ...delivered, ...acted] };
}

/** Every instant that the axis must have. */
export function instantsOf(lanes: readonly Lane[], now: number | undefined): readonly number[] {
  return [
    ...lanes.flatMap(({ bars, marks }) => [
      ...bars.flatMap(({ from, to }) => (to === undefined ? [from] : [from, to])),
      ...marks.map(({ at }) => at),
    ]),
    ...(now === undefined ? [] : [now]),
  ];
}
