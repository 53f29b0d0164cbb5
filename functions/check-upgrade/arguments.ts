import { parseArgs } from 'node:util';
import type { Millis } from '../../shared/domain/brand.ts';
import { entries, paragraph } from '../cli/screen/entries.ts';
import { BadConfiguration } from '../settings.ts';
import { FLAGS, readArguments, type StartOptions } from '../start/arguments.ts';

/** Of `holdfast start`, those that say where the runs and the agents are. */
const PLACES = ['agents', 'data', 'store', 'project', 'database'];
/** Seconds for the code of one run, and at most. */
const TIME = 5;
const MOST_TIME = 300;

const own = [
  { name: 'agent', value: 'name', meaning: 'runs of this agent alone' },
  { name: 'limit', value: 'number', meaning: 'so many runs at most (default: all)' },
  {
    name: 'time',
    value: 'seconds',
    meaning: `for the code of one run, up to its next step (default ${TIME})`,
  },
  { name: 'json', meaning: 'prints a line of JSON for each run, and one with the counts' },
  { name: 'help', meaning: 'shows this text' },
];
const places = FLAGS.filter(({ name }) => PLACES.includes(name));

export const HELP = `Usage: holdfast check-upgrade [options]

${paragraph('Compares every open run with the agents as they are now, before they are served: what is recorded of it is replayed against their code, as a server would when it takes the run up again. Nothing is run, sent or written; a server may work on the same data meanwhile.')}

Options:
${entries([
  ...places.map(({ meaning, name, value, variable }) => ({
    name: value === undefined ? `--${name}` : `--${name} <${value}>`,
    words: `${meaning} [${variable}]`,
  })),
  ...own.map(({ meaning, name, value }) => ({
    name: value === undefined ? `--${name}` : `--${name} <${value}>`,
    words: meaning,
  })),
])}

${paragraph('Verdicts: goes on; held (it is blocked until a release fits again, or an operator lets it go on); fails (it ends FAILED); differs (nothing stops it, but it does something else); not checked.')}
${paragraph('Exit codes: 0 all go on, 1 not all do, or some were not checked, 2 the check could not be made.')}

Examples:
  holdfast check-upgrade
  holdfast check-upgrade --agents agents/next.ts --data holdfast-data
  holdfast check-upgrade --agent order-flow --json
`;

export interface CheckArguments {
  readonly options: StartOptions;
  readonly agent: string | undefined;
  readonly limit: number | undefined;
  readonly time: Millis;
  readonly json: boolean;
}

/**
 * Undefined: help was asked for. Throws BadConfiguration, and what Node says of unknown options.
 */
export function checkArguments(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): CheckArguments | undefined {
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const { name, value } of [...places, ...own])
    options[name] = { type: value === undefined ? 'boolean' : 'string' };
  const { values } = parseArgs({ args: [...args], options, allowPositionals: false });
  if (values['help'] === true) return undefined;
  const given = PLACES.flatMap((name) => {
    const value = values[name];
    return typeof value === 'string' ? [`--${name}=${value}`] : [];
  });
  const text = (name: string): string | undefined => {
    const value = values[name];
    return typeof value === 'string' ? value : undefined;
  };
  const start = readArguments(given, { ...environment, ...storeOf(environment) });
  if (start === undefined) throw new BadConfiguration('no configuration');
  return {
    options: start,
    agent: text('agent'),
    limit: whole('limit', text('limit'), Number.MAX_SAFE_INTEGER),
    time: (whole('time', text('time'), MOST_TIME) ?? TIME) * 1_000,
    json: values['json'] === true,
  };
}

/** Cloud Run says so of itself. */
const storeOf = ({ HOLDFAST_STORE: store, K_SERVICE: service }: NodeJS.ProcessEnv) =>
  store === undefined && service !== undefined ? { HOLDFAST_STORE: 'google' } : {};

function whole(name: string, given: string | undefined, most: number): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (/^[1-9]\d*$/.test(given) && value <= most) return value;
  const range = most === Number.MAX_SAFE_INTEGER ? '1 or more' : `from 1 to ${most}`;
  throw new BadConfiguration(
    `--${name} is ${JSON.stringify(given)}; it must be a whole number, ${range}`,
  );
}
