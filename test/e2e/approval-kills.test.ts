import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { decisionOn, effectsIn, KEEPER } from './approving.ts';
import { inWords, type Kill, killEverywhere, Lane } from './kill-lanes.ts';
import { Oracle } from './oracle.ts';
import { useFleet } from './server.ts';
import { stateOf, textOf, type WireTask } from './wire.ts';

const LANES = 3;
const fleet = useFleet();
const oracle = new Oracle({ reruns: true });
let lanes: readonly Lane[] = [];
let effects: string;

beforeAll(async () => {
  effects = join(await fleet.folder(), 'effects');
  const env = { HOLDFAST_E2E_EFFECTS: effects };
  const open = () => Lane.open(fleet, { oracle, agents: KEEPER, env });
  lanes = await Promise.all(Array.from({ length: LANES }, open));
});

afterAll(async () => {
  await Promise.all(lanes.map((lane) => lane.close()));
  expect(oracle.contradictions()).toEqual([]);
});

/** The keys of the calls that a tool ran for, with repeats. */
async function keysOf(tool: string, { id }: WireTask): Promise<readonly string[]> {
  const lines = await effectsIn(effects);
  return lines.filter((line) => line.startsWith(`${tool} ${id}`));
}

const nameOf = (what: string, { commit, of, when }: Kill) => `${what}-${when}-${of}-${commit}`;

/** COMPLETED with one effect, or FAILED because it can't be known whether it had begun. */
async function endOf(tool: string, task: WireTask, why: string): Promise<'done' | 'unknown'> {
  const times = (await keysOf(tool, task)).length;
  if (stateOf(task) === 'COMPLETED') {
    expect(times, why).toBe(1);
    return 'done';
  }
  expect([stateOf(task), task.metadata?.['reason']], why).toEqual(['FAILED', 'EFFECT_UNKNOWN']);
  expect(times, why).toBeLessThanOrEqual(1);
  return 'unknown';
}

test('killed before and after each step from an approval on, it is used once: the work goes on, and nothing runs twice', {
  timeout: 240_000,
}, async () => {
  const ends: string[] = [];
  const kills = await killEverywhere(lanes, 'books', async (lane, kill) => {
    const why = inWords(kill);
    const contextId = nameOf('approval', kill);
    const asked = await lane.client.send('note pay', { contextId });
    const parts = [decisionOn(asked, 'approve')];
    lane.arm(kill);
    const messageId = nameOf('yes', kill);
    await lane.insist(() => lane.client.send('', { taskId: asked.id, messageId, parts, ri: true }));
    const done = await lane.finished(asked.id);
    ends.push(await endOf('pay', done, why));
    if (stateOf(done) === 'COMPLETED')
      expect(textOf(done.status.message), why).toBe('note done, pay done');
    // What may run again ran for one call.
    expect(new Set(await keysOf('note', asked)).size, why).toBe(1);
    expect((await lane.books.decision(asked.id, 1))?.state, why).toBe('consumed');
    const steps = await lane.books.steps(asked.id);
    expect(
      steps.filter((kind) => kind === 'decision'),
      why,
    ).toHaveLength(1);
  });
  report('an approval', kills, ends, true);
});

test.each([
  ['before and after each step', 'books'],
  ['between any two commits', 'any'],
] as const)(
  'killed %s of a run, a tool that must not run twice has run once, or the task says that it is not known',
  {
    timeout: 240_000,
  },
  async (_, of) => {
    const ends: string[] = [];
    const kills = await killEverywhere(lanes, of, async (lane, kill) => {
      lane.arm(kill);
      const messageId = nameOf('stamp', kill);
      const sending = { messageId, contextId: messageId, ri: true };
      const { id } = await lane.insist(() => lane.client.send('stamp', sending));
      ends.push(await endOf('stamp', await lane.finished(id), inWords(kill)));
    });
    report(`a tool, ${of} commits`, kills, ends, of === 'books');
  },
);

/**
 * It died once within the tool, so both kinds of end are there. Which commits come between two
 * others depends on the clock, so only a sweep over the run's own is sure to meet that moment.
 */
function report(what: string, kills: number, ends: readonly string[], sure: boolean): void {
  const unknown = ends.filter((end) => end === 'unknown').length;
  process.stdout.write(
    `${kills} kills around ${what}: ${ends.length - unknown} done, ${unknown} unknown\n`,
  );
  if (sure) expect(unknown).toBeGreaterThan(0);
  expect(unknown).toBeLessThan(ends.length / 2);
}
