import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';
import type { Signal } from '../../domain/signal.ts';
import { issuesOf } from '../issues.ts';
import type { Branch } from './branch.ts';
import { durationOf, YEAR } from './duration.ts';
import type { EventDeclaration, EventDeclarations } from './event-declaration.ts';
import { idOf, resultOf } from './recorded.ts';
import { StepFailed } from './step-failed.ts';
import type { EventOptions } from './steps-context.ts';

/**
 * Takes the next event of that name, or waits for it without a worker. What was taken, or that none
 * came in time, is committed before the function goes on with it: a later segment finds the same,
 * whatever is delivered meanwhile. One that came later than the wait lasts is kept for the next.
 */
export function waitForEvent(
  branch: Branch,
  name: string,
  options: EventOptions | undefined,
): Promise<unknown> {
  const { branches, course, events, inbox, segment } = branch.around;
  const declared = events[name];
  if (declared === undefined) throw new TypeError(unknown(name, events));
  const span = options === undefined ? YEAR : durationOf(options.timeout, 'timeout');
  return branch.operation('event', name, async (operation, recorded) => {
    const read = (value: Json) => dataOf(value, name, declared, options);
    if (recorded?.result !== undefined) return read(recorded.result.value);
    const { until: before } = recorded?.details ?? {};
    const until = typeof before === 'number' ? before : segment.now() + span;
    const late = segment.now() >= until;
    const { seen, signal } = await inbox.take(name, until);
    if (signal === undefined && !late) {
      if (recorded === undefined) await branch.record(operation, { until }, 'read');
      const { path } = operation;
      return branches.wait({ kind: 'time', path, until, event: { name, seen } }, (awaited) =>
        Promise.resolve({
          kind: 'ends',
          ending: { kind: 'slept', until, ...(awaited && { awaited }) },
        }),
      );
    }
    const value = signal === undefined ? TIMED_OUT : valueOf(segment.taskId, signal);
    const told = branch.told(operation, 'read');
    await course.commit(
      [
        ...(recorded === undefined ? [branch.asked(operation, { until }, 'read')] : []),
        { step: resultOf(idOf(operation.path), value), told },
      ],
      recorded === undefined ? 1 : 0,
    );
    return read(value);
  });
}

const TIMED_OUT: JsonObject = { timedOut: true };

/** `run`: a run that is made of this one has events of its own. */
const valueOf = (run: string, { at, by, data, number: event }: Signal): JsonObject => ({
  run,
  event,
  at,
  by,
  data,
});

/** As the schema reads it, each time that the run comes by. */
function dataOf(
  value: Json,
  name: string,
  { schema }: EventDeclaration,
  options: EventOptions | undefined,
): unknown {
  const { data = null, timedOut } = isJsonObject(value) ? value : {};
  if (timedOut === true) {
    if (options !== undefined) return undefined;
    throw new StepFailed(`no event ${JSON.stringify(name)} came`, 'EventTimedOut');
  }
  const read = schema.safeParse(data);
  if (read.success) return read.data;
  throw new StepFailed(
    `${JSON.stringify(name)} does not fit: ${issuesOf(read.error)}`,
    'EventMisfit',
  );
}

function unknown(name: string, events: EventDeclarations): string {
  const names = Object.keys(events).join(', ');
  return `event(${JSON.stringify(name)}): events has none of that name; it has ${names || 'none'}`;
}
