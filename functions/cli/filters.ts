import { usage } from './cli-error.ts';
import type { Option, Surroundings } from './command.ts';
import { instantOf } from './when.ts';

/** Which runs are meant: of a list, and of what is done to many at once. */
export const RUN_FILTERS: readonly Option[] = [
  { name: 'status', value: 'status', help: 'such as queued, running or failed; or open, or ended' },
  { name: 'agent', value: 'name', help: 'runs of this agent' },
  { name: 'context', value: 'id', help: 'runs of this context' },
  { name: 'reason', value: 'reason', help: 'runs that failed for it, such as AGENT_FAILED' },
  { name: 'caller', value: 'name', help: 'runs of this caller, if you may see whose they are' },
  { name: 'tenant', value: 'name', help: 'of that caller' },
  {
    name: 'since',
    value: 'when',
    help: 'changed at or after it: 30m, 2h or 1d ago, or 2026-01-31T12:00:00Z',
  },
  { name: 'until', value: 'when', help: 'changed before it' },
  { name: 'started-since', value: 'when', help: 'accepted at or after it' },
  { name: 'started-until', value: 'when', help: 'accepted before it' },
  {
    name: 'min-cost',
    value: 'millionths',
    help: 'cost so much or more, in the currency of the prices',
  },
  {
    name: 'unknown-sends',
    help: 'runs of which a message to a remote agent has an unknown outcome',
  },
  {
    name: 'blocked',
    help: 'runs that do not go on because a tool, remote or agent is gone or changed',
  },
];

/** How a list is shown. */
export const LISTING: readonly Option[] = [
  { name: 'sort', value: 'order', help: 'changed (default), started, age, cost or status' },
  { name: 'order', value: 'direction', help: 'asc turns the order round' },
  { name: 'limit', value: 'number', help: 'rows of a page, 100 at most (default 50)' },
  { name: 'cursor', value: 'cursor', help: 'goes on where a page ended' },
];

/** `--min-cost` is `minCost`. */
const parameterOf = (name: string): string =>
  name.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());

/** The query of these options. Throws CliError. */
export function queryOf(
  { now, options }: Pick<Surroundings, 'now' | 'options'>,
  known: readonly Option[] = [...RUN_FILTERS, ...LISTING],
): URLSearchParams {
  const query = new URLSearchParams();
  for (const { name, value } of known) {
    const given = options[name];
    if (value === undefined || typeof given !== 'string') continue;
    query.set(parameterOf(name), value === 'when' ? instantOf(name, given, now) : given);
  }
  if (options['unknown-sends'] === true) query.set('waitingFor', 'unknown-send');
  if (options['blocked'] !== true) return query;
  if (query.has('waitingFor')) throw usage('--unknown-sends and --blocked do not go together');
  query.set('waitingFor', 'blocked');
  return query;
}

export function asQuery(query: URLSearchParams): string {
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
