import { isRefused } from '../../shared/domain/refusal.ts';
import { isSettled, isTerminal } from '../../shared/domain/status.ts';
import { Client } from './client.ts';
import { cancelled, type Scenario, type Scenarios } from './scenarios.ts';

const CONTEXT = 'files-context';

/** One task after the other, each on the files of the one before. */
function inTurn(agent: string, tasks: number): Scenario {
  return {
    plainly: true,
    async story(world) {
      const client = new Client(world, agent);
      for (let task = 1; task <= tasks; task += 1) await client.ended(await client.start(CONTEXT));
    },
  };
}

const asking: Scenario = {
  plainly: true,
  async story(world) {
    const client = new Client(world, 'keeps-asking');
    for (let task = 1; task <= 2; task += 1) {
      const taskId = await client.start(CONTEXT);
      const asked = await client.until(taskId, ({ status }) => isSettled(status.state));
      if (isTerminal(asked.status.state)) continue;
      const answer = await client.send({ taskId });
      if (isRefused(answer)) throw new Error(`an answer was refused: ${answer.code}`);
      await client.ended(taskId);
    }
  },
};

/** Two at once, and a third on what became of both. */
function atOnce(agent: string): Scenario {
  return {
    plainly: true,
    async story(world) {
      const client = new Client(world, agent);
      const tasks = await Promise.all([client.start(CONTEXT), client.start(CONTEXT)]);
      await Promise.all(tasks.map((taskId) => client.ended(taskId)));
      await client.ended(await client.start(CONTEXT));
    },
  };
}

/** Every pair of upload, commit, projection and crash, of agents with files. */
export const fileScenarios: Scenarios = {
  'files of one task': inTurn('keeps', 1),
  'files of three tasks': inTurn('keeps', 3),
  'files of tasks that ask': asking,
  'files of parallel tasks': atOnce('keeps-parallel'),
  'files that clash': atOnce('keeps-clashing'),
  'files of a cancelled task': { ...cancelled('keeps', 25), plainly: true },
  'files of a task that is cancelled as it ends': { ...cancelled('keeps', 48), plainly: true },
};
