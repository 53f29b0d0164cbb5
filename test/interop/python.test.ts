import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Client } from '../e2e/client.ts';
import { eventually } from '../e2e/eventually.ts';
import { useOracle } from '../e2e/oracle.ts';
import { openBooks } from '../e2e/remote-books.ts';
import { Front } from '../e2e/remote-front.ts';
import { BRISK, useFleet } from '../e2e/server.ts';
import { textOf } from '../e2e/wire.ts';
import { PYTHON } from '../../tools/interop/clients.ts';
import { expectedOf, seenIn } from '../../tools/interop/expected.ts';

const found = await PYTHON.find();
if (found.kind === 'missing')
  process.stderr.write(`\nSKIPPED: what needs Python (test/interop). ${found.why}\n\n`);
const python = found.kind === 'found' ? found.command : '';
const fleet = useFleet();

test.skipIf(python === '')(
  'the official client for Python sees what it must, over each binding and version',
  async () => {
    const { url } = await fleet.start({
      store: 'embedded',
      args: ['--v0.3', '--allow-private-webhooks'],
    });
    const stdio = ['ignore', 'pipe', 'inherit'] as const;
    const client = spawn(python, PYTHON.args(url, ''), { stdio: [...stdio], timeout: 55_000 });
    const seen = seenIn(await text(client.stdout));
    for (const way of PYTHON.ways)
      expect([way, seen.get(way)]).toEqual([way, expectedOf({ client: PYTHON.name, way })]);
  },
);

describe.skipIf(python === '')('the sample sales-forecast, and its agent in Python', () => {
  const oracle = useOracle({ reruns: true });
  const front = new Front();
  let forecaster: ChildProcess;

  beforeAll(async () => {
    await front.open();
    const args = ['--port', '0', '--url', front.url, '--seconds', '2'];
    forecaster = spawn(python, ['examples/sales-forecast/forecaster/server.py', ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface({ input: forecaster.stdout ?? process.stdin });
    const [ready = ''] = (await once(lines, 'line')) as string[];
    front.remote = { url: ready.replace('forecaster ready ', '') };
  });

  afterAll(async () => {
    await front.close();
    const ended = once(forecaster, 'exit');
    if (forecaster.kill('SIGKILL')) await ended;
  });

  test('a process that is killed while it waits for Python goes on with that one task', async () => {
    const server = await fleet.start({
      store: 'embedded',
      settings: { ...BRISK, pollMin: 100, pollMax: 500 },
      args: ['--agents', 'examples/sales-forecast/agent.ts', '--remote-private', 'loopback'],
      env: { FORECASTER_CARD: `${front.url}/.well-known/agent-card.json` },
    });
    const books = openBooks(server);
    const client = new Client(server, oracle);
    const { id } = await client.send('10 12 15 15 18', { ri: true });
    await eventually(async () => (await books.run(id))?.status, 'waiting_for_dependency');
    await server.restart('kill');
    const done = await client.finished(id);
    expect(textOf(done.status.message)).toBe(
      'The next 3 months: 19.7 (18.3 to 21.1), 21.6 (20.2 to 23), 23.5 (22.1 to 24.9).',
    );
    expect(front.count('SendMessage')).toBe(1);
    const there = new Client(front, oracle);
    expect((await there.list()).tasks.map(({ status }) => status.state)).toEqual([
      'TASK_STATE_COMPLETED',
    ]);
    await books.close();
  });
});
