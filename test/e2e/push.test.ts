import { randomUUID } from 'node:crypto';
import {
  SendMessageRequest,
  StreamResponse,
  type Task,
  TaskPushNotificationConfig,
  TaskState,
} from '@a2a-js/sdk';
import { ClientFactory, ClientFactoryOptions } from '@a2a-js/sdk/client';
import { legacyPushNotificationToV1StreamResponse } from '@a2a-js/sdk/compat/v0_3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { HookServer } from './hook-server.ts';
import { BRISK, QUICK, type Server, useFleet } from './server.ts';

const fleet = useFleet();
let server: Server;
let hooks: HookServer;

beforeAll(async () => {
  hooks = await HookServer.start();
  const settings = { ...QUICK, ...BRISK, pushTimeout: 400, pushBackoff: 50, pushBackoffMax: 400 };
  server = await fleet.start({
    settings,
    args: ['--allow-private-webhooks', '--v0.3'],
  });
});
afterAll(() => hooks.close());

async function rpc(method: string, params: object, version = '1.0'): Promise<unknown> {
  const response = await fetch(server.url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'a2a-version': version },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return ((await response.json()) as { readonly result?: unknown }).result;
}

async function sent(text: string, path: string): Promise<string> {
  const answer = (await rpc('SendMessage', {
    message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] },
    configuration: {
      returnImmediately: true,
      taskPushNotificationConfig: { id: 'hook', url: hooks.url(path), token: 't' },
    },
  })) as { readonly task: { readonly id: string } };
  return answer.task.id;
}

/** The positions that a webhook was told, when it was told the end. */
async function told(taskId: string, path: string): Promise<readonly number[]> {
  const ended = () => hooks.of(taskId, path).at(-1)?.body;
  await eventually(
    () => JSON.stringify(ended() ?? ''),
    (text) => /TASK_STATE_(COMPLETED|FAILED|CANCELED)/.test(text),
  );
  return hooks.of(taskId, path).map(({ seq }) => seq);
}

const inOrder = (seqs: readonly number[]): readonly number[] =>
  [...new Set(seqs)].map((_, at) => at + 1);

describe('a webhook that', () => {
  test.each(['/well', '/stalls-once', '/fails-thrice', '/cuts-once'])(
    'does %s is told everything, in order',
    async (path) => {
      const taskId = await sent('steps=3', path);
      const seqs = await told(taskId, path);
      expect([...new Set(seqs)]).toEqual(inOrder(seqs));
      expect(seqs.filter((seq) => seq === 1)).toHaveLength(
        { '/well': 1, '/fails-thrice': 4 }[path] ?? 2,
      );
    },
  );

  test('floods us with its answer costs its status alone, and is told everything', async () => {
    const taskId = await sent('steps=3', '/floods');
    const seqs = await told(taskId, '/floods');
    expect(seqs).toEqual(inOrder(seqs));
  });

  test('stalls or redirects keeps no other waiting, and no redirect is followed', async () => {
    const dead = [await sent('steps=1', '/stalls'), await sent('steps=1', '/redirects')];
    const taskId = await sent('steps=3', '/well');
    const seqs = await told(taskId, '/well');
    expect(seqs).toEqual(inOrder(seqs));
    for (const id of dead) {
      await eventually(
        () => hooks.of(id).length,
        (count) => count > 1,
      );
      expect(hooks.of(id).every(({ seq }) => seq === 1)).toBe(true);
      expect(hooks.of(id, '/well')).toEqual([]);
    }
  });

  test('is told while the server is killed gets each event again at most, and none is lost', async () => {
    const taskId = await sent('steps=20 delay=30', '/well');
    await eventually(
      () => hooks.of(taskId).length,
      (count) => count > 3,
    );
    await server.restart('kill');
    const seqs = await told(taskId, '/well');
    expect([...new Set(seqs)]).toEqual(inOrder(seqs));
    expect([...new Set(seqs)]).toEqual([...new Set(seqs)].toSorted((a, b) => a - b));
  });
});

describe("the official SDK's client", () => {
  test.each(['JSONRPC', 'HTTP+JSON'])(
    'over %s sets one up, and reads what it is told',
    async (transport) => {
      const options = { preferredTransports: [transport] };
      const factory = new ClientFactory(
        ClientFactoryOptions.createFrom(ClientFactoryOptions.default, options),
      );
      const client = await factory.createFromUrl(server.url);
      const request = SendMessageRequest.fromJSON({
        message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text: 'ask' }] },
      });
      const asked = (await client.sendMessage(request)) as Task;
      const config = TaskPushNotificationConfig.fromJSON({
        taskId: asked.id,
        url: hooks.url('/well'),
        token: 't-1',
        authentication: { scheme: 'Bearer', credentials: 'c-1' },
      });
      const { id } = await client.createTaskPushNotificationConfig(config);
      const named = { tenant: '', taskId: asked.id, id };
      expect(await client.getTaskPushNotificationConfig(named)).toMatchObject({ id, token: '' });
      const { configs } = await client.listTaskPushNotificationConfig({
        tenant: '',
        taskId: asked.id,
        pageSize: 0,
        pageToken: '',
      });
      expect(configs.map((each) => each.id)).toEqual([id]);
      const answer = SendMessageRequest.fromJSON({
        message: {
          messageId: randomUUID(),
          role: 'ROLE_USER',
          taskId: asked.id,
          parts: [{ text: 'red' }],
        },
      });
      await client.sendMessage(answer);
      await told(asked.id, '/well');
      const responses = hooks.of(asked.id).map(({ body }) => StreamResponse.fromJSON(body).payload);
      expect(responses.at(-1)).toMatchObject({
        $case: 'statusUpdate',
        value: { status: { state: TaskState.TASK_STATE_COMPLETED } },
      });
      expect(hooks.of(asked.id)[0]?.headers).toMatchObject({
        authorization: 'Bearer c-1',
        'x-a2a-notification-token': 't-1',
        'content-type': 'application/a2a+json',
      });
      await client.deleteTaskPushNotificationConfig(named);
      await expect(client.getTaskPushNotificationConfig(named)).rejects.toThrow();
    },
  );

  test('of v0.3 understands what its webhook is told', async () => {
    const message = {
      kind: 'message',
      messageId: randomUUID(),
      role: 'user',
      parts: [{ kind: 'text', text: 'steps=2' }],
    };
    const configuration = { blocking: false, pushNotificationConfig: { url: hooks.url('/well') } };
    const result = (await rpc('message/send', { message, configuration }, '0.3')) as {
      readonly id: string;
    };
    const completed = () => JSON.stringify(hooks.of(result.id).at(-1)?.body ?? '');
    await eventually(completed, (text) => text.includes('"completed"'));
    const kinds = hooks
      .of(result.id)
      .map(({ body: each }) => legacyPushNotificationToV1StreamResponse(each).payload?.$case);
    expect(kinds[0]).toBe('task');
    expect(kinds).toContain('artifactUpdate');
    expect(kinds.at(-1)).toBe('statusUpdate');
    // The webhook of a task that was given no id.
    expect(await rpc('tasks/pushNotificationConfig/get', { id: result.id }, '0.3')).toEqual({
      taskId: result.id,
      pushNotificationConfig: { id: 'default', url: hooks.url('/well') },
    });
  });
});
