import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import type { Frame } from '../../shared/app/service.ts';
import { projectRun } from '../../shared/app/change/project-run.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Row } from '../../shared/ports/backend.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { latch, World } from './world.ts';
import { withCommit, wrapped } from './wrapped.ts';

const SECRET = 'the canary in the prompt';

const working = defineAgent({
  name: 'working',
  description: 'Shows work.',
  async run(ctx) {
    await ctx.status('one');
    await ctx.artifact({ artifactId: 'a', parts: 'result' });
    await ctx.status('two');
    return 'done';
  },
});

async function journal(world: World, taskId: string) {
  const rows = await world.backend.query({
    collection: `tasks/${taskId}/events`,
    filters: [],
    order: undefined,
    limit: 100,
  });
  return rows.map(({ fields }) => fields);
}

async function frames(world: World, taskId: string, afterSeq?: number): Promise<readonly Frame[]> {
  const stream = await world.service.stream(
    world.principal,
    taskId,
    { until: 'settled', afterRevision: 1, ...(afterSeq !== undefined && { afterSeq }) },
    new AbortController().signal,
  );
  if (isRefused(stream)) throw new Error(stream.code);
  const seen: Frame[] = [];
  for await (const frame of stream) seen.push(frame);
  return seen;
}

describe('projection (G2, G3)', () => {
  it('projecting again, from several places at once, adds nothing to the journal', async () => {
    const world = new World(working);
    const { taskId } = await world.send('go', { blocking: true });
    await Promise.all(Array.from({ length: 5 }, () => projectRun(world.app, taskId)));
    await world.work();
    await Promise.all(Array.from({ length: 5 }, () => projectRun(world.app, taskId)));
    const entries = await journal(world, taskId);
    const numbers = entries.flatMap(({ fromSeq, toSeq }) => [Number(fromSeq), Number(toSeq)]);
    expect(
      entries.reduce((sum, { fromSeq, toSeq }) => sum + Number(toSeq) - Number(fromSeq) + 1, 0),
    ).toBe(Math.max(...numbers));
    const task = await world.get(taskId);
    expect(task.history.map(({ parts }) => parts)).toEqual([
      [{ text: 'go' }],
      [{ text: 'one' }],
      [{ text: 'two' }],
      [{ text: 'done' }],
    ]);
  });

  it('a projector that fails is caught up from committed revisions, and the agent runs once', async () => {
    let runs = 0;
    let broken = true;
    const counting = defineAgent({
      name: 'counting',
      description: 'Counts.',
      async run(ctx) {
        runs += 1;
        // More than a row holds, so it can't be shown in the commit that makes it.
        await ctx.artifact({ artifactId: 'a', parts: 'x'.repeat(150_000) });
        await ctx.artifact({ artifactId: 'b', parts: 'x'.repeat(150_000) });
        return 'done';
      },
    });
    const world = new World(counting, {
      wrap: (backend) =>
        withCommit(backend, (checks, writes) =>
          broken && writes.every(({ path }) => path.startsWith('tasks/'))
            ? Promise.reject(new Unavailable('store'))
            : backend.commit(checks, writes),
        ),
    });
    const { taskId } = await world.send('go', { blocking: true });
    await world.work();
    await world.clock.advance(60_000);
    expect(await world.state(taskId)).toBe('WORKING');
    broken = false;
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(runs).toBe(1);
  });

  it('a commit that meets a projector adds nothing twice, and leaves nothing out', async () => {
    const armed = { claim: true, end: true };
    const world: World = new World(working, {
      wrap: (backend) =>
        withCommit(backend, async (checks, writes) => {
          const row = writes.find(({ path }) => /^runs\/[^/]+$/.test(path));
          const taskId = row?.path.slice('runs/'.length) ?? '';
          const status = row?.fields?.['status'];
          // It projects what is committed so far, between the reads of this commit and itself.
          if (status === 'running' && armed.claim) {
            armed.claim = false;
            await projectRun(world.app, taskId);
          }
          if (status === 'completed' && armed.end) {
            armed.end = false;
            await world.service.get(world.principal, taskId);
          }
          return backend.commit(checks, writes);
        }),
    });
    const { taskId } = await world.send('go', { blocking: true });
    await world.work();
    expect(armed).toEqual({ claim: false, end: false });
    const seen = await frames(world, taskId);
    expect(seen.map((frame) => frame.seq)).toEqual([1, 2, 3, 4, 5, 6]);
    const entries = await journal(world, taskId);
    expect(entries.map(({ fromSeq }) => fromSeq)).toEqual([
      1,
      ...entries.slice(0, -1).map(({ toSeq }) => Number(toSeq) + 1),
    ]);
  });

  it('a projector that read the view a moment too early looks again', async () => {
    const early: { path?: string; row?: Row | undefined } = {};
    const world: World = new World(working, {
      wrap: (backend) =>
        wrapped(backend, {
          async read(paths) {
            const rows = await backend.read(paths);
            if (early.path === undefined || paths[0] !== early.path) return rows;
            delete early.path;
            return [early.row];
          },
        }),
    });
    const { taskId } = await world.send('go');
    const path = `tasks/${taskId}`;
    early.row = world.backend.peek(path);
    await world.work();
    early.path = path;
    expect(await projectRun(world.app, taskId)).toMatchObject({ state: 'COMPLETED' });
    expect(early).not.toHaveProperty('path');
  });

  it('a stream shows each state once and in order, and ends with the task', async () => {
    const world = new World(working);
    const { taskId } = await world.send('go');
    const streaming = frames(world, taskId);
    await world.rest();
    await world.work();
    const seen = await streaming;
    expect(seen.map((frame) => frame.seq)).toEqual([1, 2, 3, 4, 5, 6]);
    expect(seen[0]).toMatchObject({ kind: 'task', task: { status: { state: 'SUBMITTED' } } });
    expect(seen.at(-1)).toMatchObject({
      kind: 'event',
      event: { kind: 'status', state: 'COMPLETED' },
    });
  });

  it('a stream opened after a quick agent has ended still shows every step', async () => {
    const world = new World(working);
    const { taskId } = await world.send('go');
    await world.work();
    const seen = await frames(world, taskId);
    expect(seen.map((frame) => frame.seq)).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('a stream resumed behind any event shows the task as it stood there, then exactly the later ones', async () => {
    const world = new World(working);
    const { taskId } = await world.send('go');
    await world.work();
    for (const after of [1, 2, 3, 4, 5]) {
      const [first, ...later] = await frames(world, taskId, after);
      expect(later.map((frame) => frame.seq)).toEqual([2, 3, 4, 5, 6].filter((seq) => seq > after));
      const state = after === 1 ? 'SUBMITTED' : 'WORKING';
      expect(first).toMatchObject({
        kind: 'task',
        seq: after,
        task: { taskId, status: { state }, history: [], artifacts: [] },
      });
    }
  });

  it('a consumer that leaves a stream frees what it held', async () => {
    const gate = latch();
    const waiting = defineAgent({
      name: 'waiting',
      description: 'Waits.',
      run: () => gate.opened.then(() => 'done'),
    });
    const world = new World(waiting);
    const { taskId } = await world.send('go');
    await world.work();
    const leaving = new AbortController();
    const stream = await world.service.stream(
      world.principal,
      taskId,
      { until: 'terminal' },
      leaving.signal,
    );
    if (isRefused(stream)) throw new Error(stream.code);
    const iterator = stream[Symbol.asyncIterator]();
    await iterator.next();
    const ended = iterator.next();
    leaving.abort();
    expect(await ended).toEqual({ done: true, value: undefined });
    gate.open();
  });

  it('a status that a newer version wrote is open to every reader, and no process changes it', async () => {
    const world = new World(working);
    const { taskId } = await world.send('go');
    const [row] = await world.backend.read([`runs/${taskId}`]);
    if (row === undefined) throw new Error('no row');
    await world.backend.commit(
      [],
      [
        {
          path: row.path,
          fields: { ...row.fields, status: 'waiting_for_the_moon' },
          expect: row.version,
        },
      ],
    );
    await world.work();
    expect(await world.state(taskId)).toBe('SUBMITTED');
    expect(await world.code(world.service.cancel(world.principal, taskId))).toBe(
      'TASK_NOT_CANCELABLE',
    );
    expect(await world.code(world.trySend([{ text: 'x' }], { taskId }))).toBe('TASK_BUSY');
    const [after] = await world.backend.read([`runs/${taskId}`]);
    expect(after?.fields['status']).toBe('waiting_for_the_moon');
  });
});

describe('what is stored where (G4, G8)', () => {
  it('no row, view, journal entry or object holds a word in clear; the archive is the one plain copy', async () => {
    const world = new World(working, { settings: { inlineContent: 40, workingSnapshot: 40 } });
    const { taskId, contextId } = await world.send(SECRET);
    await world.work();
    expect(JSON.stringify((await world.get(taskId)).history)).toContain(SECRET);
    const clear = (bytes: Uint8Array): boolean =>
      Buffer.from(bytes).includes(SECRET) || Buffer.from(bytes).includes('result');
    for (const collection of [
      'runs',
      `runs/${taskId}/revisions`,
      'tasks',
      `tasks/${taskId}/events`,
      'contexts',
      'receipts',
    ]) {
      const rows = await world.backend.query({
        collection,
        filters: [],
        order: undefined,
        limit: 100,
      });
      for (const { fields } of rows) {
        const text = JSON.stringify(fields, (_key, value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
        );
        expect(text).not.toContain(SECRET);
      }
    }
    const plain = [...world.blobs.objects]
      .filter(([, blob]) => clear(blob.body))
      .map(([name]) => name);
    expect(plain).toEqual([`contexts/${contextId}/${taskId}/task.json`]);
  });

  it('the journal never holds what the client said', async () => {
    const world = new World(working);
    const { taskId } = await world.send(SECRET);
    await world.work();
    expect(JSON.stringify((await frames(world, taskId)).slice(1))).not.toContain(SECRET);
  });
});
