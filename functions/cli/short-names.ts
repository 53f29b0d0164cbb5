import { foundRuns } from '../../shared/operator/find-operation.ts';
import { timeline } from '../../shared/operator/timeline-schemas.ts';
import { CliError, EXIT, usage } from './cli-error.ts';
import type { Surroundings } from './command.ts';
import { status } from './screen/looks.ts';
import { PLAIN, rendered } from './screen/render.ts';
import { type Cell, columns, table } from './screen/view.ts';

const WHOLE = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const BEGINNING = /^[0-9a-f][0-9a-f-]{0,34}$/;
const LEAST = 4;

type Asking = Pick<Surroundings, 'client'>;

/**
 * The whole id of the one run that begins so. What is no beginning of an id is left as it is: the
 * API says that there is no such run. Throws CliError where several begin so.
 */
async function wholeRun({ client }: Asking, given: string): Promise<string> {
  if (WHOLE.test(given) || !BEGINNING.test(given)) return given;
  if (given.length < LEAST)
    throw usage(`${given} is too short for an id; give ${LEAST} characters of it or more`);
  const { value } = await client.get(`/find/${given}`, foundRuns);
  const [only, ...others] = value.runs;
  if (only === undefined) return given;
  if (others.length === 0 && !value.more) return only.id;
  const rows = value.runs.map((run): readonly Cell[] => [run.id, run.agent, status(run.status)]);
  throw ambiguous(given, 'runs', [
    ...rendered([table({ columns: columns('run', 'agent', 'status'), rows })], PLAIN).split('\n'),
    ...(value.more ? ['... and more'] : []),
  ]);
}

/** The same for what belongs to a run: `run.send`, each part as short as it is unique. */
async function wholeSend(around: Asking, given: string): Promise<string> {
  const [run, send] = parts(given);
  if (send === undefined || !BEGINNING.test(send)) return given;
  const id = await wholeRun(around, run);
  if (WHOLE.test(send) || !WHOLE.test(id)) return `${id}.${send}`;
  const { value } = await around.client.get(`/runs/${id}`, timeline);
  const meant = value.sends
    .map((each) => each.id)
    .filter((each) => each.startsWith(`${id}.${send}`));
  if (meant.length > 1) throw ambiguous(given, 'sends', meant);
  return meant[0] ?? `${id}.${send}`;
}

/** The same for a webhook, whose own name its caller may have given. */
async function wholeWebhook(around: Asking, given: string): Promise<string> {
  const [run, webhook] = parts(given);
  return webhook === undefined ? given : `${await wholeRun(around, run)}.${webhook}`;
}

function parts(given: string): readonly [string, string | undefined] {
  const dot = given.indexOf('.');
  return dot < 0 ? [given, undefined] : [given.slice(0, dot), given.slice(dot + 1)];
}

const WHOLES: Readonly<Record<string, (around: Asking, given: string) => Promise<string>>> = {
  run: wholeRun,
  send: wholeSend,
  webhook: wholeWebhook,
};

/** Arguments with their names whole, by what the usage line calls each. Throws CliError. */
export function wholeNames(
  around: Asking,
  takes: string | undefined,
  args: readonly string[],
): Promise<readonly string[]> {
  const names = takes?.match(/<[^>]+>/g)?.map((each) => each.slice(1, -1)) ?? [];
  return Promise.all(
    args.map((arg, at) => WHOLES[names[at] ?? '']?.(around, arg) ?? Promise.resolve(arg)),
  );
}

const ambiguous = (given: string, what: string, candidates: readonly string[]): CliError =>
  new CliError(
    EXIT.usage,
    `${given} is the beginning of several ${what}; give more of it`,
    candidates.map((each) => `  ${each}`).join('\n'),
  );
