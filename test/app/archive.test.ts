import { Task } from '@a2a-js/sdk';
import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { archiveTask } from '../../shared/app/change/archive-task.ts';
import { viewDoc } from '../../shared/app/records/documents.ts';
import { projectRun } from '../../shared/app/change/project-run.ts';
import { viewKeyOf } from '../../shared/app/content/sealing-key.ts';
import { World } from './world.ts';

const agent = defineAgent({
  name: 'archived',
  description: 'Makes an artifact, after a question.',
  async run(ctx) {
    if (ctx.history.length === 0) ctx.ask('Which?');
    await ctx.artifact({
      artifactId: 'a',
      name: 'n',
      parts: [
        { raw: new Uint8Array([0, 1, 255]), mediaType: 'x/y' },
        { data: { k: [1, null] } },
        { url: 'https://example.com' },
      ],
    });
    return 'done';
  },
});

async function finished(): Promise<{ world: World; taskId: string; contextId: string }> {
  const world = new World(agent);
  const { taskId, contextId } = await world.send('go', { contextId: 'my:ctx' });
  await world.work();
  await world.send('this one', { taskId });
  await world.work();
  return { world, taskId, contextId };
}

describe('the archive (G20)', () => {
  it('holds the pointer and the standard task, which the SDK reads without our code', async () => {
    const { world, taskId, contextId } = await finished();
    const text = async (name: string) =>
      Buffer.from((await world.blobs.get(name))?.body ?? []).toString('utf8');
    expect(await text(`tasks/${taskId}/contextId.txt`)).toBe(contextId);
    const json: unknown = JSON.parse(await text(`contexts/${contextId}/${taskId}/task.json`));
    const task = Task.fromJSON(json);
    expect(Task.toJSON(task)).toEqual(json);
    expect(json).toMatchObject({
      id: taskId,
      contextId,
      status: {
        state: 'TASK_STATE_COMPLETED',
        timestamp: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
      },
      artifacts: [
        {
          artifactId: 'a',
          parts: [
            { raw: 'AAH/', mediaType: 'x/y' },
            { data: { k: [1, null] } },
            { url: 'https://example.com' },
          ],
        },
      ],
    });
    expect(task.history).toHaveLength(4);
  });

  it('a late writer with an older task leaves the newer one', async () => {
    const world = new World(agent);
    const { taskId, contextId } = await world.send('go', { contextId: 'my:ctx' });
    await world.work();
    const older = await world.app.store.get(viewDoc(taskId));
    if (older === undefined) throw new Error('no view');
    await world.send('this one', { taskId });
    await world.work();
    const before = await world.blobs.get(`contexts/${contextId}/${taskId}/task.json`);
    const key = await viewKeyOf(world.app, older);
    const late = await archiveTask(world.app, key, { view: older }, { archive: 'standard' });
    expect(await world.blobs.get(`contexts/${contextId}/${taskId}/task.json`)).toEqual(before);
    // It knows nothing of the files of the newer one: a row may not call that archived by its word.
    expect(late).toEqual({
      revision: older.projectedRevision,
      generation: before?.generation,
    });
  });

  it('reads change no row and no object', async () => {
    const { world, taskId } = await finished();
    await projectRun(world.app, taskId);
    const image = async () =>
      JSON.stringify([
        await world.backend.read([`runs/${taskId}`, `tasks/${taskId}`]),
        [...world.blobs.objects.keys()],
      ]);
    const before = await image();
    await world.get(taskId);
    await world.service.list(world.principal, { includeArtifacts: true });
    await world.service.stream(world.principal, taskId, { until: 'settled' }, AbortSignal.abort());
    expect(await image()).toBe(before);
  });
});

describe('large content', () => {
  it('a 5 MiB artifact and a 3 MiB message come back byte for byte, and no row comes near a limit', async () => {
    const big = new Uint8Array(5 * 1024 * 1024).map((_, at) => at % 251);
    const large = defineAgent({
      name: 'large',
      description: 'Large.',
      async run(ctx) {
        await ctx.artifact({ artifactId: 'big', parts: [{ raw: big }] });
        await ctx.artifact({ artifactId: 'echo', parts: ctx.message.parts });
        return 'done';
      },
    });
    const world = new World(large);
    const text = 'ä'.repeat(1_500_000);
    const { taskId } = await world.send(text);
    await world.work();
    await world.clock.advance(1_000);
    await world.work();
    const task = await world.get(taskId);
    expect(task.status.state).toBe('COMPLETED');
    const [first, second] = task.artifacts;
    const part = first?.parts[0];
    if (part === undefined || !('raw' in part)) throw new Error('no bytes');
    expect(Buffer.compare(Buffer.from(part.raw), Buffer.from(big))).toBe(0);
    expect(second?.parts).toEqual([{ text }]);
    for (const collection of ['tasks', `runs/${taskId}/revisions`, `tasks/${taskId}/events`]) {
      for (const { fields } of await world.backend.query({
        collection,
        filters: [],
        order: undefined,
        limit: 100,
      })) {
        expect((fields['content'] as Uint8Array | null)?.byteLength ?? 0).toBeLessThan(210 * 1024);
      }
    }
  });

  it('a history of 500 messages of 4 KiB is read in full and in part', async () => {
    const talkative = defineAgent({
      name: 'talkative',
      description: 'Talks.',
      async run(ctx) {
        for (let said = 1; said <= 500; said += 1) await ctx.status(`${said} ${'x'.repeat(4_096)}`);
        return 'done';
      },
    });
    const world = new World(talkative);
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(5_000);
    const task = await world.get(taskId);
    expect(task.history).toHaveLength(502);
    const short = await world.service.get(world.principal, taskId, 2);
    expect(short).toMatchObject({ history: [{ role: 'agent' }, { parts: [{ text: 'done' }] }] });
    expect((await world.get(taskId)).history).toHaveLength(502);
  });
});
