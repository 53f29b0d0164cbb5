import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Server } from './server.ts';

const server = new Server();
before(() => server.start());
after(() => server.stop());

test('a name is greeted', async () => {
  const task = await server.send('Ada');
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
  assert.deepEqual(
    task.artifacts?.map(({ parts }) => parts[0]?.text),
    ['Hello, Ada!'],
  );
});

test('without a name it asks, also over a restart, and greets the answer', async () => {
  const asked = await server.send(' ');
  assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
  await server.stop();
  await server.start();
  const task = await server.send('Grace', asked.id);
  assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
});
