import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createWorld, everyCrash } from 'holdfast/testing';
import greeter from '../agents/greeter.ts';

test('a name is greeted', async () => {
  const world = createWorld({ agents: [greeter] });
  const task = await world.send('Ada');
  assert.equal(task.state, 'COMPLETED');
  assert.deepEqual(
    task.artifacts.map(({ parts }) => parts),
    [[{ text: 'Hello, Ada!' }]],
  );
});

test('without a name it asks and greets the answer, wherever a process is lost', async () => {
  const report = await everyCrash(
    () => ({ agents: [greeter] }),
    async (world) => {
      const asked = await world.send(' ');
      assert.equal(asked.state, 'INPUT_REQUIRED');
      const task = await world.answer(asked.taskId, 'Grace');
      assert.equal(task.state, 'COMPLETED');
    },
  );
  assert.deepEqual(report.repeated, []);
});
