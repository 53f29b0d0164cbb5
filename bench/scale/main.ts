// npm run scale: what breaks first at which load. See --help.
import { parseArgs } from 'node:util';
import { asDeployed, assumed, type Assumptions, type Deployment, liftedFor } from './deployment.ts';
import { simulate } from './simulate.ts';
import { headOf, rowOf, tableOf } from './table.ts';

const HELP = `Usage: npm run scale -- [options]

Simulates blocking calls to a deployment on Google Cloud, and prints what they got and what broke first. The rows go through the
project's own transitions, obligations and shards; Google's limits stand in bench/scale/limits.ts, what is assumed of times in
bench/scale/deployment.ts. The same options give the same table.

Options:
  --rate <tasks a second,...>
      offered load (default: 10,100,1000,10000)
  --agent <milliseconds>
      until the agent has its answer (default: 500 and 10000, one table each)
  --seconds <number>
      simulated time (default: 60)
  --seed <number>
      of chance (default: 1)
  --lifted
      only the deployment in which each ceiling of the load is lifted
  --set <name>=<number>
      one number of the deployment, repeatable: ${Object.keys(asDeployed).join(', ')}
      (warm: minutes since load came)
  --assume <name>=<number>
      one assumption, repeatable: ${Object.keys(assumed).join(', ')}
  --help
      shows this text
`;

class BadOptions extends Error {}

interface Options {
  readonly rates: readonly number[];
  readonly agents: readonly number[];
  readonly seconds: number;
  readonly seed: number;
  readonly lifted: boolean;
  readonly set: readonly (readonly [string, string])[];
  readonly assume: readonly (readonly [string, string])[];
}

function optionsOf(args: readonly string[]): Options | undefined {
  const values = parse(args);
  if (values.help) return undefined;
  return {
    rates: (values.rate ?? '10,100,1000,10000').split(',').map((rate) => positive('--rate', rate)),
    agents: (values.agent ?? '500,10000').split(',').map((span) => positive('--agent', span)),
    seconds: positive('--seconds', values.seconds ?? '60'),
    seed: positive('--seed', values.seed ?? '1'),
    lifted: values.lifted,
    set: pairs('--set', values.set ?? [], asDeployed),
    assume: pairs('--assume', values.assume ?? [], assumed),
  };
}

function parse(args: readonly string[]) {
  try {
    const options = {
      rate: { type: 'string' },
      agent: { type: 'string' },
      seconds: { type: 'string' },
      seed: { type: 'string' },
      lifted: { type: 'boolean', default: false },
      set: { type: 'string', multiple: true },
      assume: { type: 'string', multiple: true },
      help: { type: 'boolean', default: false },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    throw new BadOptions(error instanceof Error ? error.message : String(error));
  }
}

function positive(flag: string, value: string): number {
  const number = Number(value);
  if (number > 0 && Number.isFinite(number)) return number;
  throw new BadOptions(`${flag} ${value} is no number above 0`);
}

function pairs(flag: string, given: readonly string[], known: object): [string, string][] {
  return given.map((pair) => {
    const [name = '', value = ''] = pair.split('=', 2);
    if (name in known && value !== '' && Number(value) >= 0) return [name, value];
    throw new BadOptions(
      `${flag} ${pair}: give name=number with one of ${Object.keys(known).join()}`,
    );
  });
}

function changed<T extends object>(from: T, by: readonly (readonly [string, string])[]): T {
  const values = by.map(([name, value]) => [name, Number(value)]);
  return { ...from, ...Object.fromEntries(values) };
}

function print({ agents, rates, seconds, seed, lifted, set, assume }: Options): void {
  for (const agent of agents) {
    const given: Assumptions = { ...changed(assumed, assume), agent };
    const deployments: readonly (readonly [string, (rate: number) => Deployment])[] = [
      ...(lifted ? [] : [['as deployed', () => asDeployed] as const]),
      ...(lifted || set.length === 0
        ? [['lifted', (rate: number) => liftedFor(rate, given)] as const]
        : []),
    ];
    for (const [name, of] of deployments) {
      const rows = rates.map((rate) => {
        const deployment = changed(of(rate), set);
        return rowOf(rate, deployment, given, simulate({ rate, seconds, seed }, deployment, given));
      });
      process.stdout.write(`\n${name}, agent ${agent} ms\n\n${tableOf(headOf, rows)}\n`);
    }
  }
}

try {
  const options = optionsOf(process.argv.slice(2));
  if (options === undefined) process.stdout.write(HELP);
  else print(options);
} catch (error) {
  if (!(error instanceof BadOptions)) throw error;
  process.stderr.write(`scale: ${error.message} (see --help)\n`);
  process.exitCode = 2;
}
