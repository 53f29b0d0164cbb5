import { describe, expect, it } from 'vitest';
import { defineAgent, TaskFailed } from '../../shared/agent/index.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Principal } from '../../shared/domain/ids.ts';
import { taskToProtoJson } from '../../shared/domain/proto-json.ts';
import { defaults } from '../../shared/domain/settings.ts';
import type { Task } from '../../shared/domain/task.ts';
import { contextDoc, runDoc, viewDoc } from '../../shared/app/records/documents.ts';
import { scopeOf } from '../../shared/domain/ids.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { rewrapKeys } from '../../shared/app/privacy/rewrap-keys.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { afterLoss, image, restored } from './restoring.ts';
import { latch, World } from './world.ts';

const raw = new Uint8Array(600 * 1024).map((_, at) => at % 251);
const gate = latch();
const agent = defineAgent({
  name: 'many',
  description: 'Ends, asks, fails, or works on, as it is told.',
  parallel: true,
  async run(ctx) {
    switch (ctx.text) {
      case 'ask':
        return ctx.ask('Which one?');
      case 'fail':
        throw new TaskFailed('It failed, sorry.');
      case 'work':
        await ctx.status('half of it');
        await gate.opened;
        return 'done';
      default:
        await ctx.status('on my way');
        await ctx.artifact({
          artifactId: 'a',
          name: 'all kinds',
          parts: [
            { filename: 'f', raw, mediaType: 'x/y' },
            { metadata: { m: 1 }, data: { k: [1, null, 'ä'] } },
            { url: 'https://example.com' },
            { text: 't'.repeat(300_000) },
          ],
        });
        return `answer to ${ctx.text}, mysecret`;
    }
  },
});

const none = { seen: 0, restored: 0, unfinished: 0, overdue: 0, present: 0, problems: 0 };

async function run(world: World, text: string, contextId: string): Promise<string> {
  const { taskId } = await world.send(text, { contextId });
  await world.work();
  await world.clock.advance(2_000);
  await world.work();
  return taskId;
}

/** As a caller reads it. */
async function wire(world: World, taskId: string, principal = world.principal): Promise<string> {
  const task = await world.service.get(principal, taskId);
  if (isRefused(task)) return task.code;
  return JSON.stringify(taskToProtoJson(task));
}

async function list(world: World): Promise<readonly Task[]> {
  const page = await world.service.list(world.principal, { includeArtifacts: true });
  if (isRefused(page)) throw new Error(page.code);
  return page.tasks;
}

describe('a database that was lost is rebuilt from the bucket', () => {
  it('with every task that had ended, as it was to the byte, by GetTask and ListTasks', async () => {
    const before = new World(agent);
    const ids = [];
    for (const [at, text] of ['one', 'fail', 'two'].entries())
      ids.push(await run(before, text, `ctx-${at % 2}`));
    const world = afterLoss(before, agent);
    expect(await list(world)).toEqual([]);
    const { counts, problems } = await restored(world);
    expect(problems).toEqual([]);
    expect(counts).toEqual({ ...none, seen: 3, restored: 3 });
    for (const id of ids) expect(await wire(world, id)).toBe(await wire(before, id));
    // When each thing was made is in no archive (docs/extensions.md), and asked for here by none.
    expect((await list(world)).map((task) => taskToProtoJson(task))).toEqual(
      (await list(before)).map((task) => taskToProtoJson(task)),
    );
    const filtered = await world.service.list(world.principal, {
      contextId: 'ctx-1',
      includeArtifacts: false,
    });
    expect(filtered).toMatchObject({ totalSize: 1, tasks: [{ taskId: ids[1] }] });
    // No row holds more than a row may, and what is large lies sealed in the bucket.
    for (const { fields, path } of world.backend.everything())
      expect((fields['content'] as Uint8Array | null)?.byteLength ?? 0, path).toBeLessThan(210_000);
  });

  it('its contexts know which task completed last, whatever the order', async () => {
    const before = new World(agent);
    await run(before, 'one', 'ctx');
    const last = await run(before, 'two', 'ctx');
    await run(before, 'fail', 'ctx');
    const world = afterLoss(before, agent);
    await restored(world);
    const context = await world.app.store.get(contextDoc(scopeOf(world.principal), 'ctx'));
    expect(context).toMatchObject({ activeTask: null, lastCompleted: last });
  });

  it('a stream of a restored task tells what it made and how it ended', async () => {
    const before = new World(agent);
    const id = await run(before, 'one', 'ctx');
    const world = afterLoss(before, agent);
    await restored(world);
    const { signal } = new AbortController();
    const frames = await world.service.stream(
      world.principal,
      id,
      { until: 'terminal', afterSeq: 0 },
      signal,
    );
    if (isRefused(frames)) throw new Error(frames.code);
    const told = [];
    for await (const frame of frames) told.push(frame.kind === 'event' ? frame.event.kind : 'task');
    expect(told).toEqual(['task', 'artifact', 'status']);
  });

  it('a task that was not over is FAILED with WORK_LOST, here and in the bucket, with all that was said', async () => {
    const before = new World(agent);
    const asked = await run(before, 'ask', 'ctx-1');
    const { taskId: working } = await before.send('work', { contextId: 'ctx-2' });
    await before.work();
    await before.clock.advance(defaults.archiveInterval + 1_000);
    await before.rest();
    const { taskId: submitted } = await before.send('one', { contextId: 'ctx-3' });
    before.queue.splice(0);
    await before.clock.advance(defaults.archiveInterval + defaults.sweepGrace);
    await sweep(before.app);
    for (const due of before.queue.splice(0)) if (due.kind === 'project') before.queue.push(due);
    await before.work();
    const world = afterLoss(before, agent);
    await world.clock.advance(3_600_000);
    const { counts } = await restored(world);
    expect(counts).toEqual({ ...none, seen: 3, restored: 3, unfinished: 3 });
    for (const [id, words] of [
      [asked, 'Which one?'],
      [working, 'half of it'],
      [submitted, 'one'],
    ] as const) {
      const task = await world.get(id);
      expect(task.status).toMatchObject({ state: 'FAILED', at: world.clock.now() });
      expect(task.metadata).toEqual({ reason: 'WORK_LOST' });
      expect(JSON.stringify(task.history)).toContain(words);
      const name = `contexts/${task.contextId}/${id}/task.json`;
      const body = world.app.blobs
        .get(name)
        .then((blob) => Buffer.from(blob?.body ?? []).toString());
      expect(await body).toBe(await wire(world, id));
      const again = await world.trySend([{ text: 'go on' }], { taskId: id });
      expect(isRefused(again)).toBe(true);
    }
    // Nothing is left to do, and its contexts are free.
    await world.clock.advance(60_000);
    expect(await sweep(world.app)).toBe(0);
    expect((await world.send('one', { contextId: 'ctx-1' })).kind).toBe('accepted');
  });

  it('shows each caller its own tasks alone, and no name of a caller lies in the bucket', async () => {
    const before = new World(agent);
    const ada: Principal = { ...before.principal, owner: 'ada@example.org', authenticated: true };
    const bob: Principal = { ...ada, owner: 'bob@example.org', tenant: 'north' };
    const message = { messageId: 'm', role: 'user' as const, parts: [{ text: 'fail' }] };
    const sent = await before.service.send(ada, { message, contextId: 'ctx' });
    const other = await before.service.send(bob, { message, contextId: 'ctx' });
    if (sent.kind !== 'accepted' || other.kind !== 'accepted') throw new Error('refused');
    await before.work();
    const objects = JSON.stringify(
      [...before.blobs.objects].map(([name, { metadata }]) => [name, metadata]),
    );
    expect(objects).not.toContain('ada');
    expect(objects).not.toContain('north');
    const world = afterLoss(before, agent);
    await restored(world);
    expect(await wire(world, sent.taskId, ada)).toBe(await wire(before, sent.taskId, ada));
    expect(await wire(world, other.taskId, bob)).toBe(await wire(before, other.taskId, bob));
    expect(await wire(world, sent.taskId, bob)).toBe('TASK_NOT_FOUND');
    expect(await wire(world, sent.taskId)).toBe('TASK_NOT_FOUND');
  });
});

describe('a restore', () => {
  it('leaves what the database has as it is, also when it is run again', async () => {
    const before = new World(agent);
    await run(before, 'one', 'ctx-1');
    const world = afterLoss(before, agent);
    const kept = await run(world, 'two', 'ctx-2');
    const shown = await wire(world, kept);
    await restored(world);
    const first = image(world, before.blobs);
    const { counts } = await restored(world);
    expect(counts).toEqual({ ...none, seen: 2, present: 2 });
    expect(image(world, before.blobs)).toBe(first);
    expect(await wire(world, kept)).toBe(shown);
  });

  it('leaves a row that it can not read, too', async () => {
    const before = new World(agent);
    const id = await run(before, 'one', 'ctx');
    const world = afterLoss(before, agent);
    await world.backend.commit([], [{ path: `runs/${id}`, fields: { v: 99 }, expect: 'absent' }]);
    const rows = image(world);
    expect((await restored(world)).counts).toEqual({ ...none, seen: 1, present: 1 });
    expect(image(world)).toBe(rows);
  });

  it('changes nothing in a dry run, and counts the same', async () => {
    const before = new World(agent);
    await run(before, 'one', 'ctx-1');
    await run(before, 'ask', 'ctx-2');
    before.blobs.objects.delete(`tasks/${await run(before, 'one', 'ctx-3')}/contextId.txt`);
    const world = afterLoss(before, agent);
    const first = image(world, before.blobs);
    const dry = await restored(world, { dryRun: true });
    expect(image(world, before.blobs)).toBe(first);
    expect(dry).toEqual(await restored(world));
    expect(dry.counts).toEqual({ ...none, seen: 2, restored: 2, unfinished: 1 });
  });

  it('says of each task that it can not restore why, and restores the others', async () => {
    const before = new World(agent);
    const good = await run(before, 'one', 'ctx');
    const put = (name: string, text: string) =>
      before.blobs.put(name, Buffer.from(text), { contentType: 'x/y', expect: 'absent' });
    const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
    const task = {
      id: id(4),
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-31T12:00:00Z' },
    };
    await put('tasks/not-an-id/contextId.txt', 'ctx');
    await put(`tasks/${id(1)}/contextId.txt`, '../../etc');
    await put(`tasks/${id(2)}/contextId.txt`, 'c');
    await put(`tasks/${id(3)}/contextId.txt`, 'c');
    await put(`contexts/c/${id(3)}/task.json.sealed`, 'x');
    await put(`tasks/${id(4)}/contextId.txt`, 'c');
    await put(`contexts/c/${id(4)}/task.json`, JSON.stringify(task));
    await put(`tasks/${id(5)}/contextId.txt`, 'c');
    await put(`contexts/c/${id(5)}/task.json`, JSON.stringify(task));
    await put(`tasks/${id(6)}/contextId.txt`, 'c');
    await put(`contexts/c/${id(6)}/task.json`, '{"id":');
    await put(`tasks/${id(7)}/contextId.txt`, 'c');
    await put(
      `contexts/c/${id(7)}/task.json`,
      JSON.stringify({ ...task, id: id(7), history: [{ text: 'secret' }] }),
    );
    const world = afterLoss(before, agent);
    const { counts, problems } = await restored(world);
    expect(counts).toEqual({ ...none, seen: 9, restored: 1, problems: 8 });
    expect(await world.state(good)).toBe('COMPLETED');
    const told = new Map(problems.map((each) => [each.task, each.problem]));
    expect(Object.fromEntries(told)).toEqual({
      'not-an-id': 'bad-id',
      [id(1)]: 'bad-pointer',
      [id(2)]: 'no-copy',
      [id(3)]: 'sealed',
      [id(4)]: 'no-owner',
      [id(5)]: 'other-task',
      [id(6)]: 'not-a-task',
      [id(7)]: 'not-a-task',
    });
    expect(JSON.stringify(problems)).not.toContain('secret');
    // Whose it is can be said.
    const { agent: name } = world.principal;
    const otherwise = { agent: name, scope: scopeOf(world.principal) };
    const second = await restored(world, { otherwise });
    expect(second.counts).toMatchObject({ restored: 1, present: 1, problems: 7 });
    expect(await world.state(id(4))).toBe('COMPLETED');
  });

  it('of a task that is past its retention lets the sweeper remove it, with its objects', async () => {
    const before = new World(agent);
    await run(before, 'one', 'ctx');
    const world = afterLoss(before, agent);
    await world.clock.advance(defaults.retention + 60_000);
    expect((await restored(world)).counts).toEqual({ ...none, seen: 1, restored: 1, overdue: 1 });
    await sweep(world.app);
    await world.work();
    expect(before.blobs.objects.size).toBe(0);
    expect(world.backend.everything().filter(({ path }) => /^(runs|tasks)/.test(path))).toEqual([]);
  });

  it('keeps no more than the installation keeps now', async () => {
    const before = new World(agent);
    const id = await run(before, 'one', 'ctx');
    const redacting = afterLoss(before, agent, {
      installation: { answer: 'redacted', audit: 'metadata' },
    });
    expect((await restored(redacting, { dryRun: true })).counts.restored).toBe(1);
    const strict = afterLoss(before, agent, {
      installation: { answer: 'none', audit: 'metadata' },
    });
    expect(await restored(strict)).toMatchObject({ problems: [{ task: id, problem: 'not-kept' }] });
    await restored(redacting);
    const shown = await wire(redacting, id);
    expect(shown).not.toContain('mysecret');
    const copy = await redacting.app.blobs.get(`contexts/ctx/${id}/task.json`);
    expect(Buffer.from(copy?.body ?? []).toString()).toBe(shown);
  });
});

describe('a restored task is one like any other', () => {
  async function one() {
    const before = new World(agent);
    const id = await run(before, 'one', 'ctx');
    const world = afterLoss(before, agent);
    await restored(world);
    return { world, id, objects: before.blobs.objects };
  }

  it('a purge leaves nothing of it', async () => {
    const { world, id, objects } = await one();
    expect(await purgeRun(world.app, id)).toBe('purged');
    expect(world.backend.everything().filter(({ path }) => path !== 'installation/shards')).toEqual(
      [],
    );
    expect([...objects.keys()]).toEqual([]);
  });

  it('a tightening redacts it, in the bucket, too', async () => {
    const { world, id } = await one();
    expect(await tightenCeiling(world.app, id, { answer: 'redacted' })).toBe('redacted');
    const shown = await wire(world, id);
    expect(shown).not.toContain('mysecret');
    const copy = await world.app.blobs.get(`contexts/ctx/${id}/task.json`);
    expect(Buffer.from(copy?.body ?? []).toString()).toBe(shown);
  });

  it('its key is rewrapped with the others, and its row and its view have the same one', async () => {
    const { world, id } = await one();
    expect(await rewrapKeys(world.app)).toMatchObject({ seen: 1, unreadable: 0 });
    const row = await world.app.store.get(runDoc(id));
    const view = await world.app.store.get(viewDoc(id));
    expect(row?.wrappedKey).toEqual(view?.wrappedKey);
    expect(row).toMatchObject({ status: 'completed', projectedRevision: row?.revision });
  });
});
