import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from './eventually.ts';
import { asOperator } from './operating.ts';
import { BRISK, type Server, useFleet } from './server.ts';

const fleet = useFleet();
const CLI = fileURLToPath(new URL('../../functions/cli/main.ts', import.meta.url));
const AGENTS = 'test/fixtures/agents/e2e-upgrade.ts';

const row = z.object({
  id: z.string(),
  agent: z.string(),
  status: z.string(),
  reason: z.string().optional(),
  waitsFor: z
    .object({ kind: z.string(), generation: z.number(), digest: z.string().optional() })
    .optional(),
  blocked: z.object({ changes: z.array(z.unknown()) }).optional(),
});
type Row = z.output<typeof row>;
const rows = z.object({ runs: z.array(row) });

const checkedRun = z.object({
  run: z.string(),
  agent: z.string(),
  verdict: z.string(),
  from: z.string().optional(),
  why: z.string().optional(),
  changes: z.array(z.unknown()).optional(),
  line: z.string().optional(),
});
type Checked = z.output<typeof checkedRun>;

/** By the agents: what the check says, and what becomes of the run. */
const EXPECTED = {
  added: ['goes on', '2 approve go', 'completed'],
  renamed: ['held', 'step 1 step read is changed (step look)', 'queued'],
  shorter: ['held', 'step 2 approve go is gone', 'queued'],
  dearer: ['held', 'step 1 approve pay is changed (approve pay)', 'queued'],
  throwing: ['held', 'step 1 approve go is gone', 'queued'],
  asking: [
    'differs',
    '1 ask has another schema: an answer that does not fit it is asked for again',
    'waiting_for_input',
  ],
  early: [
    'differs',
    'the event paid that was delivered (1) does not fit its schema any more',
    'failed',
  ],
  undeclared: ['held', 'step 2 event paid is gone', 'waiting_for_event'],
  limited: ['fails', 'ROUNDS_EXCEEDED', 'failed'],
  calling: ['held', 'remote peer is gone', 'queued'],
  modelled: ['held', 'tool pay is changed (parameters)', 'queued'],
  plain: ['goes on', undefined, 'completed'],
  gone: ['held', 'agent gone is gone', 'waiting_for_approval'],
} as const satisfies Record<string, readonly [string, string | undefined, string]>;

test('what is said of runs that wait is what becomes of them under the next release', {
  timeout: 180_000,
}, async () => {
  const later = join(await fleet.folder(), 'later');
  const server = await fleet.start({
    store: 'embedded',
    args: ['--agents', AGENTS],
    settings: { ...BRISK, backoff: 200, backoffMax: 400 },
    env: { HOLDFAST_E2E_LATER: later },
  });
  for (const agent of Object.keys(EXPECTED)) await send(server, agent);
  const waiting = await eventually(
    () => runsOf(server),
    (all) => all.length === 13 && all.every(({ waitsFor }) => waitsFor !== undefined),
  );
  await act(server, idOf(waiting, 'early'), 'events', { name: 'paid', data: 7, id: randomUUID() });

  // A server works on the same data, and every run goes on under the release that it serves.
  const present = await check(server, later);
  expect(present.code).toBe(0);
  expect(present.runs.map(({ verdict }) => verdict)).toEqual(Array(13).fill('goes on'));

  await writeFile(later, '');
  const before = await runsOf(server);
  const next = await check(server, later);
  expect(next.code).toBe(1);
  expect(await runsOf(server)).toEqual(before);
  const said = next.runs.map(({ agent, from, verdict, why }) => [agent, verdict, from ?? why]);
  expect(Object.fromEntries(said.map(([agent, ...rest]) => [agent, rest]))).toEqual(
    Object.fromEntries(
      Object.entries(EXPECTED).map(([agent, [...rest]]) => [agent, rest.slice(0, 2)]),
    ),
  );
  expect(of(next.runs, 'renamed')?.line).toMatch(
    /^test\/fixtures\/agents\/e2e-upgrade\.ts:\d+:\d+$/,
  );
  expect(JSON.stringify(next)).not.toContain('secret');

  await server.restart('kill');
  for (const { agent, id, waitsFor } of waiting) {
    const { digest, generation: pauseGeneration, kind } = waitsFor ?? {};
    const named = { pauseGeneration, ...(digest !== undefined && { digest }) };
    if (kind === 'approval') await act(server, id, 'decisions', { kind: 'approve', ...named });
    const input = agent === 'asking' ? { count: 7 } : 'Ada';
    if (kind === 'input') await act(server, id, 'decisions', { kind: 'input', input, ...named });
  }
  const became = await eventually(
    () => runsOf(server),
    (all) => all.every((each) => isSettled(each, waiting)),
  );
  const now = became.map(({ agent, status }) => [agent, status]);
  expect(Object.fromEntries(now)).toEqual(
    Object.fromEntries(Object.entries(EXPECTED).map(([agent, [, , status]]) => [agent, status])),
  );
  // In the same words, by the server that meets them.
  for (const { agent, blocked } of became.filter(({ waitsFor }) => waitsFor === undefined))
    expect([agent, blocked?.changes]).toEqual([agent, of(next.runs, agent)?.changes]);
  expect(became.find(({ agent }) => agent === 'limited')?.reason).toBe('ROUNDS_EXCEEDED');
  await rm(later);
  await server.stop();
  // What is held would go on again.
  const back = await check(server, later);
  expect(back.runs.map(({ verdict }) => verdict)).toEqual(Array(back.runs.length).fill('goes on'));
  expect(back.code).toBe(0);
});

/** It has come to where it stays: it ended, is blocked, or asks again. */
function isSettled({ agent, blocked, status, waitsFor }: Row, before: readonly Row[]): boolean {
  const was = before.find((each) => each.agent === agent)?.waitsFor;
  // Nothing wakes it: no event is taken for it, and no decision.
  if (was?.kind === 'event' || agent === 'gone') return true;
  const again = (waitsFor?.generation ?? 0) > (was?.generation ?? 0);
  return blocked !== undefined || again || ['completed', 'failed'].includes(status);
}

const of = (all: readonly Checked[], agent: string): Checked | undefined =>
  all.find((each) => each.agent === agent);

function idOf(all: readonly Row[], agent: string): string {
  return all.find((each) => each.agent === agent)?.id ?? '';
}

async function runsOf(server: Server): Promise<readonly Row[]> {
  const { body } = await (await asOperator(server)).get('/runs?limit=100');
  return rows.parse(body).runs.toSorted((a, b) => a.agent.localeCompare(b.agent));
}

async function act(server: Server, id: string, what: string, body: object): Promise<void> {
  const { status, text } = await (await asOperator(server)).post(`/runs/${id}/${what}`, body);
  expect(text).toContain(status === 403 ? 'the agent of this task is not published here' : id);
}

/** The command, over the folder of a server. */
async function check({ data }: Server, later: string) {
  const args = [CLI, 'check-upgrade', '--json', '--time', '60', '--agents', AGENTS, '--data', data];
  const env = { ...process.env, HOLDFAST_E2E_LATER: later };
  const { code, said } = await new Promise<{ code: number; said: string }>((resolve) => {
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      const ended = error === null ? 0 : Number(error.code);
      resolve({ code: ended, said: stdout + stderr });
    });
  });
  const lines = said.split('\n').filter((line) => line.includes('"run"'));
  return { code, runs: lines.map((line) => checkedRun.parse(JSON.parse(line))), said };
}

async function send({ url }: Server, agent: string): Promise<void> {
  const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'go' }] };
  const response = await fetch(`${url}/agents/${agent}/message:send`, {
    method: 'POST',
    headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
    body: JSON.stringify({ message, configuration: { returnImmediately: true } }),
  });
  expect(response.status).toBe(200);
}
