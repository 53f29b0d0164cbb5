import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SendMessageRequest, TaskState } from '@a2a-js/sdk';
import { ServerCallContext } from '@a2a-js/sdk/server';
import { expect, it, onTestFinished } from 'vitest';
import { handlerOver } from './server.ts';

const asked = (messageId: string, text: string, more: object = {}) =>
  SendMessageRequest.fromJSON({
    message: { messageId, role: 'ROLE_USER', parts: [{ text }], ...more },
  });

it("the SDK's handler goes on with a task that another process of it took, from the folder", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-sdk-server-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const context = new ServerCallContext();
  const before = handlerOver(folder, 'http://127.0.0.1:8090/');
  const question = await before.sendMessage(asked('m-1', 'We met.'), context);
  if (!('artifacts' in question)) throw new TypeError('no task');
  expect(question.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);

  const after = handlerOver(folder, 'http://127.0.0.1:8090/');
  const { contextId, id: taskId } = question;
  await after.sendMessage(asked('m-2', 'Ada: order the lamps', { taskId, contextId }), context);
  const done = await after.getTask({ id: taskId, tenant: '' }, context);
  expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
  expect(done.history).toHaveLength(4);
  expect(done.artifacts[0]?.parts[0]?.content?.value).toBe('- [ ] Ada: order the lamps\n');
  expect(readdirSync(join(folder, 'tasks'))).toEqual([taskId]);
});
