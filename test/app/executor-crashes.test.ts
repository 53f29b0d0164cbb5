import { TaskState } from '@a2a-js/sdk';
import { expect, it } from 'vitest';
import { fromExecutor } from '../../shared/executor/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isEnded } from '../../shared/domain/run.ts';
import {
  announced,
  artifactUpdate,
  type Execute,
  ScriptedExecutor,
  statusUpdate,
} from '../fixtures/executors/scripted-executor.ts';
import { type Break, Breaking, BREAKS } from '../../testing/breaking.ts';
import { atEachCall } from './at-each-call.ts';
import { rowOf } from './turn-loop-world.ts';
import { deliver } from './deliver.ts';
import { World } from './world.ts';

/**
 * An executor publishes with pauses, so that its events are committed one by one, and asks its
 * client in the middle. At one call to the store after the other its process fails or dies, and
 * another one takes over. Whatever was lost: the task comes out as without a loss, because the
 * executor names its artifacts; and what is repeated is the segment from its message on, at most
 * once a loss: its statuses stand twice in the history, its question and its last word once.
 */
const STEPS = [1, 2, 3];

async function run(breaking: Breaking) {
  const clock = () => (breaking.dead ? front : worker).clock;
  const execute: Execute = async (context, bus) => {
    bus.publish(announced(context));
    const part = context.task === undefined ? 'first' : 'second';
    for (const step of STEPS) {
      bus.publish(statusUpdate(context, TaskState.TASK_STATE_WORKING, `${part} ${step}`));
      const append = step > 1;
      bus.publish(artifactUpdate(context, part, `${step}`, { append, lastChunk: step === 3 }));
      await clock().sleep(1_000);
    }
    if (part === 'first')
      bus.publish(statusUpdate(context, TaskState.TASK_STATE_INPUT_REQUIRED, 'More?'));
    else bus.publish(statusUpdate(context, TaskState.TASK_STATE_COMPLETED, 'Done.'));
  };
  const executor = new ScriptedExecutor(execute);
  const agent = fromExecutor(executor, { name: 'moved', description: 'Moved here.' });
  const front = new World(agent);
  const worker = new World(agent, { below: front, wrap: (below) => breaking.store(below) });
  const { taskId } = await front.send('go');
  for (let round = 0; round < 200; round += 1) {
    await deliver(front, breaking.dead ? front : worker);
    const row = await rowOf(front, taskId);
    if (isEnded(row)) break;
    if (row.status === 'waiting_for_input' && row.projectedRevision === row.revision)
      await front.send('yes', { taskId });
    await front.clock.advance(5_000);
    if (!breaking.dead) await worker.clock.advance(5_000);
    await sweep(front.app);
  }
  return { executor, task: await front.get(taskId) };
}

function check({ executor, task }: Awaited<ReturnType<typeof run>>, losses: number): void {
  const parts = STEPS.map((step) => ({ text: `${step}` }));
  expect(task).toMatchObject({
    status: { state: 'COMPLETED', message: { parts: [{ text: 'Done.' }] } },
    artifacts: [
      { artifactId: 'first', parts },
      { artifactId: 'second', parts },
    ],
  });
  const said = task.history.flatMap(({ parts: [part] }) =>
    part && 'text' in part ? part.text : [],
  );
  const times = (words: string) => said.filter((each) => each === words).length;
  for (const words of ['go', 'More?', 'yes', 'Done.']) expect(times(words), words).toBe(1);
  for (const part of ['first', 'second'])
    for (const step of STEPS) {
      expect(times(`${part} ${step}`)).toBeGreaterThanOrEqual(1);
      expect(times(`${part} ${step}`)).toBeLessThanOrEqual(1 + losses);
    }
  expect(executor.contexts.length).toBeGreaterThanOrEqual(2);
  expect(executor.contexts.length).toBeLessThanOrEqual(2 + losses);
  expect(executor.cancelled).toEqual([]);
  // A repeated segment is given what the first was.
  const given = executor.contexts.map(({ task: stored }) => stored);
  const [second] = given.filter((stored) => stored !== undefined);
  for (const stored of given) expect([undefined, second]).toContainEqual(stored);
}

it('an executor whose process is lost at any call to the store ends as one that is not', async () => {
  const whole = new Breaking(0, 'before');
  check(await run(whole), 0);
  expect(whole.calls).toBeGreaterThan(20);
  for (const how of BREAKS) {
    const repeated = await sweepCalls(whole, how);
    // A call that only fails is made again under the same claim.
    if (how.startsWith('crash')) expect(repeated, how).toBeGreaterThan(10);
    else expect(repeated, how).toBe(0);
  }
}, 120_000);

/** How many of the runs repeated a segment. */
async function sweepCalls(whole: Breaking, how: Break): Promise<number> {
  const repeated = await atEachCall(whole, how, async (breaking) => {
    const outcome = await run(breaking);
    check(outcome, 1);
    return outcome.executor.contexts.length > 2;
  });
  return repeated.filter(Boolean).length;
}
