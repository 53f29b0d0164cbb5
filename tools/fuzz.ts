// Sends hostile input to a server of its own. See --help.
import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';

const HELP = `Usage: npm run fuzz -- [options]

Starts a server, and sends it input over JSON-RPC, HTTP+JSON and gRPC that follows the protocol
badly or not at all. None may bring a 5xx, a crash, a hang or a stack. The seed is printed; the
smallest input that fails is, too.

Options:
  --inputs <n>  how many (default 100000: some minutes)
  --seed <n>    repeats a run
  --help        shows this text
`;

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  process.stdout.write(HELP);
} else {
  const args = ['tools/node24.mjs', '--bin', 'vitest', 'run', 'test/fuzz/fuzz.test.ts'];
  const { status } = spawnSync(process.execPath, args, {
    stdio: 'inherit',
    env: {
      ...process.env,
      HOLDFAST_FUZZ_INPUTS: values.inputs,
      ...(values.seed !== undefined && { HOLDFAST_FUZZ_SEED: values.seed }),
    },
  });
  process.exitCode = status ?? 1;
}
