import { describe, expect, it } from 'vitest';
import { loadSteps } from '../../shared/app/worker/transcript.ts';
import { workKeyOf } from '../../shared/app/content/work-key.ts';
import { runKeyOf } from '../../shared/app/content/sealing-key.ts';
import { decrypted } from '../doubles/decrypted.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { tightenAll } from '../../shared/app/privacy/tighten-all.ts';
import type { Run } from '../../shared/domain/run.ts';
import {
  everyPath,
  finished,
  given,
  MOMENTS,
  print,
  type Scene,
  sceneAt,
} from './privacy-waiting.ts';
import { SECRET } from './shapes.ts';
import { rowOf } from './turn-loop-world.ts';
import { total } from './waiting.ts';

/** Every sealed field of the run's rows and every object, by its place. */
function sealedOf({ world, taskId }: Scene): Map<string, Uint8Array> {
  const found = new Map<string, Uint8Array>();
  for (const { fields, path } of world.backend.everything()) {
    if (!path.includes(taskId)) continue;
    for (const [field, value] of Object.entries(fields)) {
      if (value instanceof Uint8Array && field !== 'wrappedKey')
        found.set(`${path}|${field}`, value);
    }
  }
  for (const [name, { body }] of world.blobs.objects)
    if (/\/(blobs|payload)\//.test(name)) found.set(`object|${taskId}`.concat(' ', name), body);
  return found;
}

const isPayload = (name: string): boolean =>
  /\/(steps|sends|pauses|decisions)\/|\/payload\//.test(name);

/** What of it can be opened with the keys that its row holds now. */
async function readableWith(scene: Scene, run: Run, sealed: Map<string, Uint8Array>) {
  const { app } = scene.world;
  const keys = [(await runKeyOf(app, run)).keys];
  const workKey = await workKeyOf(app, run).catch(() => undefined);
  if (workKey !== undefined) keys.push(workKey.key.keys);
  return [...sealed].flatMap(([name, bytes]) =>
    decrypted(keys, bytes) === undefined ? [] : [name],
  );
}

describe.each(MOMENTS)('tightened $name', (moment) => {
  it('to redacted, what was shown is redacted, and the model goes on with what it was really given', async () => {
    const calm = await sceneAt(moment);
    await finished(moment, calm);
    const scene = await sceneAt(moment);
    const { peer, ran, taskId, world } = scene;
    expect(await rowOf(world, taskId)).toMatchObject({ status: moment.status });
    expect(await everyPath(world, taskId)).toContain(SECRET);
    expect(await tightenCeiling(world.app, taskId, { answer: 'redacted' })).toBe('redacted');
    const seen = await everyPath(world, taskId);
    expect(seen).not.toContain(SECRET);
    expect(seen).toContain('[removed]');
    expect(await rowOf(world, taskId)).toMatchObject({ status: moment.status });
    expect(print(await loadSteps(world.app, { run: await rowOf(world, taskId) }))).toContain(
      SECRET,
    );
    await finished(moment, scene);
    const task = await world.get(taskId);
    expect(task.status).toMatchObject({
      state: 'COMPLETED',
      message: { parts: [{ text: 'done [removed]' }] },
    });
    expect(task.artifacts).toMatchObject([
      { artifactId: 'early', parts: [{ text: 'early [removed]' }] },
      { artifactId: 'late', parts: [{ text: 'late [removed]' }] },
    ]);
    expect(await everyPath(world, taskId)).not.toContain(SECRET);
    expect(given(scene)).toEqual(given(calm));
    expect(JSON.stringify(given(scene))).toContain(SECRET);
    expect(ran.map(({ tool }) => tool)).toEqual(calm.ran.map(({ tool }) => tool));
    expect(total(peer.sends)).toBe(total(calm.peer.sends));
    expect(total(peer.cancels)).toBe(0);
  });

  it.each(['none', 'metadata'] as const)(
    'to %s it ends FAILED: nothing it held opens any more, no person is asked again, and a remote task is cancelled once',
    async (answer) => {
      const scene = await sceneAt(moment);
      const { model, peer, ran, taskId, world } = scene;
      const before = sealedOf(scene);
      expect([...before.keys()].some(isPayload)).toBe(true);
      const counts = [model.calls, ran.length];
      expect(await tightenCeiling(world.app, taskId, { answer })).toBe('failed');
      await Promise.resolve(moment.goOn(scene, world)).catch(() => undefined);
      await finished({ ...moment, goOn: () => undefined }, scene);
      expect(await world.get(taskId)).toMatchObject({
        status: {
          state: 'FAILED',
          message: {
            parts: [
              { text: "The result could not be kept under the installation's privacy policy." },
            ],
          },
        },
        metadata: { reason: 'RESULT_NOT_KEPT' },
        artifacts: [],
      });
      expect(await everyPath(world, taskId)).not.toContain(SECRET);
      const ended = await rowOf(world, taskId);
      expect(ended).toMatchObject({ scrubPending: false, hasInput: false });
      expect(ended).not.toHaveProperty('payloadKey');
      expect(ended).not.toHaveProperty('orphans');
      expect(await readableWith(scene, ended, before)).toEqual([]);
      expect([model.calls, ran.length]).toEqual(counts);
      expect(total(peer.cancels)).toBe(moment.cancels);
    },
  );

  it('ended as any run is, nothing that it worked with opens any more', async () => {
    const scene = await sceneAt(moment, { settings: { inlineContent: 40 } });
    const { taskId, world } = scene;
    const before = sealedOf(scene);
    const open = await rowOf(world, taskId);
    expect((await readableWith(scene, open, before)).filter(isPayload).length).toBeGreaterThan(1);
    expect([...before.keys()].some((name) => name.includes('/payload/'))).toBe(true);
    await finished(moment, scene);
    const ended = await rowOf(world, taskId);
    expect(ended).toMatchObject({ status: 'completed' });
    const all = new Map([...before, ...sealedOf(scene)]);
    expect((await readableWith(scene, ended, all)).filter(isPayload)).toEqual([]);
    expect(await readableWith(scene, ended, all)).not.toEqual([]);
  });
});

describe('a policy change over every run', () => {
  it('finds runs in every kind of wait, and counts what became of them', async () => {
    for (const moment of MOMENTS) {
      const { world } = await sceneAt(moment);
      const wanted = { answer: 'redacted', dryRun: true } as const;
      expect(await tightenAll(world.app, wanted)).toEqual({ redacted: 1 });
      expect(await tightenAll(world.app, { ...wanted, dryRun: false })).toEqual({ redacted: 1 });
      expect(await tightenAll(world.app, { answer: 'none', dryRun: false })).toEqual({ failed: 1 });
    }
  });

  it('of one agent leaves the runs of all others as they are', async () => {
    const [moment] = MOMENTS;
    if (moment === undefined) throw new Error('no moment');
    const { taskId, world } = await sceneAt(moment);
    const wanted = { answer: 'redacted', dryRun: false } as const;
    expect(await tightenAll(world.app, { ...wanted, agent: 'another' })).toEqual({});
    expect((await rowOf(world, taskId)).answerCeiling).toBe('full');
    const { agent } = world.principal;
    expect(await tightenAll(world.app, { ...wanted, agent })).toEqual({ redacted: 1 });
  });
});
