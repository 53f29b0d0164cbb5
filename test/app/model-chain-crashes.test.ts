import { expect, it } from 'vitest';
import { type Model, RetryLater } from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isEnded } from '../../shared/domain/run.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { Breaking, BREAKS } from '../../testing/breaking.ts';
import { atEachCall } from './at-each-call.ts';
import { modelAgent, type Ran, rowOf } from './turn-loop-world.ts';
import { deliver } from './deliver.ts';
import { World } from './world.ts';

/**
 * A run whose first model is away: its second one is asked, under a stricter ceiling, which gives
 * the run another key in the middle of its work. At one call to the store after the other the
 * process fails or dies. Whatever was lost: what was said before is redacted, nothing of the loose
 * ceiling is left, each tool that must not run twice ran once at most, and the answer is the
 * second model's.
 */
async function run(breaking: Breaking) {
  const ran: Ran[] = [];
  const asked: string[] = [];
  const script = new ScriptedModel(
    { calls: [call('look', { at: 'a' }), call('pay', { at: 'b' })], artifacts: [{ parts: 'one' }] },
    { calls: [call('note', { at: 'c' })] },
    { text: 'done, my secret friend' },
  );
  const first: Model = {
    name: 'first',
    turn() {
      asked.push('first');
      return Promise.reject(new RetryLater('away', { delay: 3_600_000 }));
    },
  };
  const second: Model = {
    name: 'second',
    ceiling: 'redacted',
    turn(...given) {
      asked.push('second');
      return script.turn(...given);
    },
  };
  const agent = modelAgent(second, ran, { model: [first, second] });
  const front = new World(agent);
  const worker = new World(agent, { below: front, wrap: (below) => breaking.store(below) });
  const { taskId } = await front.send('my secret');
  for (let round = 0; round < 200; round += 1) {
    const row = await rowOf(front, taskId);
    if (isEnded(row) && row.projectedRevision === row.revision) break;
    await deliver(front, breaking.dead ? front : worker);
    await front.clock.advance(5_000);
    if (!breaking.dead) await worker.clock.advance(5_000);
    await sweep(front.app);
  }
  return { asked, ran, row: await rowOf(front, taskId), task: await front.get(taskId) };
}

function check({ asked, ran, row, task }: Awaited<ReturnType<typeof run>>): string {
  expect(row).toMatchObject({ answerCeiling: 'redacted' });
  expect(JSON.stringify(task)).not.toContain('secret');
  expect(ran.filter(({ tool }) => tool === 'pay').length).toBeLessThanOrEqual(1);
  expect(asked[0]).toBe('first');
  if (row.status === 'failed') return row.reason;
  expect(task).toMatchObject({
    status: { state: 'COMPLETED', message: { parts: [{ text: 'done, my [removed] friend' }] } },
    artifacts: [{ artifactId: 'artifact-1', parts: [{ text: 'one' }] }],
  });
  expect(ran.map(({ tool }) => tool)).toEqual(
    expect.arrayContaining(['look', 'pay', 'note']) as unknown,
  );
  return row.status;
}

it('a chain whose process is lost at any call to the store falls back as one that is not', async () => {
  const whole = new Breaking(0, 'before');
  const outcome = await run(whole);
  expect(check(outcome)).toBe('completed');
  expect(outcome.asked).toEqual(['first', 'second', 'second', 'second']);
  expect(whole.calls).toBeGreaterThan(20);
  for (const how of BREAKS) {
    const ends = await atEachCall(whole, how, async (breaking) => check(await run(breaking)));
    // A worker that is gone within the tool that must not run twice costs the run.
    const unknown = ends.filter((end) => end === 'EFFECT_UNKNOWN').length;
    expect(ends.filter((end) => end === 'completed')).toHaveLength(whole.calls - unknown);
    expect(unknown, how).toBeLessThanOrEqual(how.startsWith('crash') ? 4 : 0);
  }
}, 120_000);
