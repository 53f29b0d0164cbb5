import { randomUUID } from 'node:crypto';
import { SendMessageRequest, type StreamResponse, type Task, TaskState } from '@a2a-js/sdk';
import { type Client, ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import {
  TaskNotCancelableError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from '@a2a-js/sdk/errors';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Server, useFleet } from './server.ts';

const fleet = useFleet();
let server: Server;

beforeAll(async () => {
  server = await fleet.start({ settings: { streamLife: 600 } });
});

function request(text: string, more: object = {}, configuration: object = {}): SendMessageRequest {
  return SendMessageRequest.fromJSON({
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...more },
    configuration,
  });
}

function taskOf(result: object): Task {
  if ('status' in result) return result as Task;
  throw new Error('no task');
}

async function kindsOf(stream: AsyncIterable<StreamResponse>): Promise<readonly string[]> {
  const kinds: string[] = [];
  for await (const { payload } of stream) {
    if (payload?.$case === 'artifactUpdate') kinds.push(payload.value.artifact?.artifactId ?? '');
    else if (payload?.$case === 'statusUpdate')
      kinds.push(TaskState[payload.value.status?.state ?? TaskState.UNRECOGNIZED]);
    else kinds.push(payload?.$case ?? '');
  }
  return kinds;
}

describe.each(['JSONRPC', 'HTTP+JSON'])("the official SDK's client over %s", (transport) => {
  let client: Client;

  beforeAll(async () => {
    const options = { preferredTransports: [transport] };
    const factory = new ClientFactory(
      ClientFactoryOptions.createFrom(ClientFactoryOptions.default, options),
    );
    client = await factory.createFromUrl(server.url);
    expect(client.transport.protocolName).toBe(transport);
  });

  test('sends, reads, lists', async () => {
    const task = taskOf(await client.sendMessage(request('steps=3')));
    expect(task.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    expect(await client.getTask({ id: task.id, tenant: '' })).toEqual(task);
    const { contextId } = task;
    const page = await client.listTasks({
      tenant: '',
      contextId,
      status: TaskState.TASK_STATE_COMPLETED,
      pageToken: '',
      statusTimestampAfter: undefined,
      includeArtifacts: true,
    });
    expect(page.tasks).toEqual([task]);
    expect(page.totalSize).toBe(1);
  });

  test('streams to the end, and again from a snapshot after a planned close', async () => {
    const all = await kindsOf(client.sendMessageStream(request('steps=2')));
    expect(all).toEqual(['task', 'TASK_STATE_WORKING', 'step-1', 'step-2', 'TASK_STATE_COMPLETED']);
    const long = client.sendMessageStream(request('steps=8 delay=200'));
    let id = '';
    let last: string | undefined;
    for await (const { payload } of long) {
      if (payload?.$case === 'task') id = payload.value.id;
      last = payload?.$case;
    }
    expect(last).toBe('artifactUpdate');
    // Its loop ends without a word; the task did not.
    const again = kindsOf(client.resubscribeTask({ id, tenant: '' }));
    expect((await again)[0]).toBe('task');
    await expect
      .poll(async () => (await client.getTask({ id, tenant: '' })).status?.state, {
        timeout: 10_000,
      })
      .toBe(TaskState.TASK_STATE_COMPLETED);
    const task = await client.getTask({ id, tenant: '' });
    expect(task.artifacts).toHaveLength(8);
  });

  test('asks and answers, cancels, and knows our errors by their classes', async () => {
    const asked = taskOf(await client.sendMessage(request('ask')));
    expect(asked.status?.state).toBe(TaskState.TASK_STATE_INPUT_REQUIRED);
    const answer = request('red', { taskId: asked.id, contextId: asked.contextId });
    const done = taskOf(await client.sendMessage(answer));
    expect(done.id).toBe(asked.id);
    expect(done.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
    const cancel = (id: string) => client.cancelTask({ id, tenant: '', metadata: {} });
    await expect(cancel(done.id)).rejects.toBeInstanceOf(TaskNotCancelableError);
    const open = taskOf(
      await client.sendMessage(request('wait=20000', {}, { returnImmediately: true })),
    );
    expect((await cancel(open.id)).status?.state).toBe(TaskState.TASK_STATE_CANCELED);
    await expect(client.getTask({ id: randomUUID(), tenant: '' })).rejects.toBeInstanceOf(
      TaskNotFoundError,
    );
    const late = client.sendMessage(request('more', { taskId: done.id }));
    await expect(late).rejects.toBeInstanceOf(UnsupportedOperationError);
    const gone = kindsOf(client.resubscribeTask({ id: done.id, tenant: '' }));
    await expect(gone).rejects.toBeInstanceOf(UnsupportedOperationError);
  });
});
