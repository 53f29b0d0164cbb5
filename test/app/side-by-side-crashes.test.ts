import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, RetryLater, type Tool, type ToolEffect } from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isEnded } from '../../shared/domain/run.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { type Break, Breaking, BREAKS } from '../../testing/breaking.ts';
import { decide, everythingGranted, modelAgent, rowOf } from './turn-loop-world.ts';
import { deliver } from './deliver.ts';
import { World } from './world.ts';

/** One time that a tool runs, its process is gone in the middle, or it asks to wait. */
interface Fate {
  readonly at: number;
  readonly how: 'death' | 'retry';
}

const names = (turn: number, ...tools: readonly string[]) =>
  tools.map((tool, at) => ({ tool, id: `call-${turn}-${at + 1}` }));
const FIRST = names(2, 'look', 'look', 'look', 'pay', 'look', 'note', 'look', 'look');
const SECOND = names(11, 'look', 'look', 'erase', 'look');
const CALLS = [...FIRST, ...SECOND];

/**
 * Reads side by side, with calls between them that must not run twice, an approval, and artifacts
 * in pieces. At one call to the store after the other, and at one call of a tool after the other,
 * the process fails or dies.
 */
async function run(breaking: Breaking, fate?: Fate) {
  const ran: { readonly id: string; readonly tool: string }[] = [];
  const tool = (name: string, effect: ToolEffect, approval = false): Tool =>
    defineTool({
      name,
      description: `The tool ${name}.`,
      parameters: z.object({}),
      effect,
      approval,
      async run(_, { artifact, callId: key, status, taskId: task }) {
        const id = key.slice(task.length + 1);
        const number = ran.push({ id, tool: name });
        await status(`${name} begins`);
        await artifact({ artifactId: id, parts: 'a;', append: true });
        if (fate?.at === number && fate.how === 'death') {
          breaking.dead = true;
          return new Promise(() => undefined);
        }
        if (fate?.at === number) throw new RetryLater('not now');
        await artifact({ artifactId: id, parts: 'b;', append: true });
        return id;
      },
    });
  const calls = (made: typeof CALLS) => ({ calls: made.map((each) => call(each.tool)) });
  const model = new ScriptedModel(calls(FIRST), calls(SECOND), { text: 'done' });
  const tools = [
    tool('look', 'read'),
    tool('note', 'idempotent'),
    tool('pay', 'once'),
    tool('erase', 'once', true),
  ];
  const agent = modelAgent(model, [], { tools });
  const front = new World(agent, { grants: everythingGranted });
  const worker = new World(agent, {
    below: front,
    grants: everythingGranted,
    wrap: (below) => breaking.store(below),
  });
  const { taskId } = await front.send('go');
  for (let round = 0; round < 200; round += 1) {
    const row = await rowOf(front, taskId);
    const seen = row.projectedRevision === row.revision;
    if (isEnded(row) && seen) break;
    if (seen && row.status === 'waiting_for_approval') await decide(front, taskId, 'approve');
    await deliver(front, breaking.dead ? front : worker);
    await front.clock.advance(5_000);
    if (!breaking.dead) await worker.clock.advance(5_000);
    await sweep(front.app);
  }
  return { model, ran, row: await rowOf(front, taskId), task: await front.get(taskId) };
}

function check({ model, ran, row, task }: Awaited<ReturnType<typeof run>>): string {
  for (const name of ['pay', 'erase']) {
    const times = ran.filter(({ tool }) => tool === name).length;
    expect(times, name).toBeLessThanOrEqual(1);
  }
  if (row.status === 'failed') return row.reason;
  expect(task.status).toMatchObject({
    state: 'COMPLETED',
    message: { parts: [{ text: 'done' }] },
  });
  // Each artifact is that of one whole attempt, and none is missing.
  const shown = task.artifacts.map(({ artifactId, parts }) => {
    const words = parts.map((part) => ('text' in part ? part.text : '')).join('');
    return `${artifactId} ${words}`;
  });
  expect(new Set(shown)).toEqual(new Set(CALLS.map(({ id }) => `${id} a;b;`)));
  expect(shown).toHaveLength(CALLS.length);
  const results = model.seen.flatMap((entry) => (entry.role === 'tool' ? [entry] : []));
  expect(results.map(({ callId, value }) => [callId, value])).toEqual(
    CALLS.map(({ id }) => [id, id]),
  );
  expect(row).toMatchObject({ spent: { rounds: 3 } });
  return row.status;
}

async function outcomeOf(what: string, breaking: Breaking, fate?: Fate): Promise<string> {
  const outcome = await run(breaking, fate);
  try {
    return check(outcome);
  } catch (cause) {
    throw new Error(`${what}: ${JSON.stringify(outcome.row)}`, { cause });
  }
}

it('without a loss each call is made once, and the reads of a stretch are one commit', async () => {
  const whole = await run(new Breaking(0, 'before'));
  expect(check(whole)).toBe('completed');
  expect(whole.ran.map(({ id }) => id)).toEqual(CALLS.map(({ id }) => id));
});

it.each(BREAKS)(
  'a store that breaks at any call (%s) never has a tool run twice that must not',
  async (how: Break) => {
    const whole = new Breaking(0, 'before');
    await run(whole);
    expect(whole.calls).toBeGreaterThan(30);
    const ends: string[] = [];
    for (let at = 1; at <= whole.calls; at += 1)
      ends.push(await outcomeOf(`${how} call ${at} of ${whole.calls}`, new Breaking(at, how)));
    // A worker that is gone within a tool that must not run twice costs the run.
    const unknown = ends.filter((end) => end === 'EFFECT_UNKNOWN').length;
    expect(ends.filter((end) => end === 'completed')).toHaveLength(whole.calls - unknown);
    expect(unknown, how).toBeLessThanOrEqual(how.startsWith('crash') ? 12 : 0);
  },
  120_000,
);

it.each(['death', 'retry'] as const)(
  'a tool that meets its end at any call (%s) costs no other call its result',
  async (how) => {
    for (let at = 1; at <= CALLS.length; at += 1) {
      const outcome = await run(new Breaking(0, 'before'), { at, how });
      const { ran } = outcome;
      const end = check(outcome);
      const once = ['pay', 'erase'].includes(CALLS[at - 1]?.tool ?? '');
      expect(end, `call ${at}`).toBe(once ? 'EFFECT_UNKNOWN' : 'completed');
      if (once) continue;
      // One that asks to wait is made again alone; a lost process takes its own stretch with it.
      const again = ran.length - CALLS.length;
      expect(again, `call ${at}`).toBeLessThanOrEqual(how === 'retry' ? 1 : 3);
    }
  },
  60_000,
);
