import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from './eventually.ts';
import { asOperator } from './operating.ts';
import { type Server, useFleet } from './server.ts';

const fleet = useFleet();
const CASES = 8;

const linesIn = async (file: string): Promise<readonly string[]> =>
  (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((each) => each !== '');

function begin({ data }: Server, args: readonly string[]) {
  const all = ['functions/cli/main.ts', 'eval', 'scripted', ...args, '--data', data];
  const child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'inherit'] });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = once(child, 'close').then(([code]: readonly unknown[]) => ({
    code,
    out: Buffer.concat(chunks).toString(),
  }));
  return { child, ended };
}

const runsOf = z.object({ runs: z.array(z.object({ agent: z.string() })) });

test('an evaluation that is killed goes on where it was: each case is one task, scored once, and compared', async () => {
  const server = await fleet.start({
    store: 'embedded',
    args: ['--agents', 'test/fixtures/agents/e2e-eval.ts'],
  });
  const folder = await fleet.folder();
  const [cases, out, second] = ['cases', 'first', 'second'].map((name) =>
    join(folder, `${name}.jsonl`),
  ) as [string, string, string];
  const lines = Array.from({ length: CASES }, (_, at) => ({
    id: `case-${at + 1}`,
    input: `steps=${at + 1} delay=30`,
    expect: at === 2 ? 'something else' : `done: steps=${at + 1}`,
  }));
  await writeFile(cases, lines.map((each) => `${JSON.stringify(each)}\n`).join(''));
  const args = ['--cases', cases, '--at-once', '2', '--score', 'contains,agent:judge'];

  const killed = begin(server, [...args, '--out', out]);
  await eventually(
    async () => (await linesIn(out)).length,
    (count) => count >= 3,
    60_000,
  );
  killed.child.kill('SIGKILL');
  await killed.ended;
  // As a kill leaves a line that it cut off.
  await appendFile(out, '{"case":"case-');
  const { code, out: told } = await begin(server, [...args, '--out', out]).ended;
  expect(told).toMatch(/^case-3 +0\.00 .*contains: is not in it; agent:judge: does not say so$/m);
  expect(told).toContain('passed  7 of 8');
  expect(code).toBe(1);
  const results = (await linesIn(out)).slice(1).map((each) => JSON.parse(each) as { case: string });
  expect(results.map((each) => each.case).toSorted((a, b) => a.localeCompare(b))).toEqual(
    lines.map(({ id }) => id),
  );
  const { get } = await asOperator(server);
  const { runs } = runsOf.parse((await get('/runs?limit=100')).body);
  expect(runs.filter(({ agent }) => agent === 'scripted')).toHaveLength(CASES);
  expect(runs.filter(({ agent }) => agent === 'judge')).toHaveLength(CASES);

  const compared = await begin(server, [...args, '--out', second, '--against', out]).ended;
  expect(compared.out).toContain('passed  7 of 8 (was 7)');
  expect(compared.out).toContain('score   0.88 (was 0.88)');
});
