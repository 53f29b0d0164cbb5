import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { z } from 'zod';
import { SERVICES } from '../../functions/function-names.ts';
import { functionNames } from '../../project/build/functions.ts';
import { bundle } from '../../project/build/bundle.ts';
import { chunksAtStart, loadedAtStart } from '../../project/build/loaded-at-start.ts';
import { pack, type Package } from '../../project/build/pack.ts';
import { callGrpc } from '../e2e/grpc-wire.ts';
import { otlpReceiver } from '../doubles/otlp-receiver.ts';
import { randomProject, useFirestoreEmulator } from '../emulator/firestore.ts';
import { type RunningFunction, startFunction } from './start-function.ts';
import { PROJECT, unpack } from './unpack.ts';
import { unzip } from './unzip.ts';

// A build is seconds of work for the bundler, more where other work goes on.
const SLOW = 180_000;

let folder = '';
let packages: ReadonlyMap<string, Package> = new Map();
const running: RunningFunction[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-packages-'));
  const built = await Promise.all(SERVICES.map((name) => pack({ root: PROJECT, name })));
  packages = new Map(built.map((each) => [each.name, each]));
  for (const each of built) unpack(each.zip, join(folder, each.name));
}, SLOW);

afterAll(async () => {
  await Promise.all(running.map((each) => each.stop()));
  rmSync(folder, { recursive: true, force: true });
});

function packed(name: string): Package {
  const found = packages.get(name);
  if (found === undefined) throw new Error(`no package ${name}`);
  return found;
}

function runBuild(...args: string[]) {
  const script = join(PROJECT, 'functions/cli/main.ts');
  return spawnSync(process.execPath, [script, 'build', ...args], { encoding: 'utf8' });
}

test('the folders that are packed are the functions that are deployed', () => {
  expect(functionNames(PROJECT)).toEqual([...SERVICES].toSorted());
});

describe('npm run build', () => {
  it(
    'gives the same bytes each time, under the name of their hash, and lists them for Terraform',
    () => {
      const out = join(folder, 'dist');
      expect(runBuild('--out', out).status).toBe(0);
      const index = JSON.parse(readFileSync(join(out, 'packages.json'), 'utf8')) as object;
      expect(Object.keys(index)).toEqual([...SERVICES].toSorted());
      for (const name of SERVICES) {
        const { zip, sha256, zipName } = packed(name);
        // Of agents that spend or decide, which Terraform does not open to anyone.
        const costly = name === 'a2a' ? { costly_agents: [] } : {};
        expect(index).toHaveProperty(name, { path: zipName, sha256, ...costly });
        const again = readFileSync(join(out, zipName));
        expect(again.equals(zip), name).toBe(true);
        expect(createHash('sha256').update(again).digest('hex')).toBe(sha256);
      }
      const zips = readdirSync(out).filter((file) => file.endsWith('.zip'));
      expect(zips).toHaveLength(SERVICES.length);
    },
    SLOW,
  );

  it('explains itself, and refuses what it does not know', () => {
    expect(runBuild('--help')).toMatchObject({ status: 0, stdout: /Usage: holdfast build/ });
    expect(runBuild('--only', 'nothing')).toMatchObject({ status: 2, stderr: /a2a, projector/ });
    expect(runBuild('--nothing')).toMatchObject({ status: 2, stderr: /--help/ });
  });

  it(
    'takes other agents in the place of those of the project',
    async () => {
      const agents = 'test/fixtures/agents/scripted.ts';
      const { metafile } = await bundle({
        root: PROJECT,
        name: 'sweeper',
        agents: join(PROJECT, agents),
      });
      const inputs = Object.keys(metafile.inputs);
      expect(inputs).toContain(agents);
      expect(inputs.filter((input) => input.includes('table-profiler'))).toEqual([]);
    },
    SLOW,
  );
});

describe.each(SERVICES)('the package of %s', (name) => {
  it('is a zip that others read, without source maps and without a path of this machine', () => {
    const { zip, zipName, files } = packed(name);
    expect([...unzip(zip).keys()]).toEqual([...files.keys()].toSorted());
    expect([...files.keys()].filter((path) => path.endsWith('.map'))).toEqual([]);
    for (const contents of files.values()) {
      expect(Buffer.from(contents).includes(PROJECT)).toBe(false);
    }
    const checked = spawnSync('unzip', ['-tq', join(folder, 'dist', zipName)]);
    if (checked.error === undefined) expect(checked.status).toBe(0);
  });

  it('names the framework at the version of the project, locked, or how it starts without, and an entry point that exists', () => {
    const { files } = packed(name);
    const read = (path: string): unknown =>
      JSON.parse(Buffer.from(files.get(path) ?? []).toString());
    const project = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as {
      readonly dependencies: Readonly<Record<string, string>>;
    };
    expect(files.has('index.js')).toBe(true);
    expect(read('package.json')).toMatchObject({ type: 'module', main: 'index.js' });
    if (name === 'grpc') {
      const scripts = { start: 'node index.js' };
      expect(read('package.json')).toMatchObject({ scripts, dependencies: {} });
      return;
    }
    const framework = '@google-cloud/functions-framework';
    const version = project.dependencies[framework];
    expect(read('package.json')).toMatchObject({ dependencies: { [framework]: version } });
    expect(read('package.json')).not.toHaveProperty('scripts');
    expect(read('package-lock.json')).toMatchObject({
      lockfileVersion: 3,
      packages: { [`node_modules/${framework}`]: { version } },
    });
  });

  it('passes the syntax check of the buildpack', () => {
    const entry = join(folder, name, 'index.js');
    expect(spawnSync(process.execPath, ['--check', entry]).status).toBe(0);
  });

  it('loads no Google client, no OpenTelemetry and no MCP client at its start, but has the one of Firestore', () => {
    const { metafile } = packed(name);
    const client =
      /node_modules\/(@google-cloud\/(?!functions-framework)|google-gax|@grpc|@opentelemetry|@modelcontextprotocol)/;
    expect([...loadedAtStart(metafile)].filter((input) => client.test(input))).toEqual([]);
    const all = Object.keys(metafile.inputs);
    // Only the worker runs segments, which may call tools.
    const mcp = all.some((input) => input.includes('@modelcontextprotocol/client/'));
    expect(mcp).toBe(name === 'worker');
    expect(all.some((input) => input.includes('@google-cloud/firestore/'))).toBe(true);
  });

  it('keeps to its budget of bytes', () => {
    const { zip, metafile } = packed(name);
    const atStart = [...chunksAtStart(metafile)]
      .map((path) => metafile.outputs[path]?.bytes ?? Number.NaN)
      .reduce((sum, bytes) => sum + bytes, 0);
    const budget = budgets()[name];
    expect(atStart).toBeLessThanOrEqual(budget?.loadedAtStart ?? 0);
    expect(zip.length).toBeLessThanOrEqual(budget?.zip ?? 0);
  });
});

function budgets() {
  const sizes = z.object({ loadedAtStart: z.number(), zip: z.number() });
  const schema = z.object({ packages: z.record(z.string(), sizes) });
  const text = readFileSync(join(PROJECT, 'budgets.json'), 'utf8');
  return schema.parse(JSON.parse(text)).packages;
}

async function start(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningFunction> {
  const started = await startFunction(join(folder, name), name, env);
  running.push(started);
  return started;
}

const VERSION = { 'a2a-version': '1.0' };
const message = {
  message: { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'city,area\nBerlin,891\n' }] },
  configuration: { returnImmediately: true },
};

interface Task {
  readonly id: string;
  readonly status: { readonly state: string };
}

async function read(a2a: RunningFunction, id: string): Promise<Task> {
  const response = await fetch(`${a2a.url}/tasks/${id}`, { headers: { 'A2A-Version': '1.0' } });
  return (await response.json()) as Task;
}

async function send(a2a: RunningFunction): Promise<Task> {
  const answer = await a2a.post('/message:send', message);
  return ((await answer.json()) as { readonly task: Task }).task;
}

describe('the unpacked packages, without the project beside them', () => {
  it(
    'answer the card and a message (a2a), the task (grpc), run it (worker), show it (operator), and so on',
    async () => {
      const env = { HOLDFAST_STORE: 'embedded', HOLDFAST_DATA: join(folder, 'data') };
      const a2a = await start('a2a', env);
      const card = await fetch(`${a2a.url}/.well-known/agent-card.json`);
      expect(await card.json()).toMatchObject({ name: 'table-profiler' });
      const sent = await send(a2a);
      expect(sent.status.state).toBe('TASK_STATE_SUBMITTED');
      const grpc = await start('grpc', env);
      const asked = await callGrpc(new URL(grpc.url).host, 'GetTask', { id: sent.id }, VERSION);
      expect(asked).toMatchObject({ result: { id: sent.id, status: sent.status } });

      const worker = await start('worker', env);
      const wakeUp = { kind: 'run', taskId: sent.id, revision: 0, at: 0 };
      expect(await (await worker.post('/', wakeUp)).json()).toEqual({ outcome: 'done' });
      expect((await read(a2a, sent.id)).status.state).toBe('TASK_STATE_COMPLETED');

      const projector = await start('projector', env);
      const project = { ...wakeUp, kind: 'project' };
      expect(await (await projector.post('/', project)).json()).toEqual({ outcome: 'done' });
      const coordinator = await start('coordinator', env);
      // Of a task that waits for no remote agent any more.
      const poll = { ...wakeUp, kind: 'poll' };
      expect(await (await coordinator.post('/', poll)).json()).toEqual({ outcome: 'done' });
      const operators = { ada: { agents: ['*'], may: ['view'] } };
      const token = 'a-token-for-ada-alone';
      const file = join(folder, 'data', 'operators.json');
      writeFileSync(file, JSON.stringify({ ada: { ...operators.ada, token } }));
      const operator = await start('operator', {
        ...env,
        HOLDFAST_OPERATORS: JSON.stringify(operators),
      });
      expect((await fetch(`${operator.url}/runs`)).status).toBe(401);
      const headers = { authorization: `Bearer ${token}` };
      const runs = await (await fetch(`${operator.url}/runs`, { headers })).json();
      expect(runs).toMatchObject({ runs: [{ id: sent.id, status: 'completed' }] });

      const sweeper = await start('sweeper', env);
      const swept = await sweeper.post('/', {});
      expect(swept.status).toBe(200);
      expect(await swept.json()).toEqual({ rows: expect.any(Number) });
    },
    SLOW,
  );

  it(
    'send their spans, where traces are asked for',
    async () => {
      const receiver = await otlpReceiver();
      const env = {
        HOLDFAST_STORE: 'embedded',
        HOLDFAST_DATA: join(folder, 'data-of-traces'),
        OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      };
      const sweeper = await start('sweeper', env);
      await sweeper.post('/', {});
      // On a machine that is busy enough they are late, and then come after the answer.
      await expect
        .poll(() => receiver.spans, { timeout: 10_000 })
        .toMatchObject([{ name: 'sweep', service: 'holdfast-sweeper' }]);
      await receiver.close();
    },
    SLOW,
  );

  it(
    'load the bundled Firestore client when the first call needs it',
    async () => {
      const env = {
        FIRESTORE_EMULATOR_HOST: await useFirestoreEmulator(),
        GOOGLE_CLOUD_PROJECT: randomProject(),
        HOLDFAST_STORE: 'firestore',
        HOLDFAST_DATA: join(folder, 'data-of-firestore'),
      };
      const a2a = await start('a2a', env);
      const sent = await send(a2a);
      expect(await read(a2a, sent.id)).toMatchObject({ id: sent.id, status: sent.status });
    },
    SLOW,
  );
});
