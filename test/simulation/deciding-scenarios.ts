import { isRefused } from '../../shared/domain/refusal.ts';
import { isSettled, isTerminal } from '../../shared/domain/status.ts';
import type { Task } from '../../shared/domain/task.ts';
import { Client, PROMPT } from './client.ts';
import { Operator } from './operator.ts';
import { taskFacts } from '../../testing/rows.ts';
import type { Scenario, Scenarios } from './scenarios.ts';
import type { World } from './world.ts';

/**
 * What is done about a task that waits for leave; it is asked for again for as long as the task
 * waits.
 */
type Decide = (client: Client, task: Task) => Promise<unknown>;

function leave(by: (world: World) => Decide, agent = 'asks-leave'): Scenario {
  return {
    plainly: true,
    async story(world) {
      const decide = by(world);
      const client = new Client(world, agent);
      const taskId = await client.start();
      await client.pause(60);
      for (;;) {
        const task = await client.until(taskId, ({ status }) => isSettled(status.state));
        if (isTerminal(task.status.state)) break;
        await decide(client, task);
        await client.pause(60);
      }
    },
  };
}

const byItsOwner: Decide = async (client, task) => {
  const plain = await client.send({ taskId: task.taskId }, [{ text: `${PROMPT} yes, go on` }]);
  if (!isRefused(plain)) throw new Error('a plain message was taken for an approval');
  await client.decide(task, 'approve');
};

/** The first time an operator says yes, the second time no. */
function byAnOperator(how: 'store' | 'carryOut') {
  return (world: World): Decide => {
    const operator = new Operator(world);
    return async (_, { taskId }) => {
      const decision = operator.decisionOn(taskId, 'approve');
      if (decision === undefined) return;
      const first = decision.pauseGeneration === 1;
      await operator[how](taskId, first ? decision : { ...decision, kind: 'deny' });
    };
  };
}

/** Stored, carried out, declined and cancelled at one moment: one of them counts. */
const allAtOnce: Scenario = {
  ...leave((world) => {
    const [one, other] = [new Operator(world, 'one'), new Operator(world, 'other')];
    return async (client, task) => {
      const { taskId } = task;
      const decision = one.decisionOn(taskId, 'approve');
      if (decision === undefined) return;
      const [stored, direct, owners] = await Promise.all([
        one.store(taskId, decision),
        other.carryOut(taskId, decision),
        client.decide(task, 'deny').then((answer) => !isRefused(answer)),
        client.cancel(taskId),
      ]);
      const counted = [stored, direct, owners].filter(Boolean).length;
      if (counted > 1) throw new Error(`${counted} decisions of one pause count`);
    };
  }),
  cancels: true,
  plainly: false,
};

/**
 * The operator who decided may not any more when a worker takes the run up: it goes back to its
 * pause, and another operator decides.
 */
const rightsWithdrawn: Scenario = {
  plainly: true,
  async story(world) {
    const another = new Operator(world, 'another');
    const first = new Operator(world, 'first');
    const withdrawn = leave(() => async (_, { taskId }) => {
      const firstMay = world.operators.has('first');
      const decider = firstMay ? first : another;
      const decision = decider.decisionOn(taskId, 'approve');
      if (decision === undefined) return;
      await decider.store(taskId, decision);
      if (!firstMay) return;
      world.operators.delete('first');
      await world.clock.sleep(300);
      const pause = taskFacts(world.backend, taskId)?.pauseGeneration;
      if (world.options.plan.size === 0 && pause !== 2)
        throw new Error(`the run that may not go on is in pause ${pause}`);
    });
    await withdrawn.story(world);
  },
};

const asksASize = (how: 'words' | 'store'): Scenario =>
  leave((world) => {
    const operator = new Operator(world);
    return async (client, { taskId }) => {
      const decision = operator.decisionOn(taskId, 'input');
      if (decision === undefined) return;
      if (how === 'words') await client.send({ taskId }, [{ text: PROMPT }, { data: { size: 3 } }]);
      else await operator[how](taskId, decision);
    };
  }, 'asks-size');

/** What an operator does about a send whose answer never came. */
function settled(...steps: readonly ('resend' | 'link' | 'abandon')[]): Scenario {
  return {
    plainly: true,
    async story(world) {
      const operator = new Operator(world);
      const client = new Client(world, 'with-silent');
      const taskId = await client.start();
      for (const step of steps) {
        await client.pause(150);
        await operator.settle(taskId, step);
      }
      await client.ended(taskId);
    },
  };
}

/** Runs that wait for a person, each played with every fault at every call. */
export const decidingScenarios: Scenarios = {
  'leave by its owner': leave(() => byItsOwner),
  'leave, carried out at once': leave(byAnOperator('carryOut')),
  'leave, and no leave': leave(byAnOperator('store'), 'asks-leave-twice'),
  'leave for a model': leave(byAnOperator('store'), 'asks-leave-thinking'),
  'leave, stored and carried out and denied and cancelled': allAtOnce,
  'leave by an operator who may not any more': rightsWithdrawn,
  'a size in words': asksASize('words'),
  'a size by an operator': asksASize('store'),
  'an operator gives up': settled('abandon'),
  'an operator links what was found': settled('link'),
  'an operator has it sent again': settled('resend', 'link'),
};
