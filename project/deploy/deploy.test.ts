import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { once } from 'node:events';
import { expect, onTestFinished, test, vi } from 'vitest';
import { deployCommand } from './command.ts';

/** Writes down what it was asked, and does as much as a deployment looks at. */
const STUB = `#!/bin/sh
echo "$*" >> "$STUB_LOG"
case "$1" in
  version) echo "{ \\"terraform_version\\": \\"$STUB_VERSION\\" }" ;;
  plan) exit "$STUB_CHANGES" ;;
  output) printf %s "$STUB_ENDPOINT" ;;
esac
`;

const CARD = { name: 'greeter', supportedInterfaces: [{ url: 'http://127.0.0.1/' }] };
const TASK = { task: { id: 't-1', status: { state: 'TASK_STATE_COMPLETED' } } };

async function setUp({ answers = 200, changes = 2, version = '1.11.4', ready = true } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-deploy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const terraform = join(folder, 'terraform');
  mkdirSync(terraform);
  writeFileSync(join(terraform, 'terraform.tfvars.example'), '');
  if (ready) writeFileSync(join(terraform, 'terraform.tfvars'), '');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'terraform'), STUB);
  chmodSync(join(bin, 'terraform'), 0o755);
  const deployed = createServer((request, response) => {
    response.writeHead(answers, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(request.method === 'GET' ? CARD : TASK));
  }).listen(0, '127.0.0.1');
  await once(deployed, 'listening');
  onTestFinished(() => void deployed.close());
  const { port } = deployed.address() as AddressInfo;
  const log = join(folder, 'log');
  writeFileSync(log, '');
  vi.stubEnv('PATH', `${bin}${delimiter}${process.env['PATH'] ?? ''}`);
  vi.stubEnv('STUB_LOG', log);
  vi.stubEnv('STUB_VERSION', version);
  vi.stubEnv('STUB_CHANGES', String(changes));
  vi.stubEnv('STUB_ENDPOINT', `http://127.0.0.1:${port}`);
  vi.stubEnv('HOLDFAST_IDENTITY_TOKEN', '');
  onTestFinished(() => void vi.unstubAllEnvs());
  const said: string[] = [];
  for (const stream of [process.stdout, process.stderr]) {
    const spy = vi.spyOn(stream, 'write').mockImplementation((text) => said.push(String(text)) > 0);
    onTestFinished(() => spy.mockRestore());
  }
  const built: (readonly string[])[] = [];
  const deploy = async (args: readonly string[], answer?: string) => {
    const code = await deployCommand(['--terraform', terraform, ...args], {
      ask: answer === undefined ? undefined : () => Promise.resolve(answer),
      build: (given) => Promise.resolve(built.push(given) - 1),
    });
    const asked = readFileSync(log, 'utf8').trim().split('\n');
    return { code, asked: asked.map((line) => line.split(' ')[0]), said: said.join(''), built };
  };
  return { deploy };
}

const PLANNED = ['version', 'init', 'plan'];

test('a dry run packs and plans, and ends there', async () => {
  const { deploy } = await setUp();
  const found = await deploy(['--dry-run', '--yes', '--agents', 'agents/other.ts']);
  expect(found).toMatchObject({
    code: 0,
    asked: PLANNED,
    built: [['--agents', 'agents/other.ts']],
  });
});

test.each([['n'], ['']])('an answer that is no yes applies nothing: %j', async (answer) => {
  const { deploy } = await setUp();
  expect(await deploy([], answer)).toMatchObject({ code: 1, asked: PLANNED });
});

test('without a person to ask it applies nothing, and says which command would', async () => {
  const { deploy } = await setUp();
  const found = await deploy(['--text', 'hi']);
  expect(found).toMatchObject({ code: 2, asked: PLANNED });
  expect(found.said).toMatch(/npx --no holdfast deploy .*--text hi --yes/);
});

test.each([
  [['--yes'], undefined],
  [[], 'y'],
])('after a yes (%j %j) it applies the plan, and a message is answered', async (args, answer) => {
  const { deploy } = await setUp();
  const found = await deploy(args, answer);
  expect(found).toMatchObject({ code: 0, asked: [...PLANNED, 'apply', 'output'] });
  expect(found.said).toContain('answered by the task t-1: TASK_STATE_COMPLETED');
});

test('a plan without changes is not applied and not asked for; the deployment is tried', async () => {
  const { deploy } = await setUp({ changes: 0 });
  expect(await deploy([])).toMatchObject({ code: 0, asked: [...PLANNED, 'output'] });
});

test('a plan that fails ends it', async () => {
  const { deploy } = await setUp({ changes: 1 });
  expect(await deploy(['--yes'])).toMatchObject({ code: 1, asked: PLANNED });
});

test('a deployment that does not answer is told as such, with what helps', async () => {
  const { deploy } = await setUp({ answers: 401 });
  const found = await deploy(['--yes', '--timeout', '5']);
  expect(found).toMatchObject({ code: 1, asked: [...PLANNED, 'apply', 'output'] });
  expect(found.said).toMatch(/it is deployed, and does not answer as it should: .*401/);
  expect(found.said).toContain('HOLDFAST_IDENTITY_TOKEN');
});

test('what only the author can fill in, and a Terraform that is too old, stop it before the work', async () => {
  const unready = await setUp({ ready: false });
  expect(await unready.deploy([])).toMatchObject({
    code: 2,
    built: [],
    said: expect.stringContaining('copy terraform.tfvars.example there'),
  });
  const old = await setUp({ version: '1.5.7' });
  expect(await old.deploy([])).toMatchObject({
    code: 2,
    built: [],
    said: expect.stringContaining('terraform is 1.5'),
  });
});

test('without Terraform it says what to install', async () => {
  const { deploy } = await setUp();
  vi.stubEnv('PATH', '');
  expect(await deploy([])).toMatchObject({
    code: 2,
    built: [],
    said: expect.stringContaining('terraform is not on the PATH'),
  });
});
