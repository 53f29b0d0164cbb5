import { signalCodec } from '../../../shared/app/records/work-documents.ts';
import { isJsonObject, type Json } from '../../../shared/domain/json.ts';
import type { Run } from '../../../shared/domain/run.ts';
import type { Result } from '../../../shared/domain/step.ts';
import { EVENT, STEPPING_AGENT } from '../stepping-agent.ts';
import type { Commit } from '../record.ts';
import type { World } from '../world.ts';
import { runChanges } from './row-changes.ts';
import type { Tale } from './tale.ts';
import type { Work } from './work.ts';

/** What its delivery changes of a run, besides the count. */
export const OF_A_DELIVERY = ['signals', 'notBefore', 'deadlineAt', 'payloadKey'];

/** One more in the row, and by a caller or an operator. */
export const isOneMore = (before: Run, after: Run): boolean =>
  after.signals === (before.signals ?? 0) + 1 && after.status === before.status;

/** An event and the count of them are one commit, and neither is written again. */
export function eventsComeWithTheirRow(commit: Commit): string | undefined {
  const rows = commit.changes.filter(({ path }) => /\/signals\/[^/]+$/.test(path));
  const again = rows.find(({ before }) => before !== undefined);
  if (again !== undefined) return `${again.path} was written again`;
  const grown = runChanges(commit).flatMap(({ after, before }) => {
    const more = (after?.signals ?? 0) - (before?.signals ?? 0);
    return more === 0 ? [] : [{ more, path: `runs/${after?.taskId}/signals/` }];
  });
  const [one] = grown;
  if (rows.length === 0 && one === undefined) return undefined;
  const fits = rows.length === 1 && grown.length === 1 && one?.more === 1;
  return fits && rows[0]?.path.startsWith(one.path) === true
    ? undefined
    : `${rows.length} events came with ${grown.length} rows of runs`;
}

/**
 * What a deliverer was told is there is there once; and each is taken by one wait, in the order in
 * which they came.
 */
export function eachEventCountsOnce({ run, steps }: Work, world: World): string | undefined {
  if (run.agent !== STEPPING_AGENT) return undefined;
  const rows = world.backend
    .all(`runs/${run.taskId}/signals`)
    .map(({ fields, path }) => signalCodec.decode(fields, path));
  if (rows.length !== (run.signals ?? 0)) return `${run.taskId} has ${rows.length} events`;
  const told = world.record.delivered.filter(({ taskId }) => taskId === run.taskId);
  const ids = new Set(told.map(({ id }) => id));
  const lost = told.find(({ number }) => !rows.some((row) => row.number === number));
  if (lost !== undefined) return `event ${lost.number} of ${run.taskId} is lost`;
  if (new Set(told.map(({ number }) => number)).size > ids.size)
    return `an event of ${run.taskId} was taken for two`;
  const taken = takenIn(steps.filter((step): step is Result => step.kind === 'result'));
  const numbers = taken.map(({ number }) => number);
  if (new Set(numbers).size !== numbers.length) return `an event of ${run.taskId} was taken twice`;
  const stranger = taken.find(({ number }) => !rows.some((row) => row.number === number));
  if (stranger !== undefined) return `${run.taskId} took event ${stranger.number}, which is none`;
  const passed = rows.find(
    ({ name, number }) =>
      name === EVENT && number < Math.max(0, ...numbers) && !numbers.includes(number),
  );
  // One that came between two waits is there for the next one.
  return passed && `${run.taskId} passed over event ${passed.number}`;
}

/** The function was told of each event what its transcript has, and of those that are none. */
export function eventsAreAsReported({ run, steps }: Work, tale: Tale): string | undefined {
  if (run.agent !== STEPPING_AGENT || run.status !== 'completed' || steps.length === 0)
    return undefined;
  const report = tale.tasks.at(-1)?.artifacts.find(({ artifactId }) => artifactId === 'report');
  const [part] = report?.parts ?? [];
  const said = part !== undefined && 'data' in part && Array.isArray(part.data) ? part.data : [];
  const texts = (values: readonly Json[]): string =>
    values
      .map((value) => JSON.stringify(value))
      .toSorted()
      .join(' ');
  const heard = texts(said.filter((each: Json) => each !== null));
  const results = steps.filter((step): step is Result => step.kind === 'result');
  const wanted = texts(takenIn(results).map(({ data }) => data));
  return heard === wanted ? undefined : `${run.taskId} heard ${heard} of ${wanted}`;
}

function takenIn(results: readonly Result[]): readonly { number: number; data: Json }[] {
  return results.flatMap(({ value }) => {
    if (!isJsonObject(value)) return [];
    const { data = null, event: number } = value;
    return typeof number === 'number' ? [{ number, data }] : [];
  });
}
