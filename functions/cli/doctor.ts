import { createServer } from 'node:http';
import { existsSync, statSync } from 'node:fs';
import type { Finding, Health } from '../../shared/app/operators/examine.ts';
import { diagnosis } from '../../shared/operator/doctor-schemas.ts';
import { diskFinding, nodeFinding } from '../host-findings.ts';
import { version } from '../version.ts';
import { CliError, EXIT } from './cli-error.ts';
import type { Command, Found, Surroundings } from './command.ts';
import { type Fact, facts, line, type Look } from './screen/view.ts';
import { spanOf } from './table.ts';

/** Looks at this machine, and at the installation through its API. */
export const DOCTOR: Command = {
  name: 'doctor',
  summary:
    'looks at the installation, and says what is wrong and what to do; ends with 1 if something is',
  ends: 'It ends with 1 if something is wrong; what is only worth a look does not count.',
  examples: ['doctor', 'doctor --json', 'doctor --url https://operator.example --token-file token'],
  async run(around) {
    const served = await ofServer(around);
    const away = served.some(({ health, name }) => name === 'server' && health === 'fail');
    const data = folderOf(around);
    const findings = [
      { name: 'holdfast', health: 'ok' as const, words: version() },
      nodeFinding('node'),
      ...(data === undefined ? [] : ofFolder(data)),
      ...(data !== undefined && away && existsSync(data) ? [await diskFinding(data)] : []),
      ...(data !== undefined && away ? await ofPorts() : []),
      ...served,
    ];
    return foundOf(findings);
  },
};

/** The data folder that the address comes from; undefined where an address was named. */
function folderOf({ environment, options }: Surroundings): string | undefined {
  if (options['url'] !== undefined || (environment['HOLDFAST_OPERATOR_URL'] ?? '') !== '')
    return undefined;
  const { data } = options;
  return typeof data === 'string' ? data : (environment['HOLDFAST_DATA'] ?? './holdfast-data');
}

function ofFolder(data: string): readonly Finding[] {
  const name = 'data folder';
  const found = statSync(data, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) {
    const words = `there is none at ${data}`;
    return [{ name, health: 'warn', words, remedy: 'npm start makes it; --data names another' }];
  }
  const others = (found.mode & 0o077) !== 0;
  return [
    others
      ? {
          name,
          health: 'warn',
          words: `${data} is open to other users`,
          remedy: `chmod go-rwx ${data}`,
        }
      : { name, health: 'ok', words: data },
  ];
}

/** Those that `npm start` takes unless it is told otherwise. */
const PORTS = [
  { port: 8080, set: 'PORT' },
  { port: 8081, set: '--operator-port' },
] as const;

const ofPorts = (): Promise<readonly Finding[]> =>
  Promise.all(
    PORTS.map(async ({ port, set }): Promise<Finding> => {
      const name = `port ${port}`;
      if (await isFree(port)) return { name, health: 'ok', words: 'free' };
      const remedy = `another program listens there: stop it, or choose another port by ${set}`;
      return { name, health: 'warn', words: 'taken', remedy };
    }),
  );

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}

/** A clock that is off by more than this misleads people; by more than the second, deadlines. */
const OFF = 5_000;
const FAR_OFF = 60_000;

async function ofServer({ client, terminal }: Surroundings): Promise<readonly Finding[]> {
  const name = 'server';
  const began = terminal.now();
  try {
    const { value } = await client.get('/doctor', diagnosis);
    const ended = terminal.now();
    const words = `${client.url} answers in ${spanOf(ended - began)}`;
    return [
      { name, health: 'ok', words },
      clockFinding(value.at, began, ended),
      ...value.findings.map(({ remedy, ...found }) => ({
        ...found,
        ...(remedy !== undefined && { remedy }),
      })),
    ];
  } catch (error) {
    if (!(error instanceof CliError) || error.exit === EXIT.usage) throw error;
    const remedy = 'once it answers, doctor looks at what lies behind it, too';
    return [{ name, health: 'fail', words: error.message, remedy }];
  }
}

/** The answer was made at some moment between asking and hearing. */
function clockFinding(at: number, began: number, ended: number): Finding {
  const name = 'clock skew';
  const off = at < began ? began - at : Math.max(0, at - ended);
  if (off <= OFF) return { name, health: 'ok', words: 'this machine and the server agree' };
  const words = `the server is ${spanOf(off)} ${at < began ? 'behind' : 'before'} this machine`;
  const remedy = 'set the wrong clock right (NTP): ages, deadlines and tokens go by it';
  return { name, health: off <= FAR_OFF ? 'warn' : 'fail', words, remedy };
}

const LOOKS = { ok: 'good', warn: 'waits', fail: 'bad' } as const satisfies Record<Health, Look>;

function foundOf(findings: readonly Finding[]): Found {
  const pairs = findings.flatMap(({ health, name, remedy, words }): readonly Fact[] => [
    [{ text: `${health.padEnd(4)}  ${name}`, look: LOOKS[health] }, words],
    ...(remedy === undefined ? [] : [['', `-> ${remedy}`] as const]),
  ]);
  const count = (wanted: Health) => findings.filter(({ health }) => health === wanted).length;
  const failed = count('fail');
  const summary = line(`${failed} failed, ${count('warn')} to look at, ${count('ok')} well`);
  return {
    data: { findings },
    text: [facts(pairs), line(''), summary],
    exit: failed === 0 ? 0 : EXIT.refused,
  };
}
