// Load, kills, lost answers, sleeping servers and operators, for as long as you say:
//   npm run soak -- --minutes 30 [--kills 1000] [--store google]
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';

const HELP = `npm run soak -- [--minutes N] [--kills N] [--store google]

  --minutes N      how long it runs at most (default: 5)
  --kills N        it ends sooner once a server was killed by SIGKILL so often
  --store google   over the deployed functions and emulators of Google's services
  --help

Each round of load ends at rest: every task has its end, streams, answers and archive agree, and
what was shown stays. Embedded, a schedule ticks each second, and operators pause and
resume it: each tick has made one task, and no other was made. Memory and open files of the server that is not killed may not grow, nor rows
and files for each task. HOLDFAST_SEED repeats the choices of a run.`;

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '5' },
    kills: { type: 'string', default: 'Infinity' },
    store: { type: 'string', default: 'embedded' },
    help: { type: 'boolean' },
  },
});
const minutes = Number(values.minutes);
const kills = Number(values.kills);
if (values.help === true) process.stdout.write(`${HELP}\n`);
else if (!(minutes > 0 && kills > 0) || !['embedded', 'google'].includes(values.store)) {
  process.stderr.write(
    '--minutes and --kills are numbers above 0, and --store is embedded or google\n',
  );
  process.exitCode = 2;
} else {
  const vitest = ['tools/node24.mjs', '--bin', 'vitest', 'run', '--project', 'whole', 'test/soak'];
  const run = spawn(process.execPath, vitest, {
    cwd: `${import.meta.dirname}/..`,
    stdio: 'inherit',
    env: {
      ...process.env,
      HOLDFAST_SOAK_MINUTES: String(minutes),
      HOLDFAST_SOAK_KILLS: String(kills),
      HOLDFAST_E2E_STORE: values.store,
    },
  });
  run.once('exit', (code) => {
    process.exitCode = code ?? 1;
  });
}
