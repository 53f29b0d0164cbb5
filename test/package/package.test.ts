// The package as its user has it: packed, installed into an empty folder outside this checkout, and
// used there. What is imported from this checkout only drives it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { askBinary } from '../terraform/ask-binary.ts';
import { serveProvider } from '../terraform/provider/serve.ts';
import { linkFindings } from '../../tools/checks/links.ts';
import { projectFiles } from '../../tools/checks/sources.ts';
import { runProgram } from '../terraform/run-program.ts';
import { Dev } from './dev.ts';
import {
  commandIn,
  installPackage,
  must,
  NAME,
  npm,
  optionsOf,
  PROJECT,
  sizeOf,
} from './installed.ts';
import { runJest } from './jest.ts';
import { findNode22 } from './node22.ts';

const SLOW = 240_000;
const [terraform, node22] = await Promise.all([askBinary(), findNode22()]);
if (node22 === undefined) process.stdout.write('package: NO NODE 22 HERE, tried on 24 alone\n');
if (terraform === '') process.stdout.write('package: NO TERRAFORM HERE, its plan is not tried\n');

const NODES: readonly (readonly [string, string])[] = [
  ['Node 24', process.execPath],
  ...(node22 === undefined ? [] : [['Node 22', node22] as const]),
];

let installed = '';
let folder = '';
/** The zip of a function, whose name has its hash. */
let worker = '';

beforeAll(async () => {
  installed = await installPackage();
  folder = join(dirname(installed), 'agents');
  await must({ folder: installed }, process.execPath, commandIn(installed), 'init', '../agents');
  await npm({ folder }, 'install', '--prefer-offline', '--no-audit');
}, SLOW);

afterAll(async () => {
  if (installed !== '') await rm(dirname(installed), { recursive: true, force: true });
}, SLOW);

test('an installation keeps to its budget, and has no client of Google', () => {
  const budget = z.object({ megabytes: z.number(), packages: z.number() });
  const text = readFileSync(join(PROJECT, 'budgets.json'), 'utf8');
  const { install } = z.object({ install: budget }).parse(JSON.parse(text));
  const { megabytes, packages } = sizeOf(join(installed, 'node_modules'));
  expect(megabytes).toBeLessThan(install.megabytes);
  expect(packages).toBeLessThanOrEqual(install.packages);
  expect(existsSync(join(installed, 'node_modules/@google-cloud'))).toBe(false);
});

test('each link of its pages leads to what is in it, the examples among that', () => {
  const root = join(installed, 'node_modules', NAME);
  // The template is a project of its own, whose links are written when it is.
  const pages = ['docs', 'examples', 'terraform'].flatMap((part) =>
    projectFiles(join(root, part), ['.md']).map((file) => `${part}/${file}`),
  );
  const { count, findings } = linkFindings(root, [...pages, 'README.md', 'CHANGELOG.md']);
  expect(findings).toEqual([]);
  expect(count).toBeGreaterThan(400);
  const how = readFileSync(join(root, 'docs/how-to.md'), 'utf8');
  expect(how).toContain('(../examples/morning-digest/agent.ts)');
});

test('every entry point has types that pass without skipLibCheck, under the name of the package', async () => {
  const entries = ['agent', 'executor', 'models', 'task-store', 'testing'];
  const text = entries.map((each, at) => `export * as e${at} from '${NAME}/${each}';\n`).join('');
  const all = join(folder, 'agents/all.ts');
  writeFileSync(all, text);
  // The project's own check looks at no types of packages: those of the AI SDK would not pass.
  await npm({ folder }, 'run', 'check', '--', '--skipLibCheck', 'false');
  const load = `await import('./agents/all.ts').then((all) => console.log(Object.keys(all).length))`;
  const { stdout } = await must({ folder }, process.execPath, '--input-type=module', '-e', load);
  expect(stdout.trim()).toBe(String(entries.length));
  rmSync(all);
});

test('what is not installed is named, with the command that installs it', async () => {
  const args = [
    commandIn(folder),
    'start',
    '--store',
    'firestore',
    '--project',
    'p',
    '--port',
    '0',
  ];
  const { code, output } = await runProgram(process.execPath, args, optionsOf({ folder }));
  expect(code).toBe(2);
  expect(output).toMatch(/npm install @google-cloud\/firestore@\d+\.\d+\.\d+/);
});

test('the kit of tests runs under jest', { timeout: SLOW }, async (context) => {
  const ended = await runJest({ folder });
  if (ended === undefined) {
    process.stdout.write('package: JEST CAN NOT BE INSTALLED HERE, it is not tried\n');
    return context.skip();
  }
  expect(ended.output).toMatch(/Tests:\s+1 passed, 1 total/);
  expect(ended.code).toBe(0);
});

describe.each(NODES)('on %s', (_, node) => {
  test('the test of the new project passes', { timeout: SLOW }, async () => {
    const { output } = await npm({ folder, node }, 'test');
    expect(output).toMatch(/pass 2\b[\s\S]*fail 0\b/);
  });

  test('dev serves each change; a run that waits goes on, and what does not load changes nothing', {
    timeout: SLOW,
  }, async () => {
    const agent = join(folder, 'agents/greeter.ts');
    const source = readFileSync(agent, 'utf8');
    const dev = new Dev({ folder, node });
    try {
      await dev.said(/^Console: http:\/\/127\.0\.0\.1:\d+\/console\//m);
      expect(existsSync(join(folder, 'node_modules/.cache/holdfast'))).toBe(true);
      const asked = await dev.send(' ');
      expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');

      // From now on it has a process of its own, and says so.
      const where = "${process.argv[1]?.includes('agent-process') ? 'a process' : 'the server'}";
      const changed = source.replace('Hello, ', `Good day from ${where}, `);
      writeFileSync(agent, changed.replace('name:', "isolation: 'process',\n  name:"));
      await dev.said(/serving what changed/);
      const served = await dev.send('Bob');
      expect(served.artifacts?.[0]?.parts).toEqual([{ text: 'Good day from a process, Bob!' }]);
      const before = dev.lines.length;
      writeFileSync(agent, `${source}export const broken = {\n`);
      await dev.said(
        /greeter\.ts:\d+[\s\S]*the server goes on with the agents that it had/,
        before,
      );

      const task = await dev.send('Ada', asked.id);
      expect(task.status.state).toBe('TASK_STATE_COMPLETED');
      expect(task.artifacts?.[0]?.parts).toEqual([{ text: 'Good day from a process, Ada!' }]);
      const broken = dev.lines.length;
      writeFileSync(agent, source);
      await dev.said(/serving what changed/, broken);
    } finally {
      await dev.stop();
      writeFileSync(agent, source);
    }
  });
});

test('build packs a function with the agents of the project, and without a path of this machine', {
  timeout: SLOW,
}, async () => {
  const args = [commandIn(folder), 'build', '--only', 'worker'];
  const { stdout } = await must({ folder }, process.execPath, ...args);
  [, worker = ''] = /^(worker-[0-9a-f]{64}\.zip) /m.exec(stdout) ?? [];
  const zip = readFileSync(join(folder, 'dist', worker));
  expect(zip.includes('Greets you by name.')).toBe(true);
  expect(zip.includes(dirname(folder))).toBe(false);
});

test.runIf(terraform !== '')(
  'deploy --dry-run packs all functions and plans the deployment with the module of the package',
  { timeout: SLOW },
  async () => {
    const provider = await serveProvider();
    try {
      const env = {
        CHECKPOINT_DISABLE: '1',
        TF_CLI_ARGS_plan: '-no-color',
        ...provider.environment,
      };
      // Where it was built, it is on no PATH.
      const bin = join(folder, '.bin');
      mkdirSync(bin, { recursive: true });
      const script = `#!/bin/sh\nexec ${terraform === 'terraform' ? '' : dirname(terraform)}/terraform "$@"\n`;
      if (terraform !== 'terraform') writeFileSync(join(bin, 'terraform'), script, { mode: 0o755 });
      const place = { folder, env: { ...env, PATH: `${bin}:${optionsOf({ folder }).env.PATH}` } };
      const values = 'project_id = "acme-agents"\nregion     = "europe-west1"\n';
      writeFileSync(join(folder, 'terraform/terraform.tfvars'), values);
      writeFileSync(join(folder, 'terraform/state.gcs.tfbackend'), '');
      // State stays here, not in a bucket.
      const override = join(folder, 'terraform/test_override.tf');
      writeFileSync(override, 'terraform {\n  backend "local" {}\n}\n');
      const { output } = await must(
        place,
        process.execPath,
        commandIn(folder),
        'deploy',
        '--dry-run',
      );
      expect(output).toMatch(/Plan: 2\d\d to add, 0 to change, 0 to destroy/);
      expect(output).toContain('Nothing was changed');
      // The same sources give the same bytes.
      expect(output).toContain(worker);
      await must({ ...place, folder: join(folder, 'terraform') }, 'terraform', 'validate');
      await must({ ...place, folder: join(folder, 'terraform') }, 'terraform', 'fmt', '-check');
    } finally {
      provider.stop();
    }
  },
);
