import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { scopeOf } from '../../shared/domain/ids.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { filesDoc } from '../../shared/app/records/files-document.ts';
import {
  contentOf,
  contextFiles,
  foundBy,
  headFiles,
  obeying,
  told,
  write,
} from './files-world.ts';
import { row } from './waiting.ts';
import { latch, World } from './world.ts';

describe('the files of a task', () => {
  it('are there for the next task of its context, and for no other context', async () => {
    const world = new World(obeying());
    await told(world, 'write a.txt one\nwrite src/b.txt two');
    const second = await told(world, 'write a.txt three\ndelete src/b.txt');
    expect(await foundBy(world, second)).toEqual({ 'a.txt': 'one', 'src/b.txt': 'two' });
    const third = await told(world, 'list');
    expect(await foundBy(world, third)).toEqual({ 'a.txt': 'three' });
    const elsewhere = await told(world, 'list', 'other');
    expect(await foundBy(world, elsewhere)).toEqual({});
  });

  it("of two callers with one context id are each caller's own (G23)", async () => {
    const world = new World(obeying());
    await told(world, 'write secret.txt mine');
    const other = { ...world.principal, owner: 'other', authenticated: true };
    const sent = await world.service.send(other, {
      message: { messageId: 'm', role: 'user', parts: [{ text: 'list' }] },
      contextId: 'ctx',
    });
    if (isRefused(sent) || sent.kind !== 'accepted') throw new Error('not accepted');
    await world.work();
    const task = await world.service.get(other, sent.taskId);
    expect(task).toMatchObject({ status: { message: { parts: [{ text: '{}' }] } } });
    const mine = await contextFiles(world);
    const theirs = await world.app.store.get(filesDoc(scopeOf(other), 'ctx'));
    expect(theirs?.repository).not.toBe(mine?.repository);
  });

  it('are kept when it asks, and the answer is worked on with exactly them', async () => {
    const world = new World(obeying());
    await told(world, 'write a.txt before');
    const taskId = await told(world, 'write a.txt asked\nask');
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    // Nothing of a task that is not over is the context's.
    expect(await headFiles(world)).toEqual({ 'a.txt': 'before' });
    await world.send('write b.txt answered', { taskId });
    await world.work();
    expect(await foundBy(world, taskId)).toEqual({ 'a.txt': 'asked' });
    expect(await headFiles(world)).toEqual({ 'a.txt': 'asked', 'b.txt': 'answered' });
  });

  it.each(['fail', 'reject'])('of a task that ends with %s are dropped', async (verb) => {
    const world = new World(obeying());
    await told(world, 'write a.txt kept');
    await told(world, `write a.txt lost\n${verb}`);
    const third = await told(world, 'list');
    expect(await foundBy(world, third)).toEqual({ 'a.txt': 'kept' });
  });

  it('of a task that is cancelled while it asks are dropped', async () => {
    const world = new World(obeying());
    await told(world, 'write a.txt kept');
    const taskId = await told(world, 'write a.txt lost\nask');
    await world.service.cancel(world.principal, taskId);
    expect((await contextFiles(world))?.tasks.map(({ task }) => task)).not.toContain(taskId);
    expect(await headFiles(world)).toEqual({ 'a.txt': 'kept' });
  });

  it('begin again as last committed when a worker is lost, not as it left the disk', async () => {
    const gate = latch();
    const found: unknown[] = [];
    const agent = defineAgent({
      name: 'slow',
      description: 'Loses its worker once.',
      files: true,
      async run(ctx) {
        found.push(contentOf(ctx.files.folder));
        write(ctx.files.folder, 'a.txt', `attempt ${ctx.attempt}`);
        if (ctx.attempt === 1) await gate.opened;
        return 'done';
      },
    });
    const world = new World(agent);
    const { taskId } = await world.send('go', { contextId: 'ctx' });
    await world.work();
    // Another process takes over when the lease has lapsed; the first one never comes back.
    const other = new World(agent, { below: world });
    await other.clock.advance(120_000);
    await sweep(other.app);
    await other.work();
    expect(await other.state(taskId)).toBe('COMPLETED');
    expect(found).toEqual([{}, {}]);
    expect(await headFiles(other)).toEqual({ 'a.txt': 'attempt 2' });
    gate.open();
    await world.rest();
    expect(await headFiles(other)).toEqual({ 'a.txt': 'attempt 2' });
  });

  it('can become artifacts by their names', async () => {
    const world = new World(obeying());
    const taskId = await told(world, 'write out/report.txt hello\nshow out/report.txt');
    const { artifacts } = await world.get(taskId);
    expect(artifacts).toMatchObject([
      { artifactId: 'out/report.txt', name: 'report.txt', parts: [{ filename: 'report.txt' }] },
    ]);
    const [part] = artifacts[0]?.parts ?? [];
    expect(part !== undefined && 'raw' in part && Buffer.from(part.raw).toString()).toBe('hello');
  });

  it.each(['../outside.txt', '/etc/hostname', 'missing.txt', ''])(
    'no artifact is made of %j',
    async (path) => {
      const world = new World(obeying());
      const taskId = await told(world, `write a.txt x\nshow ${path}`);
      expect(await world.get(taskId)).toMatchObject({ status: { state: 'FAILED' }, artifacts: [] });
    },
  );

  it('that can not be kept fail the task by a reason of its own, and the context is as it was', async () => {
    const world = new World(
      defineAgent({
        name: 'linking',
        description: 'Leaves a link.',
        files: true,
        run(ctx) {
          if (ctx.text === 'link') symlinkSync('/etc/passwd', join(ctx.files.folder, 'link'));
          else write(ctx.files.folder, 'a.txt', ctx.text);
          return JSON.stringify(contentOf(ctx.files.folder));
        },
      }),
    );
    await told(world, 'fine');
    const packs = world.workspaces.repositories.packs.size;
    const taskId = await told(world, 'link');
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'FILES_REFUSED' },
    });
    // For the author; the caller learns no path.
    expect(JSON.stringify(await world.get(taskId))).not.toContain('symbolic');
    const [line] = world.logged.filter(({ event }) => event === 'agent error');
    expect(line?.fields).toMatchObject({ where: 'files', fault: 'WorkspaceRefused' });
    expect(JSON.stringify(line)).not.toContain('symbolic');
    expect(line).toMatchObject({ fields: { error: { error: { path: 'link' } } } });
    // In the commit that ended the run, so that operators find it there.
    expect(await row(world, taskId)).toMatchObject({
      errors: [{ where: 'files', fault: 'WorkspaceRefused' }],
    });
    expect(world.workspaces.repositories.packs.size).toBe(packs);
    expect(await headFiles(world)).toEqual({ 'a.txt': 'fine' });
  });

  it('are counted against the lower of two limits', async () => {
    const world = new World(obeying({ files: { form: 'git', limits: { count: 1 } } }));
    const taskId = await told(world, 'write a.txt 1\nwrite b.txt 2');
    expect(await world.get(taskId)).toMatchObject({ metadata: { reason: 'FILES_REFUSED' } });
  });

  it('are no business of an agent that does not declare them', async () => {
    const world = new World(
      defineAgent({ name: 'plain', description: 'Plain.', run: (ctx) => ctx.files.folder }),
    );
    const taskId = await told(world, 'go');
    expect(await world.state(taskId)).toBe('FAILED');
    expect(await contextFiles(world)).toBeUndefined();
    expect(await row(world, taskId)).not.toHaveProperty('files');
  });
});
