import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type DefinedAgent, defineAgent, defineTool } from '../../shared/agent/index.ts';
import { unsealCheckpoint } from '../../shared/app/content/checkpoint.ts';
import { workKeyOf } from '../../shared/app/content/work-key.ts';
import { pauseDoc } from '../../shared/app/records/work-documents.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { call, ScriptedModel, type Scripted } from '../../testing/scripted-model.ts';
import { contentOf, contextFiles, headFiles, told, write } from './files-world.ts';
import { everythingGranted } from './turn-loop-world.ts';
import { row } from './waiting.ts';
import { latch, World } from './world.ts';

/** A model whose tools write a file, read the folder, and show a file. */
function editor(...script: readonly Scripted[]): DefinedAgent {
  const parameters = z.object({ path: z.string() });
  return defineAgent({
    name: 'editor',
    description: 'Edits by tools.',
    model: new ScriptedModel(...script),
    instructions: '',
    files: true,
    tools: [
      defineTool({
        name: 'write',
        description: 'Writes a file.',
        parameters,
        effect: 'once',
        run: ({ path }, { files }) => write(files.folder, path, `by ${path}`),
      }),
      defineTool({
        name: 'erase',
        description: 'Needs an approval.',
        parameters,
        effect: 'once',
        approval: true,
        run: ({ path }, { files }) => write(files.folder, path, 'erased'),
      }),
      defineTool({
        name: 'list',
        description: 'Says what is there.',
        parameters,
        effect: 'read',
        run: (_, { files }) => contentOf(files.folder),
      }),
      defineTool({
        name: 'show',
        description: 'Makes an artifact of a file.',
        parameters,
        effect: 'idempotent',
        run: ({ path }, { files }) => files.artifact(path),
      }),
    ],
  });
}

const turn = (name: string, path = '-'): Scripted => ({ calls: [call(name, { path })] });

describe('files of an agent with a model', () => {
  it('what a tool wrote is committed with its result: a worker that dies after it loses neither', async () => {
    const gate = latch();
    const asked: number[] = [];
    const script: readonly Scripted[] = [
      turn('write', 'a.txt'),
      // The first worker never gets past this turn.
      async ({ transcript }) => {
        asked.push(transcript.length);
        if (asked.length === 1) await gate.opened;
        return { calls: [call('list', { path: '-' })] };
      },
      ({ transcript }) => ({ text: JSON.stringify(transcript.at(-1)) }),
    ];
    const world = new World(editor(...script));
    const { taskId } = await world.send('go', { contextId: 'ctx' });
    await world.work();
    expect(asked).toHaveLength(1);
    const other = new World(editor(...script), { below: world });
    await other.clock.advance(120_000);
    await sweep(other.app);
    await other.work();
    const { status } = await other.get(taskId);
    expect(status.state).toBe('COMPLETED');
    expect(JSON.stringify(status.message)).toContain('by a.txt');
    expect(await headFiles(other)).toEqual({ 'a.txt': 'by a.txt' });
    gate.open();
    await world.rest();
    expect(await headFiles(other)).toEqual({ 'a.txt': 'by a.txt' });
  });

  it('a turn that is held names its files in the checkpoint, and goes on with exactly them', async () => {
    const world = new World(editor(turn('write', 'a.txt'), turn('erase', 'b.txt')), {
      grants: everythingGranted,
    });
    const taskId = await told(world, 'go');
    expect(await world.state(taskId)).toBe('AUTH_REQUIRED');
    const run = await row(world, taskId);
    const doc = await world.app.store.get(pauseDoc(taskId, run.pauseGeneration));
    if (doc === undefined || run.status !== 'waiting_for_approval') throw new Error('no pause');
    const { key } = await workKeyOf(world.app, run);
    const checkpoint = await unsealCheckpoint(world.app, key, doc);
    expect(checkpoint.files).toBe(run.files?.commit?.id);
    expect(checkpoint.files).toMatch(/^[0-9a-f]{40}$/);
    const files = await contextFiles(world);
    expect(files?.tasks[0]?.own?.commit.id).toBe(checkpoint.files);

    const operator = { kind: 'operator', subject: 'olga' } as const;
    const decided = await storeDecision(world.app, operator, taskId, {
      kind: 'approve',
      pauseGeneration: run.pauseGeneration,
      digest: run.digest ?? '',
    });
    expect(isRefused(decided)).toBe(false);
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(await headFiles(world)).toEqual({ 'a.txt': 'by a.txt', 'b.txt': 'erased' });
  });

  it('a tool that only looks uploads nothing more', async () => {
    const world = new World(
      editor(turn('write', 'a.txt'), turn('list'), turn('list'), turn('list')),
    );
    await told(world, 'go');
    // One for what was written, one for the completed task.
    expect(world.workspaces.repositories.packs.size).toBe(2);
  });

  it('an artifact of a file is shown with the result of its tool', async () => {
    const world = new World(editor(turn('write', 'a.txt'), turn('show', 'a.txt')));
    const taskId = await told(world, 'go');
    expect((await world.get(taskId)).artifacts).toMatchObject([
      { artifactId: 'a.txt', parts: [{ filename: 'a.txt' }] },
    ]);
  });
});

describe('a release that not every function has', () => {
  it('puts runs with files off, until their rows may be written', async () => {
    const world = new World(editor());
    const { taskId } = await world.send('go', { contextId: 'ctx' });
    let allowed = false;
    const app = { ...world.app, format: { allows: () => Promise.resolve(allowed) } };
    const deliver = async (): Promise<void> => {
      for (const wakeUp of world.queue.splice(0)) void handleWakeUp(app, wakeUp);
      await world.rest();
    };
    await deliver();
    expect(await row(world, taskId)).toMatchObject({ status: 'queued', attempts: 0 });
    expect(await contextFiles(world)).toBeUndefined();
    allowed = true;
    await world.clock.advance(60_000);
    await deliver();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});
