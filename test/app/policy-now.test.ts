import { describe, expect, it } from 'vitest';
import { defineAgent, type PublicationProfile } from '../../shared/agent/index.ts';
import type { Installation } from '../../shared/app/app.ts';
import { decideDirectly } from '../../shared/app/decisions/decide-directly.ts';
import type { Ceiling } from '../../shared/domain/ceiling.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { elsewhere, everyPath, finished, MOMENTS, type Scene, sceneAt } from './privacy-waiting.ts';
import { SECRET } from './shapes.ts';
import { everythingGranted, finish, heldOf, modelAgent, type Ran } from './turn-loop-world.ts';
import { World } from './world.ts';

const full: Installation = { answer: 'metadata', audit: 'metadata' };

/** The same rows after a restart with a stricter configuration. */
function restarted(
  scene: Scene,
  {
    installation = full,
    publication,
  }: { installation?: Installation; publication?: PublicationProfile },
): Promise<World> {
  const agent = { ...scene.agent, ...(publication && { publication }) };
  return elsewhere({ ...scene, agent }, { installation });
}

const PLACES = [
  ['installation', (level: Ceiling) => ({ installation: { ...full, answer: level } })],
  ['provider', (level: Ceiling) => ({ publication: { provider: level } })],
  ['publication', (level: Ceiling) => ({ publication: { task: level } })],
] as const;
const OPEN = MOMENTS.filter(({ status }) => status !== 'running');
const CASES = OPEN.flatMap((moment) =>
  PLACES.map(([place, stricter]) => ({ name: moment.name, moment, place, stricter })),
);

describe('a policy that is stricter than when the task was accepted', () => {
  it.each(CASES)(
    '(redacted, $place) $name: it goes on, and keeps redacted words only',
    async ({ moment, stricter }) => {
      const scene = await sceneAt(moment);
      const { taskId } = scene;
      const world = await restarted(scene, stricter('redacted'));
      await finished(moment, scene, world);
      expect(await world.state(taskId)).toBe('COMPLETED');
      expect(await everyPath(world, taskId)).not.toContain(SECRET);
      expect(scene.model.calls).toBe(2);
    },
  );

  it.each(CASES)(
    '(none, $place) $name: no turn, no tool and no message follows, and nothing is kept',
    async ({ moment, stricter }) => {
      const scene = await sceneAt(moment);
      const { model, peer, ran, taskId } = scene;
      const before = { calls: model.calls, ran: ran.length, tasks: peer.tasks.size };
      const world = await restarted(scene, stricter('none'));
      await finished(moment, scene, world);
      expect(await world.get(taskId)).toMatchObject({
        status: { state: 'FAILED' },
        metadata: { reason: 'RESULT_NOT_KEPT' },
      });
      expect({ calls: model.calls, ran: ran.length, tasks: peer.tasks.size }).toEqual(before);
      expect(await everyPath(world, taskId)).not.toContain(SECRET);
    },
  );

  it('holds for a task that no worker has taken up yet, before its message is read', async () => {
    const seen: string[] = [];
    const agent = defineAgent({
      name: 'modelled',
      description: 'Answers.',
      run: (ctx) => `${seen.push(ctx.text)} ${SECRET}`,
    });
    const world = new World(agent);
    const { taskId } = await world.send(`please ${SECRET}`);
    const later = new World(agent, { below: world, installation: { ...full, answer: 'redacted' } });
    later.queue.push(...world.queue);
    await later.work();
    expect(await later.state(taskId)).toBe('COMPLETED');
    // What it works on is what the client wrote.
    expect(seen).toEqual([`please ${SECRET}`]);
    expect(await everyPath(later, taskId)).not.toContain(SECRET);
  });

  it('holds for an operator who decides and goes on at once', async () => {
    const ran: Ran[] = [];
    const agent = modelAgent(new ScriptedModel({ calls: [call('erase', { at: SECRET })] }), ran);
    const world = new World(agent, { grants: everythingGranted });
    const { taskId } = await world.send(`please ${SECRET}`);
    await finish(world);
    const { digest, pauseGeneration } = await heldOf(world, taskId);
    const strict = { ...agent, publication: { task: 'none' } as const };
    const later = new World(strict, { below: world, grants: everythingGranted });
    const decided = await decideDirectly(later.app, { kind: 'operator', subject: 'olga' }, taskId, {
      kind: 'approve',
      pauseGeneration,
      digest,
    });
    expect(isRefused(decided) && decided.code).toBe('PAUSE_OVER');
    expect(await later.get(taskId)).toMatchObject({ metadata: { reason: 'RESULT_NOT_KEPT' } });
  });

  it.each(['sealed', 'off'] as const)(
    'archive %s: the copy in clear of an earlier wait goes when its answer comes',
    async (archive) => {
      const agent = defineAgent({
        name: 'asks',
        description: 'Asks.',
        run: (ctx) => (ctx.text === 'blue' ? `done ${SECRET}` : ctx.ask(`Which ${SECRET}?`)),
      });
      const world = new World(agent);
      const { taskId } = await world.send('hello');
      await world.work();
      const plain = (): boolean =>
        [...world.blobs.objects].some(([, { body }]) => Buffer.from(body).includes(SECRET));
      expect(plain()).toBe(true);
      const later = new World({ ...agent, publication: { archive } }, { below: world });
      await later.send('blue', { taskId });
      await later.work();
      expect(await later.state(taskId)).toBe('COMPLETED');
      expect(plain()).toBe(false);
    },
  );
});

describe('an agent whose answers may not be kept', () => {
  const none = { publication: { task: 'none' } } as const;

  it('refuses a message to a task that waits, and ends it', async () => {
    const agent = defineAgent({ name: 'asks', description: 'Asks.', run: (ctx) => ctx.ask('?') });
    const world = new World(agent);
    const { taskId } = await world.send('hello');
    await world.work();
    const later = new World({ ...agent, ...none }, { below: world });
    expect(await later.code(later.trySend([{ text: 'blue' }], { taskId }))).toBe(
      'RESULT_NOT_STORABLE',
    );
    expect(await later.get(taskId)).toMatchObject({ metadata: { reason: 'RESULT_NOT_KEPT' } });
  });

  it('is not asked for a reply either', async () => {
    let asked = 0;
    const agent = defineAgent({
      name: 'quick',
      description: 'Replies.',
      reply: () => `${(asked += 1)}`,
      run: () => 'done',
      ...none,
    });
    const world = new World(agent);
    expect(await world.code(world.trySend([{ text: 'hello' }]))).toBe('RESULT_NOT_STORABLE');
    expect(asked).toBe(0);
  });
});

it('a reply without a task is redacted like a result', async () => {
  const agent = defineAgent({
    name: 'quick',
    description: 'Replies.',
    reply: () => `yours is ${SECRET}`,
    run: () => 'done',
    publication: { provider: 'redacted' },
  });
  expect(await new World(agent).trySend([{ text: 'hello' }])).toMatchObject({
    kind: 'replied',
    message: { parts: [{ text: 'yours is [removed]' }] },
  });
});
