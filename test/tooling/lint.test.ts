// A check that is silently green is the danger: each kind of breach is seeded and must be reported.
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { delimiter, join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkBannedGlobals } from '../../tools/checks/banned-globals.ts';
import { checkFileSizes } from '../../tools/checks/file-size.ts';
import { checkLayers } from '../../tools/checks/layers.ts';
import { checkRunWriters } from '../../tools/checks/run-writers.ts';
import { projectWith } from './project-fixture.ts';

const repository = resolve(import.meta.dirname, '../..');

function oxlint(files: Readonly<Record<string, string>>): string {
  const compiler = '{ "compilerOptions": { "strict": true, "lib": ["ES2024"], "types": [] } }';
  const root = projectWith({ 'tsconfig.json': compiler, ...files });
  copyFileSync(join(repository, '.oxlintrc.json'), join(root, '.oxlintrc.json'));
  const bin = join(repository, 'node_modules/.bin');
  // It looks for its type-aware half here and on the PATH, which only npm fills.
  const env = { ...process.env, PATH: [bin, process.env['PATH']].join(delimiter) };
  const options = { cwd: root, env, encoding: 'utf8' } as const;
  const { status, stdout } = spawnSync(join(bin, 'oxlint'), ['--format=unix'], options);
  return `${status === 0 ? 'green' : 'red'}\n${stdout}`;
}

describe('oxlint', () => {
  test('clean code passes', () => {
    expect(oxlint({ 'shared/app/a.ts': 'export const one = 1;\n' })).toMatch(/^green/);
  });

  test.each([
    ['no-explicit-any', 'export const a: any = 1;'],
    ['no-non-null-assertion', 'export const f = (a?: string) => a!;'],
    ['no-console', 'export const f = () => console.log(1);'],
    ['eqeqeq', 'export const f = (a: string) => a == "x";'],
    ['no-floating-promises', 'async function f() {}\nexport const g = () => { f(); };'],
    [
      'no-misused-promises',
      'export const g = (p: Promise<boolean>) => { if (p) return 1; return 2; };',
    ],
    [
      'switch-exhaustiveness-check',
      'export function f(a: "x" | "y") { switch (a) { case "x": return 1; } return 2; }',
    ],
    ['no-unsafe-return', 'export const f = (s: string): string => JSON.parse(s);'],
    ['Unused .* directive', '// oxlint-disable-next-line eqeqeq\nexport const a = 1;'],
  ])('%s is an error', (rule, code) => {
    const output = oxlint({ 'shared/app/a.ts': `${code}\n` });
    expect(output).toMatch(/^red/);
    expect(output).toMatch(new RegExp(rule));
  });

  test('an import cycle is an error', () => {
    const output = oxlint({
      'shared/app/a.ts': "import { b } from './b.ts';\nexport const a = (): number => b();\n",
      'shared/app/b.ts': "import { a } from './a.ts';\nexport const b = (): number => a();\n",
    });
    expect(output).toMatch(/^red/);
    expect(output).toContain('no-cycle');
  });
});

function layerMessages(file: string, code: string): string[] {
  return checkLayers(projectWith({ [file]: code })).findings.map(({ message }) => message);
}

describe('the writers of runs', () => {
  const found = (file: string, code: string): string[] =>
    checkRunWriters(projectWith({ [file]: code })).findings.map(({ message }) => message);

  test.each([
    ['shared/app/tasks/a.ts', "import { writableRun } from '../change/writable-run.ts';"],
    ['shared/app/tasks/a.ts', "import { writableRun as row } from '../change/writable-run.ts';"],
    ['shared/app/tasks/a.ts', "export { writableRun } from '../change/writable-run.ts';"],
    ['shared/app/change/a.ts', "import { runCodec } from '../records/run-document.ts';"],
    ['functions/a.ts', "import { runCodec } from '../shared/app/records/run-document.ts';"],
  ])('%s may not: %s', (file, code) => {
    expect(found(file, `${code}\n`)).toEqual([expect.stringContaining('shared/app/change')]);
  });

  test.each([
    ['shared/app/change/a.ts', "import { writableRun } from './writable-run.ts';"],
    ['shared/app/tasks/a.ts', "import { runDoc } from '../records/documents.ts';"],
    [
      'test/app/a.test.ts',
      "import { writableRun } from '../../shared/app/change/writable-run.ts';",
    ],
  ])('%s may: %s', (file, code) => {
    expect(found(file, `${code}\n`)).toEqual([]);
  });
});

describe('layers', () => {
  test.each([
    ['shared/system/a.ts', "import { memoryUsage } from 'node:process';"],
    ['shared/domain/a.ts', "import { x } from '../ports/x.ts';"],
    ['shared/domain/a.ts', "import { readFile } from 'node:fs';"],
    ['shared/ports/a.ts', "import type { X } from '../store/x.ts';"],
    ['shared/store/a.ts', "export { x } from '../app/x.ts';"],
    ['shared/app/change/a.ts', "export * from '../../gcp/x.ts';"],
    ['shared/app/change/a.ts', "import type { X } from '../tasks/x.ts';"],
    ['shared/app/deep/a.ts', "import { x } from '../change/x.ts';"],
    ['shared/app/a.ts', "import { x } from './change/x.ts';"],
    ['examples/greeter/agent.ts', "import { x } from '../../shared/app/x.ts';"],
    ['shared/app/a.ts', "export const x = () => import('../gcp/x.ts');"],
    ['shared/app/a.ts', "export type X = import('../gcp/x.ts').X;"],
    ['shared/app/a.ts', "import type { Task } from '@a2a-js/sdk';"],
    ['shared/agent/a.ts', "import { x } from '../a2a/x.ts';"],
    ['shared/app/a.ts', "import { trace } from '@opentelemetry/api';"],
    ['shared/telemetry/a.ts', "import { x } from '../app/x.ts';"],
    ['shared/gcp/a.ts', "import { x } from '../app/x.ts';"],
    ['shared/gcp/a.ts', "import { http } from '@google-cloud/functions-framework';"],
    ['shared/embedded/a.ts', "import { Firestore } from '@google-cloud/firestore';"],
    ['shared/agent/a.ts', "import { x } from '../../functions/x.ts';"],
    ['shared/app/a.ts', "import { x } from '../../test/x.ts';"],
    ['functions/a2a/a.ts', "import { Firestore } from '@google-cloud/firestore';"],
    ['shared/new/a.ts', "import { x } from './x.ts';"],
    ['shared/app/a.ts', "import { x } from './x.js';"],
  ])('in %s a breach is found: %s', (file, code) => {
    expect(layerMessages(file, code)).toHaveLength(1);
  });

  test.each([
    ['shared/domain/deep/a.ts', "import { createHash } from 'node:crypto';\nimport '../x.ts';"],
    ['shared/app/a.ts', "import { z } from 'zod';\nimport { x } from '../store/x.ts';"],
    ['shared/app/change/a.ts', "import type { X } from '../records/x.ts';\nimport '../app.ts';"],
    ['shared/gcp/a.ts', "export const x = () => import('@google-cloud/firestore');"],
    ['shared/app/a.test.ts', "import { x } from '../embedded/x.ts';\nimport 'vitest';"],
    ['functions/a2a/a.ts', "import { x } from '../../shared/gcp/x.ts';"],
    ['test/e2e/a.test.ts', "import { x } from '../../functions/x.ts';"],
  ])('in %s a proper import passes: %s', (file, code) => {
    expect(layerMessages(file, code)).toEqual([]);
  });
});

test('a cycle of imports is found, also one of types alone', () => {
  const { findings } = checkLayers(
    projectWith({
      'shared/app/tasks/a.ts': "import type { B } from './b.ts';",
      'shared/app/tasks/b.ts': "import type { C } from './c.ts';",
      'shared/app/tasks/c.ts': "import type { B } from './b.ts';",
    }),
  );
  expect(findings.map(({ message }) => message)).toEqual([
    'an import cycle: shared/app/tasks/b.ts -> shared/app/tasks/c.ts -> shared/app/tasks/b.ts.',
  ]);
});

function banned(code: string, file = 'shared/app/a.ts'): string[] {
  return checkBannedGlobals(projectWith({ [file]: code })).findings.map(({ message }) => message);
}

describe('banned globals', () => {
  test.each([
    'export const a = Date.now();',
    'export const a = new Date();',
    'export const a = Math.random();',
    'export const a = crypto.randomUUID();',
    "import { randomUUID } from 'node:crypto';",
    "import { randomBytes as b } from 'node:crypto';",
    "import { setTimeout as sleep } from 'node:timers/promises';",
    'setTimeout(() => {}, 1);',
    'globalThis.setInterval(() => {}, 1);',
    'setImmediate(() => {});',
    'export const a = performance.now();',
    "export const a = fetch('https://example.org');",
    'export const a = (get = fetch) => get;',
    'export const a = { get: fetch };',
    'export const a = { fetch };',
    'export const a = AbortSignal.timeout(5);',
    "import { connect } from 'node:tls';",
    "import { type Socket, connect } from 'node:net';",
    "import dns from 'node:dns/promises';",
  ])('are found: %s', (code) => {
    expect(banned(code)).toHaveLength(1);
  });

  test.each([
    'export const a = new Date(0).toISOString();',
    'export const a = (ports: { fetch(): void }) => ports.fetch();',
    'export const a = (fetch: () => void) => fetch();',
    'export const a = ({ fetch }: { fetch: () => void }) => fetch();',
    'export const a = (fetch: () => void = () => {}) => fetch();',
    'export interface Http { fetch(url: string): void }',
    'export class Http { fetch() {} }',
    "import type { AddressInfo } from 'node:net';",
    "import { type Socket, type AddressInfo } from 'node:net';",
    "// Date.now()\nexport const a = 'Math.random()';",
  ])('are not seen in: %s', (code) => {
    expect(banned(code)).toEqual([]);
  });

  test('are free in the adapters, and nowhere else under shared', () => {
    expect(banned('export const a = Date.now();', 'shared/embedded/clock.ts')).toEqual([]);
    expect(banned('export const a = Date.now();', 'shared/domain/clock.ts')).toHaveLength(1);
    expect(banned('export const a = Date.now();', 'functions/worker/index.ts')).toHaveLength(1);
  });

  test('the one way out may go out, by a clock that is a port', () => {
    expect(banned("import { connect } from 'node:tls';", 'shared/outgoing/connect.ts')).toEqual([]);
    expect(banned('export const a = Date.now();', 'shared/outgoing/clock.ts')).toHaveLength(1);
  });
});

test('a source file of more than 400 lines is found', () => {
  const root = projectWith({
    'shared/app/long.ts': '//\n'.repeat(401),
    'shared/app/fits.ts': '//\n'.repeat(400),
    'test/long.test.ts': '//\n'.repeat(601),
  });
  const { findings } = checkFileSizes(root);
  expect(findings.map(({ file }) => file)).toEqual(['shared/app/long.ts', 'test/long.test.ts']);
});
