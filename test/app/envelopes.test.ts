import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import { taskToProtoJson } from '../../shared/domain/proto-json.ts';
import type { Principal } from '../../shared/domain/ids.ts';
import type { Backend, Fields } from '../../shared/ports/backend.ts';
import { deny, held, operator, waitingWorld } from './deciding.ts';
import { World, type WorldOptions } from './world.ts';
import { wrappedBlobs } from './wrapped.ts';

const LARGE = 300_000;

const agent = defineAgent({
  name: 'sealed',
  description: 'Large and small, and asks once.',
  publication: { archive: 'sealed' },
  async run(ctx) {
    await ctx.artifact({ artifactId: 'large', parts: 'x'.repeat(LARGE) });
    await ctx.artifact({ artifactId: 'data', parts: [{ data: { y: 'y'.repeat(LARGE) } }] });
    if (ctx.history.length === 0) ctx.ask('Which?');
    return 'done';
  },
});

/** A world that keeps every envelope that was ever written, rows and objects alike. */
function watched(options: WorldOptions = {}) {
  const envelopes: Uint8Array[] = [];
  const wrap = (backend: Backend): Backend => ({
    read: (...given) => backend.read(...given),
    query: (...given) => backend.query(...given),
    count: (...given) => backend.count(...given),
    follow: (...given) => backend.follow(...given),
    watch: (path, signal) => backend.watch(path, signal),
    close: () => backend.close(),
    commit(checks, writes) {
      for (const write of writes) {
        for (const [field, value] of Object.entries('fields' in write ? (write.fields ?? {}) : {}))
          if (value instanceof Uint8Array && field !== 'wrappedKey') envelopes.push(value);
      }
      return backend.commit(checks, writes);
    },
  });
  const world: World = new World(agent, {
    ...options,
    wrap,
    wrapBlobs: (blobs) =>
      wrappedBlobs(blobs, {
        put(name, body, write) {
          if (!name.startsWith('tasks/')) envelopes.push(body);
          return blobs.put(name, body, write);
        },
      }),
  });
  return { world, envelopes };
}

it('no two envelopes of a run that differ have one nonce, whatever a client sends back as a file', async () => {
  const { world, envelopes } = watched();
  const { taskId } = await world.send('hello');
  await world.work();
  // The very bytes that lie sealed as the archive, as a page and as content, come as a part of each
  // kind.
  const text = JSON.stringify(taskToProtoJson(await world.get(taskId)));
  const parts = [
    { raw: Buffer.from(text) },
    { text },
    { data: JSON.parse(text) as never },
    { text: 'x'.repeat(LARGE) },
    { raw: Buffer.from('x'.repeat(LARGE)) },
  ];
  await world.trySend(parts, { taskId });
  await world.work();
  expect(await world.state(taskId)).toBe('COMPLETED');
  const byNonce = new Map<string, string>();
  for (const envelope of envelopes) {
    const [nonce, all] = [envelope.subarray(1, 13), envelope].map((each) =>
      Buffer.from(each).toString('base64'),
    );
    const known = byNonce.get(nonce ?? '');
    if (known !== undefined) expect(all).toBe(known);
    byNonce.set(nonce ?? '', all ?? '');
  }
  expect(byNonce.size).toBeGreaterThan(10);
});

describe('an attacker who can write rows, and has no key', () => {
  async function finished() {
    const world = new World(agent);
    const { taskId } = await world.send('the secret of the first');
    await world.work();
    const early = await row(world, `tasks/${taskId}`);
    await world.send('this one', { taskId });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    return { world, taskId, early };
  }
  const row = async (world: World, path: string): Promise<Fields> => {
    const [found] = await world.backend.read([path]);
    if (found === undefined) throw new Error(`no ${path}`);
    return found.fields;
  };
  const change = async (world: World, path: string, over: Fields): Promise<void> => {
    const fields = { ...(await row(world, path)), ...over };
    expect(await world.backend.commit([], [{ path, fields, expect: 'any' }])).not.toBe('conflict');
  };

  it("can't hand a task to another caller: under another scope it does not open", async () => {
    const { world, taskId } = await finished();
    const mallory: Principal = { ...world.principal, owner: 'mallory', authenticated: true };
    const theirs = await world.service.send(mallory, {
      message: { messageId: 'm', role: 'user', parts: [{ text: 'mine' }] },
    });
    if (theirs.kind !== 'accepted') throw new Error(theirs.kind);
    await world.work();
    const { scope } = await row(world, `tasks/${theirs.taskId}`);
    await change(world, `tasks/${taskId}`, { scope: scope ?? '' });
    await expect(world.service.get(mallory, taskId)).rejects.toThrow("can't be read");
    await change(world, `tasks/${taskId}`, { owner: 'mallory' });
    await expect(world.service.get(mallory, taskId)).rejects.toThrow("can't be read");
  });

  it.each([
    ['state', 'FAILED'],
    ['statusAt', 1],
    ['projectedRevision', 1],
    ['lastSeq', 1],
    ['contextId', 'another'],
    ['agent', 'another'],
  ] as const)("can't change what stands in clear beside a task: %s", async (field, value) => {
    const { world, taskId } = await finished();
    await change(world, `tasks/${taskId}`, { [field]: value });
    await expect(world.get(taskId)).rejects.toThrow("can't be read");
  });

  it("can't put the content of another task, of another document or of an older one in its place", async () => {
    const { world, taskId, early } = await finished();
    const { taskId: another } = await world.send('another');
    await world.work();
    const { content } = await row(world, `tasks/${taskId}`);
    const others = [
      (await row(world, `tasks/${another}`))['content'],
      early['content'],
      (await row(world, `runs/${taskId}/revisions/000000000001`))['content'],
      (await row(world, `tasks/${taskId}/events/000000000001`).catch(() => early))['content'],
    ];
    for (const foreign of others) {
      await change(world, `tasks/${taskId}`, { content: foreign ?? null });
      await expect(world.get(taskId)).rejects.toThrow("can't be read");
    }
    await change(world, `tasks/${taskId}`, { content: content ?? null });
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it("can't give a run the key of another", async () => {
    const { world, taskId } = await finished();
    const { taskId: another } = await world.send('another');
    await world.work();
    const { wrappedKey } = await row(world, `tasks/${another}`);
    await change(world, `tasks/${taskId}`, { wrappedKey: wrappedKey ?? null });
    const elsewhere = new World(agent, { below: world });
    await expect(elsewhere.get(taskId)).rejects.toThrow("can't be read");
  });

  it("can't put one object in the place of another, of the same size and kind", async () => {
    const world = new World(
      defineAgent({
        name: 'two',
        description: 'Two large texts.',
        async run(ctx) {
          await ctx.artifact({ artifactId: 'a', parts: 'a'.repeat(LARGE) });
          await ctx.artifact({ artifactId: 'b', parts: 'b'.repeat(LARGE) });
          return 'done';
        },
      }),
    );
    const { taskId } = await world.send('go');
    await world.work();
    const large = [...world.blobs.objects].filter(
      ([name, { body }]) => name.includes('/blobs/') && body.byteLength === LARGE + 29,
    );
    const [first, second] = large;
    if (first === undefined || second === undefined) throw new Error('no objects');
    world.blobs.objects.set(first[0], second[1]);
    await expect(world.get(taskId)).rejects.toThrow("can't be read");
  });

  it("can't turn a denial into an approval: what is held does not run", async () => {
    for (const over of [{ kind: 'approve' }, { by: 'owner' }, { id: 'another' }]) {
      const effects: string[] = [];
      const { world, taskId } = await waitingWorld(held(effects));
      const stored = await storeDecision(world.app, operator(), taskId, deny);
      expect(stored).toMatchObject({ kind: 'deny' });
      await change(world, `runs/${taskId}/decisions/000000000001`, over);
      await world.work();
      expect(effects).toEqual([]);
      expect((await world.get(taskId)).metadata).toMatchObject({ reason: 'STATE_UNREADABLE' });
    }
  });
});
