import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type Model, type ModelRequest } from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isEnded } from '../../shared/domain/run.ts';
import { call } from '../../testing/scripted-model.ts';
import { Breaking, BREAKS } from '../../testing/breaking.ts';
import { atEachCall } from './at-each-call.ts';
import { finish, modelAgent, rowOf } from './turn-loop-world.ts';
import { deliver } from './deliver.ts';
import { World } from './world.ts';

const usage = { inputTokens: 0, outputTokens: 0 };
const PAGES = 3;

const read = defineTool({
  name: 'read',
  description: 'Reads a page.',
  parameters: z.object({ page: z.number() }),
  effect: 'read',
  run: ({ page }) => `page ${page} ${'x'.repeat(3_500)}`,
});

/** Reads pages until it has read them all, asks its client, and answers. */
function reader() {
  const requests: ModelRequest[] = [];
  const model: Model = {
    name: 'reader',
    window: 4_000,
    turn(request) {
      const said = JSON.stringify(request.transcript);
      if (request.tools.length === 0)
        return Promise.resolve({ text: `Summary: plum. Read until page ${pagesIn(said)}.`, usage });
      requests.push(request);
      if (said.includes('note this')) return Promise.resolve({ text: 'Noted.', usage });
      if (said.includes('Ulm')) return Promise.resolve({ text: 'All read.', usage });
      const page = pagesIn(said) + 1;
      const next =
        page <= PAGES ? call('read', { page }) : call('ask_client', { question: 'Where?' });
      return Promise.resolve({ calls: [next], usage });
    },
  };
  return { model, requests };
}

/** How many pages it has read, by calls, results or a summary of them. */
const pagesIn = (said: string): number =>
  Math.max(0, ...[...said.matchAll(/page\W+(\d)/g)].map(([, n]) => Number(n)));

/**
 * A task of a conversation, with instructions of its own, two earlier tasks of which one is summed
 * up, a transcript that outgrows its window, and a question. At one call to the store after the
 * other the process fails or dies. Whatever was lost: each turn goes by the same instructions and
 * the same tasks, and nothing is read in halves.
 */
async function run(breaking: Breaking) {
  const { model, requests } = reader();
  let told = 0;
  const agent = modelAgent(model, [], {
    ask: true,
    tools: [read],
    remotes: [],
    memory: { mode: 'summary', tokens: 40 },
    instructions: () => `Number ${(told += 1)}.`,
    limits: { rounds: 60 },
  });
  const front = new World(agent);
  for (const fruit of ['plum', 'fig']) {
    await front.send(`note this: ${fruit} ${'x'.repeat(100)}`, { contextId: 'talk' });
    await finish(front);
    await front.clock.advance(1);
  }
  requests.length = 0;
  const worker = new World(agent, {
    below: front,
    seed: 5,
    wrap: (below) => breaking.store(below),
  });
  await worker.clock.advance(2);
  const { taskId } = await front.send('Read the book', { contextId: 'talk' });
  for (let round = 0; round < 300; round += 1) {
    const row = await rowOf(front, taskId);
    if (isEnded(row) && row.projectedRevision === row.revision) break;
    if (row.status === 'waiting_for_input' && row.projectedRevision === row.revision)
      await front.trySend([{ text: 'Ulm' }], { taskId });
    await deliver(front, breaking.dead ? front : worker);
    await front.clock.advance(5_000);
    if (!breaking.dead) await worker.clock.advance(5_000);
    await sweep(front.app);
  }
  return { requests, task: await front.get(taskId) };
}

function check({ requests, task }: Awaited<ReturnType<typeof run>>): void {
  expect(task.status).toMatchObject({
    state: 'COMPLETED',
    message: { parts: [{ text: 'All read.' }] },
  });
  const instructions = new Set(requests.map((request) => request.instructions));
  expect(instructions.size).toBe(1);
  const first = JSON.stringify(requests[0]?.memory);
  expect(first).toContain('Summary: plum.');
  expect(first).toContain('fig');
  for (const { memory, transcript } of requests) {
    // Shown as at first, or in the summary of it all.
    const summed = JSON.stringify(transcript).includes('Summary: plum.');
    expect(summed || JSON.stringify(memory) === first).toBe(true);
    const calls = transcript.flatMap((entry) => (entry.role === 'model' ? entry.calls : []));
    const results = transcript.filter(({ role }) => role === 'tool');
    expect(results).toHaveLength(calls.length);
  }
}

it('a run that remembers and sums up, whose process is lost at any call to the store, goes on as one that is not', async () => {
  const whole = new Breaking(0, 'before');
  const outcome = await run(whole);
  check(outcome);
  expect(JSON.stringify(outcome.requests.at(-1)?.transcript)).toContain('Summary: plum.');
  expect(whole.calls).toBeGreaterThan(20);
  for (const how of BREAKS)
    await atEachCall(whole, how, async (breaking) => check(await run(breaking)));
}, 120_000);
