import { randomInt } from 'node:crypto';
import { expect, test } from 'vitest';
import { Client } from '../e2e/client.ts';
import { Oracle } from '../e2e/oracle.ts';
import { useFleet } from '../e2e/server.ts';
import { KNOWN_TASKS } from './hostile-json.ts';
import { runFuzz } from './run-fuzz.ts';

const INPUTS = Number(process.env['HOLDFAST_FUZZ_INPUTS'] ?? 5_000);
const SEED = Number(process.env['HOLDFAST_FUZZ_SEED'] ?? randomInt(2 ** 31));

/** What is written when something of the server itself went wrong. */
const FAULT = /"severity":"(?:ERROR|CRITICAL)"|^\s+at |Warning:/;

const fleet = useFleet();

test(`no input brings a fault, a stack, a silence or an end (${INPUTS} inputs, seed ${SEED})`, {
  timeout: 60_000 + INPUTS * 20,
}, async () => {
  const server = await fleet.start({
    store: 'embedded',
    args: ['--agents', 'test/fixtures/agents/conformance.ts', '--v0.3'],
  });
  const client = new Client(server, new Oracle());
  const done = await client.send('x', { messageId: 'tck-complete-task' });
  const asking = await client.send('x', { messageId: 'tck-input-required' });
  const [first, second] = KNOWN_TASKS;
  await runFuzz(
    {
      http: new URL(server.url).host,
      grpc: server.grpc,
      tasks: { [first]: done.id, [second]: asking.id },
    },
    {
      inputs: INPUTS,
      seed: SEED,
      alive() {
        const faults = server.log.splice(0).filter((line) => FAULT.test(line));
        if (faults.length > 0) throw new Error(faults.join('\n'));
      },
    },
  );
  expect((await client.get(done.id)).status.state).toBe('TASK_STATE_COMPLETED');
  expect(await server.stop()).toBe(0);
});
