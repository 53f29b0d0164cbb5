import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SendMessageRequest, type Task, TaskState } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from './eventually.ts';
import { processFolder } from '../../testing/process-folder.ts';
import { asOperator } from './operating.ts';
import { BRISK, useFleet } from './server.ts';

const fleet = useFleet();
const made = z.object({ kept: z.number(), run: z.object({ id: z.string() }) });

function taskOf(result: object): Task {
  if ('status' in result) return result as Task;
  throw new Error('no task');
}

test("the work of a failed task goes on in a new one, which the official SDK's client reads as any other", async () => {
  const folder = processFolder('holdfast-retry');
  const paid = join(folder, 'paid');
  const mended = join(folder, 'mended');
  const server = await fleet.start({
    store: 'embedded',
    settings: BRISK,
    args: ['--agents', 'test/fixtures/agents/e2e-failing.ts'],
    env: { HOLDFAST_E2E_PAID: paid, HOLDFAST_E2E_MENDED: mended },
  });
  const client = await new ClientFactory().createFromUrl(server.url);
  const request = SendMessageRequest.fromJSON({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'pay Ada' }] },
  });
  const failed = taskOf(await client.sendMessage(request));
  expect(failed.status?.state).toBe(TaskState.TASK_STATE_FAILED);
  await writeFile(mended, '');
  const operator = await asOperator(server);
  const path = `/runs/${failed.id}/retry`;
  const body = { requestId: randomUUID() };
  const first = await operator.post(path, body);
  expect(first.status, first.text).toBe(200);
  // Killed right after, and asked again: it is the same run.
  await server.kill();
  await server.start();
  const second = await (await asOperator(server)).post(path, body);
  const { kept, run } = made.parse(second.body);
  expect(made.parse(first.body).run.id).toBe(run.id);
  expect(kept).toBe(3);
  const again = await new ClientFactory().createFromUrl(server.url);
  const task = await eventually(
    () => again.getTask({ id: run.id, tenant: '' }),
    ({ status }) => status?.state === TaskState.TASK_STATE_COMPLETED,
  );
  expect(task.contextId).toBe(failed.contextId);
  expect(task.history[0]).toMatchObject({ referenceTaskIds: [failed.id] });
  expect(JSON.stringify(task.status?.message)).toContain('paid, and read 1 result');
  // The earlier one is as it was, and both are listed.
  expect(await again.getTask({ id: failed.id, tenant: '' })).toEqual(failed);
  const { tasks } = await again.listTasks({
    tenant: '',
    contextId: failed.contextId,
    status: TaskState.TASK_STATE_UNSPECIFIED,
    pageToken: '',
    statusTimestampAfter: undefined,
    includeArtifacts: false,
  });
  expect(tasks.map(({ id }) => id).toSorted()).toEqual([failed.id, run.id].toSorted());
  expect((await readFile(paid, 'utf8')).trim().split('\n')).toHaveLength(1);
});
