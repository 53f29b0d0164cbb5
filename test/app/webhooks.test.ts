import { describe, expect, it } from 'vitest';
import { runDoc } from '../../shared/app/records/documents.ts';
import { webhookDoc } from '../../shared/app/records/webhook-document.ts';
import { createWebhook } from '../../shared/app/webhooks/create-webhook.ts';
import { FORMATS } from '../../shared/domain/format.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { answered } from '../doubles/memory-webhooks.ts';
import { row } from './waiting.ts';
import { created, HOOK, passes, rowOf, URL, webhookWorld } from './webhook-world.ts';

describe('a webhook that came with the message', () => {
  it('is told the task as it was accepted, and then every event, in the order of the journal', async () => {
    const { webhooks, world } = webhookWorld();
    const { taskId } = await world.send('hello', { webhook: { ...HOOK, id: 'mine' } });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    const { cursor, status } = (await rowOf(world, taskId, 'mine')).webhook;
    expect(webhooks.seqsTo(URL)).toEqual(Array.from({ length: cursor }, (_, at) => at + 1));
    expect(status).toBe('idle');
    expect(webhooks.posts[0]?.body).toMatchObject({
      task: { id: taskId, status: { state: 'TASK_STATE_SUBMITTED' } },
    });
    expect(webhooks.posts.at(-1)?.body).toMatchObject({
      statusUpdate: { taskId, status: { state: 'TASK_STATE_COMPLETED' } },
    });
  });

  it('says in v0.3 what a caller of v0.3 is told', async () => {
    const { webhooks, world } = webhookWorld();
    const { taskId } = await world.send('hello', { webhook: { url: URL, version: '0.3' } });
    await world.work();
    expect(webhooks.posts.map(({ body }) => body['kind'])).toEqual([
      'task',
      ...webhooks.posts.slice(1, -1).map(() => expect.stringMatching(/^(status|artifact)-update$/)),
      'status-update',
    ]);
    expect(webhooks.posts.at(-1)?.body).toMatchObject({
      final: true,
      status: { state: 'completed' },
    });
    expect((await rowOf(world, taskId, 'default')).webhook.version).toBe('0.3');
  });

  it('is told of the answer to a question, where it came with the answer', async () => {
    const { webhooks, world } = webhookWorld();
    const { taskId } = await world.send('ask');
    await world.work();
    await world.send('words', { taskId, webhook: HOOK });
    await world.work();
    const states = webhooks.posts.flatMap(
      ({ body }) => JSON.stringify(body).match(/TASK_STATE_\w+/) ?? [],
    );
    expect(states).not.toContain('TASK_STATE_INPUT_REQUIRED');
    expect(states.at(-1)).toBe('TASK_STATE_COMPLETED');
  });

  it('that is refused leaves no task behind', async () => {
    const { world } = webhookWorld();
    const sent = await world.trySend([{ text: 'hi' }], { webhook: { ...HOOK, url: 'http://x/' } });
    expect(sent).toMatchObject({
      code: 'INVALID_PARAMS',
      field: 'configuration.taskPushNotificationConfig.url',
    });
    expect(world.backend.all('runs')).toEqual([]);
  });
});

describe('a webhook of a task that is there', () => {
  it('is told what comes after it was set up, and nothing that was before', async () => {
    const { webhooks, world } = webhookWorld();
    const { taskId } = await world.send('ask');
    await world.work();
    await created(world, taskId);
    await world.work();
    expect(webhooks.posts).toEqual([]);
    await world.send('words', { taskId });
    await world.work();
    expect(webhooks.seqsTo(URL).length).toBeGreaterThan(1);
  });

  it('can be set up when the task has ended, and is told nothing', async () => {
    const { webhooks, world } = webhookWorld();
    const { taskId } = await world.send('hello');
    await world.work();
    const { id } = await created(world, taskId);
    await passes(world, 120_000);
    expect(webhooks.posts).toEqual([]);
    expect((await rowOf(world, taskId, id)).webhook.status).toBe('idle');
  });

  it('is shown without its token and its credentials, by every operation', async () => {
    const { world } = webhookWorld();
    const { taskId } = await world.send('hello');
    const authentication = { scheme: 'Bearer', credentials: 'secret-credentials' };
    const made = await created(world, taskId, { ...HOOK, token: 'secret-token', authentication });
    const shown = { kind: 'webhook', taskId, id: made.id, url: URL, scheme: 'Bearer' };
    expect(made).toEqual(shown);
    expect(await world.service.getWebhook(world.principal, taskId, made.id)).toEqual(shown);
    const page = await world.service.listWebhooks(world.principal, taskId, {});
    expect(page).toEqual({ kind: 'page', webhooks: [shown], nextPageToken: '' });
    const rows = JSON.stringify(world.backend.everything(), (_key, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
    );
    for (const word of ['secret-token', 'secret-credentials', 'hooks.example'])
      expect(rows).not.toContain(word);
  });

  it('is listed in pages, in the order in which they were set up', async () => {
    const { world } = webhookWorld();
    const { taskId } = await world.send('hello');
    for (const id of ['c', 'a', 'b']) await created(world, taskId, { ...HOOK, id });
    const ids: string[][] = [];
    for (let pageToken = ''; ; ) {
      const page = await world.service.listWebhooks(world.principal, taskId, {
        pageSize: 2,
        pageToken,
      });
      if (isRefused(page)) throw new Error(page.message);
      ids.push(page.webhooks.map(({ id }) => id));
      pageToken = page.nextPageToken;
      if (pageToken === '') break;
    }
    expect(ids).toEqual([['c', 'a'], ['b']]);
    const unknown = world.service.listWebhooks(world.principal, taskId, { pageToken: 'z' });
    expect(await world.code(unknown)).toBe('INVALID_PARAMS');
  });

  it('is told nothing more once it is deleted, which can be said twice', async () => {
    const { webhooks, world } = webhookWorld();
    const { taskId } = await world.send('ask', { webhook: { ...HOOK, id: 'a' } });
    await world.work();
    const before = webhooks.posts.length;
    const remove = () => world.service.deleteWebhook(world.principal, taskId, 'a');
    expect([await remove(), await remove()]).toEqual([{ kind: 'deleted' }, { kind: 'deleted' }]);
    expect(await world.code(world.service.getWebhook(world.principal, taskId, 'a'))).toBe(
      'TASK_NOT_FOUND',
    );
    await world.send('words', { taskId });
    await passes(world, 60_000);
    expect(webhooks.posts).toHaveLength(before);
    expect(world.backend.all('webhooks')).toEqual([]);
    expect(await world.app.store.get(runDoc(taskId))).not.toHaveProperty('webhooks');
  });

  it('goes alone when it is deleted: the other of its task is told on', async () => {
    const { webhooks, world } = webhookWorld();
    const { taskId } = await world.send('ask');
    const first = await created(world, taskId);
    const other = await created(world, taskId, { ...HOOK, url: 'https://hooks.example/b' });
    await world.service.deleteWebhook(world.principal, taskId, first.id);
    expect((await row(world, taskId)).webhooks).toMatchObject({ ids: [other.id] });
    await world.work();
    expect(new Set(webhooks.posts.map(({ url }) => url))).toEqual(
      new Set(['https://hooks.example/b']),
    );
    await world.service.deleteWebhook(world.principal, taskId, other.id);
    expect((await row(world, taskId)).webhooks).toBeUndefined();
  });

  it('whose target can not be read any more is parked at once: trying again can not help', async () => {
    const { webhooks, world } = webhookWorld();
    const { taskId } = await world.send('quick');
    const { id } = await created(world, taskId);
    const doc = await rowOf(world, taskId, id);
    await world.app.store.transact(async (tx) =>
      tx.set(webhookDoc(taskId, id), { ...doc, content: doc.content.map(() => 0) }),
    );
    await world.work();
    const { webhook } = await rowOf(world, taskId, id);
    expect(webhook).toMatchObject({ status: 'parked', failures: 0, reason: 'unreadable' });
    expect(webhooks.posts).toEqual([]);
    expect(world.logged.filter(({ event }) => event === 'webhook parked')).toMatchObject([
      { fields: { task: taskId, webhook: id, reason: 'unreadable' } },
    ]);
  });

  it('is not taken while an older release could meet its row', async () => {
    const { world } = webhookWorld();
    const { taskId } = await world.send('quick');
    const format = { allows: (wanted: number) => Promise.resolve(wanted < FORMATS.webhooks) };
    const made = createWebhook({ ...world.app, format }, world.principal, taskId, HOOK);
    expect(await world.code(made)).toBe('PUSH_NOT_SUPPORTED');
  });

  it('goes on where the one before it stopped, when it is replaced', async () => {
    const { webhooks, world } = webhookWorld();
    webhooks.at(URL, () => answered(500));
    const { taskId } = await world.send('hello', { webhook: { ...HOOK, id: 'a' } });
    await world.work();
    const other = 'https://hooks.example/b';
    await created(world, taskId, { url: other, version: '1.0', id: 'a' });
    await world.work();
    expect(webhooks.seqsTo(other)[0]).toBe(1);
    expect((await rowOf(world, taskId, 'a')).webhook.status).toBe('idle');
  });

  it('of another caller, and of a task that is unknown or removed, is not found (G23)', async () => {
    const { world } = webhookWorld();
    const { taskId } = await world.send('hello', { webhook: { ...HOOK, id: 'a' } });
    const { service } = world;
    const other = { ...world.principal, owner: 'other' };
    const random = world.app.ids.uuid();
    for (const [who, id] of [
      [other, taskId],
      [world.principal, random],
      [world.principal, 'x'],
    ] as const) {
      for (const answer of [
        service.createWebhook(who, id, HOOK),
        service.getWebhook(who, id, 'a'),
        service.listWebhooks(who, id, {}),
        service.deleteWebhook(who, id, 'a'),
      ])
        expect(await answer).toEqual({
          kind: 'refused',
          code: 'TASK_NOT_FOUND',
          message: 'task not found',
        });
    }
    await world.work();
    expect(await service.getWebhook(world.principal, taskId, 'a')).toMatchObject({ id: 'a' });
  });
});

describe('a limit of webhooks (docs/push.md)', () => {
  it('is how many a task may have: the next one is refused by name, a replaced one is taken', async () => {
    const { world } = webhookWorld({ settings: { webhooks: 3 } });
    const { taskId } = await world.send('ask', { webhook: HOOK });
    await world.work();
    for (const id of ['a', 'b']) await created(world, taskId, { ...HOOK, id });
    const refusal = { code: 'INVALID_PARAMS', message: expect.stringContaining('3 webhooks') };
    expect(await world.service.createWebhook(world.principal, taskId, HOOK)).toMatchObject(refusal);
    expect(await world.trySend([{ text: 'x' }], { taskId, webhook: HOOK })).toMatchObject(refusal);
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    await created(world, taskId, { ...HOOK, id: 'b' });
  });

  it.each([
    ['id', { id: 'i'.repeat(128) }, { id: 'i'.repeat(129) }],
    ['id', { id: 'a~b:c' }, { id: 'a/b' }],
    ['token', { token: 't'.repeat(8_192) }, { token: 't'.repeat(8_193) }],
    ['token', { token: 'a b' }, { token: 'a\r\nb' }],
    [
      'authentication.credentials',
      { authentication: { scheme: 'Bearer', credentials: 'c'.repeat(8_192) } },
      { authentication: { scheme: 'Bearer', credentials: 'x\nHost: y' } },
    ],
    [
      'authentication.scheme',
      { authentication: { scheme: 's'.repeat(64) } },
      { authentication: { scheme: 'Bearer x' } },
    ],
  ])('of %s is taken at the limit and refused over it', async (field, at, over) => {
    const { world } = webhookWorld();
    const { taskId } = await world.send('hello');
    await created(world, taskId, { ...HOOK, ...at });
    const refused = await world.service.createWebhook(world.principal, taskId, {
      ...HOOK,
      ...over,
    });
    expect(refused).toMatchObject({ code: 'INVALID_PARAMS', field });
  });
});
