import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { runDoc, viewDoc } from '../../shared/app/records/documents.ts';
import { rewrapKeys } from '../../shared/app/privacy/rewrap-keys.ts';
import { runKeyOf } from '../../shared/app/content/sealing-key.ts';
import { workKeyOf } from '../../shared/app/content/work-key.ts';
import { decrypted } from '../doubles/decrypted.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { collections } from '../../shared/domain/collections.ts';
import { RotatingSealer } from '../doubles/rotating-sealer.ts';
import { World } from './world.ts';

const agent = defineAgent({
  name: 'sealed',
  description: 'Large and small.',
  async run(ctx) {
    await ctx.artifact({ artifactId: 'a', parts: 'x'.repeat(300_000) });
    if (ctx.history.length === 0) ctx.ask('Which?');
    return 'done';
  },
});

describe('key rotation', () => {
  it('every task reads the same after its key was wrapped anew and the old master key is gone', async () => {
    const keys = new RotatingSealer();
    const world = new World(agent, { sealer: keys });
    const ids: string[] = [];
    for (let task = 0; task < 5; task += 1) ids.push((await world.send(`task ${task}`)).taskId);
    await world.work();
    const before = await Promise.all(ids.map((id) => world.get(id)));
    keys.rotate();
    expect(await rewrapKeys(world.app)).toMatchObject({ seen: 5, rewrapped: 5, unreadable: 0 });
    keys.destroyOlder();
    const fresh = new World(agent, { sealer: keys, below: world });
    expect(await Promise.all(ids.map((id) => fresh.get(id)))).toEqual(before);
    expect(await rewrapKeys(fresh.app)).toMatchObject({ seen: 5, rewrapped: 0 });
    // What is under way goes on.
    await fresh.send('this', { taskId: ids[0] ?? '' });
    await fresh.work();
    expect(await fresh.state(ids[0] ?? '')).toBe('COMPLETED');
  });

  it('goes on where it was interrupted, and says how far it is', async () => {
    const keys = new RotatingSealer();
    const world = new World(agent, { sealer: keys });
    for (let task = 0; task < 3; task += 1) await world.send(`task ${task}`);
    keys.rotate();
    const reports: number[] = [];
    const first = await rewrapKeys(world.app, {
      progress: ({ seen }) => reports.push(seen),
    });
    expect(reports.at(-1)).toBe(3);
    expect(await rewrapKeys(world.app, { from: first.cursor })).toMatchObject({ seen: 0 });
  });
});

describe('each sealed field that exists', () => {
  /** Every bytes field of every collection, found by looking, not by a list. */
  async function sealedFields(world: World, taskId: string): Promise<Map<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const parents: Record<string, string> = {
      revisions: `runs/${taskId}/revisions`,
      inputs: `runs/${taskId}/inputs`,
      events: `tasks/${taskId}/events`,
    };
    for (const { name } of Object.values(collections)) {
      const rows = await world.backend.query({
        collection: parents[name] ?? name,
        filters: [],
        order: undefined,
        limit: 1_000,
      });
      for (const { path, fields } of rows) {
        for (const [field, value] of Object.entries(fields)) {
          if (value instanceof Uint8Array && field !== 'wrappedKey')
            found.set(`${path} ${field}`, value);
        }
      }
    }
    for (const [name, blob] of world.blobs.objects)
      if (name.includes('/blobs/')) found.set(name, blob.body);
    return found;
  }

  const kindsOf = (names: Iterable<string>): string[] =>
    [
      ...new Set(
        [...names].map((name) =>
          name
            .replaceAll(/[0-9a-f-]{12,}|\d+/g, '*')
            .split('/')
            .slice(0, 4)
            .join('/'),
        ),
      ),
    ].sort();

  it.each([
    [
      'full',
      [
        'contexts/*/*/blobs',
        'runs/* payloadKey',
        'runs/*/revisions/* content',
        'tasks/* content',
        'tasks/*/events/* content',
      ],
    ],
    [
      'redacted',
      [
        'runs/* payloadKey',
        'runs/*/inputs/current content',
        'runs/*/revisions/* content',
        'tasks/* content',
        'tasks/*/events/* content',
      ],
    ],
  ] as const)(
    'is covered by scrubbing (%s): no old bytes open with a key that is left',
    async (answer, kinds) => {
      const world = new World(agent, { installation: { answer, audit: 'metadata' } });
      const { taskId } = await world.send('please');
      const before = await sealedFields(world, taskId);
      await world.work();
      for (const [name, bytes] of await sealedFields(world, taskId)) before.set(name, bytes);
      expect(kindsOf(before.keys())).toEqual([...kinds].sort());

      expect(await tightenCeiling(world.app, taskId, { answer: 'none' })).toBe('failed');
      const run = await world.app.store.get(runDoc(taskId));
      const view = await world.app.store.get(viewDoc(taskId));
      if (run === undefined || view === undefined) throw new Error('no row');
      expect(view.wrappedKey).toEqual(run.wrappedKey);
      const { keys } = await runKeyOf(world.app, run);
      for (const [name, bytes] of before) {
        if (name.endsWith('payloadKey'))
          await expect(workKeyOf(world.app, { ...run, payloadKey: bytes })).rejects.toThrow();
        else expect(decrypted([keys], bytes), name).toBeUndefined();
      }
      // The same look at what is left: so it would have been seen.
      for (const [name, bytes] of await sealedFields(world, taskId)) {
        if (!before.has(name)) expect(decrypted([keys], bytes), name).toBeDefined();
      }
      // Large content is not only unreadable but gone.
      expect([...world.blobs.objects.keys()].filter((name) => name.includes('/blobs/'))).toEqual(
        [],
      );
    },
  );
});
