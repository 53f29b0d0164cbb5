import { describe, expect, it } from 'vitest';
import { type Ceiling, defineAgent, type PublicationProfile } from '../../shared/agent/index.ts';
import type { Installation } from '../../shared/app/app.ts';
import { viewDoc } from '../../shared/app/records/documents.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { answerCeiling, CEILINGS, keepsResult } from '../../shared/domain/ceiling.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { SECRET, type Shape, SHAPES } from './shapes.ts';
import { latch, World } from './world.ts';

const agentOf = (shape: Shape, publication?: PublicationProfile) =>
  defineAgent({
    name: 'shaped',
    description: 'Shaped.',
    run: (ctx) => shape.run(ctx) as string,
    ...(publication && { publication }),
  });

/** Every way in which a task can be seen, as one text. */
async function everyPath(world: World, taskId: string): Promise<string> {
  const seen: unknown[] = [await world.service.get(world.principal, taskId)];
  seen.push(await world.service.list(world.principal, { includeArtifacts: true }));
  const stream = await world.service.stream(
    world.principal,
    taskId,
    { until: 'settled', afterSeq: 0 },
    new AbortController().signal,
  );
  if (!isRefused(stream)) for await (const frame of stream) seen.push(frame);
  for (const [name, blob] of world.blobs.objects)
    seen.push(name, Buffer.from(blob.body).toString('latin1'));
  return JSON.stringify(seen, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}

const places = ['installation', 'provider', 'task'] as const;
const matrix = Object.keys(SHAPES).flatMap((shape) =>
  CEILINGS.flatMap((level) => places.map((place) => ({ shape, level, place }))),
);

describe('what may be kept (G5, G6): every shape of task, every level, every place', () => {
  it.each(matrix)('$shape with $level set by the $place', async ({ shape: name, level, place }) => {
    const shape = SHAPES[name];
    if (shape === undefined) throw new Error(name);
    const installation: Installation = {
      answer: place === 'installation' ? level : 'metadata',
      audit: 'metadata',
    };
    const publication = place === 'installation' ? {} : { [place]: level };
    const answer = answerCeiling({ installation: installation.answer, ...publication });
    const agent = agentOf(shape, publication);
    const world = new World(agent, { installation });
    if (!keepsResult(answer)) {
      for (const blocking of [true, false]) {
        expect(await world.code(world.trySend([{ text: SECRET }], { blocking }))).toBe(
          'RESULT_NOT_STORABLE',
        );
      }
      expect(
        await world.backend.query({ collection: 'runs', filters: [], order: undefined, limit: 9 }),
      ).toEqual([]);
      return;
    }
    const { taskId } = await world.send(`please ${SECRET}`);
    await world.work();
    await shape.next?.(world, taskId);
    expect(await world.state(taskId)).toBe(shape.state);
    const seen = await everyPath(world, taskId);
    expect(seen.includes(SECRET)).toBe(answer === 'full');
    expect(seen.includes('[removed]')).toBe(answer === 'redacted');
  });
});

describe('ceilings that tighten during a run (G7)', () => {
  const gated = (gate: { readonly opened: Promise<void> }, seen: string[] = []) =>
    defineAgent({
      name: 'gated',
      description: 'Waits.',
      async run(ctx) {
        seen.push(ctx.text);
        await ctx.artifact({ artifactId: 'a', parts: `early ${SECRET}` });
        await gate.opened;
        await ctx.artifact({ artifactId: 'b', parts: `late ${SECRET}` });
        return `done ${SECRET}`;
      },
    });

  it.each<Ceiling>(['none', 'metadata'])(
    '%s ends the task FAILED with the fixed words, and no path returns the content',
    async (level) => {
      const gate = latch();
      const world = new World(gated(gate));
      const { taskId } = await world.send(`please ${SECRET}`);
      await world.work();
      await world.clock.advance(500);
      expect(await everyPathOpen(world, taskId)).toContain(SECRET);
      expect(await tightenCeiling(world.app, taskId, { answer: level })).toBe('failed');
      gate.open();
      await world.rest();
      const task = await world.get(taskId);
      expect(task).toMatchObject({
        status: { state: 'FAILED' },
        metadata: { reason: 'RESULT_NOT_KEPT' },
        artifacts: [],
      });
      expect(task.status.message?.parts).toEqual([
        { text: "The result could not be kept under the installation's privacy policy." },
      ]);
      expect(await everyPath(world, taskId)).not.toContain(SECRET);
    },
  );

  it('the state sequence stays: a stream from the beginning shows every state, without a word', async () => {
    const gate = latch();
    const world = new World(gated(gate));
    const { taskId } = await world.send(`please ${SECRET}`);
    await world.work();
    await world.clock.advance(500);
    await tightenCeiling(world.app, taskId, { answer: 'none' });
    const stream = await world.service.stream(
      world.principal,
      taskId,
      { until: 'settled', afterSeq: 0 },
      new AbortController().signal,
    );
    if (isRefused(stream)) throw new Error(stream.code);
    const states: string[] = [];
    for await (const frame of stream)
      if (frame.kind === 'event' && frame.event.kind === 'status') states.push(frame.event.state);
    expect(states).toEqual(['SUBMITTED', 'WORKING', 'FAILED']);
  });

  it('an open stream ends with the failure and never shows what was destroyed', async () => {
    const gate = latch();
    const world = new World(gated(gate));
    const { taskId } = await world.send(`please ${SECRET}`);
    await world.work();
    await world.clock.advance(500);
    const stream = await world.service.stream(
      world.principal,
      taskId,
      { until: 'terminal', afterSeq: 0 },
      new AbortController().signal,
    );
    if (isRefused(stream)) throw new Error(stream.code);
    await world.clock.advance(5_000);
    await tightenCeiling(world.app, taskId, { answer: 'none' });
    const seen: unknown[] = [];
    for await (const frame of stream) seen.push(frame);
    expect(JSON.stringify(seen)).not.toContain(SECRET);
    expect(JSON.stringify(seen)).toContain('FAILED');
  });

  it('redacted keeps the redacted text, what was shown before included, and the agent goes on with what it was given', async () => {
    const gate = latch();
    const worked: string[] = [];
    const world = new World(gated(gate, worked));
    const { taskId } = await world.send(`please ${SECRET}`);
    await world.work();
    await world.clock.advance(500);
    expect(await tightenCeiling(world.app, taskId, { answer: 'redacted' })).toBe('redacted');
    gate.open();
    await world.rest();
    const task = await world.get(taskId);
    expect(task.status.state).toBe('COMPLETED');
    expect(task.artifacts.map(({ parts }) => parts)).toEqual([
      [{ text: 'early [removed]' }],
      [{ text: 'late [removed]' }],
    ]);
    expect(task.history[0]?.parts).toEqual([{ text: 'please [removed]' }]);
    expect(await everyPath(world, taskId)).not.toContain(SECRET);
    expect(worked).toEqual([`please ${SECRET}`]);
  });

  it('an agent that falls back to a stricter provider says so, and does not go on where nothing may be kept', async () => {
    const steps: string[] = [];
    const agent = defineAgent({
      name: 'falling-back',
      description: 'Falls back.',
      async run(ctx) {
        await ctx.tighten('redacted');
        steps.push('redacted');
        await ctx.tighten('full');
        await ctx.tighten('metadata');
        steps.push('not reached');
        return SECRET;
      },
    });
    const world = new World(agent);
    const { taskId } = await world.send(`please ${SECRET}`);
    await world.work();
    expect(steps).toEqual(['redacted']);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'RESULT_NOT_KEPT' },
    });
  });

  it('is never loosened, and tightening twice changes nothing more', async () => {
    const world = new World(gated(latch()), {
      installation: { answer: 'redacted', audit: 'metadata' },
    });
    const { taskId } = await world.send('go');
    expect(await tightenCeiling(world.app, taskId, { answer: 'full', audit: 'full' })).toBe(
      'unchanged',
    );
    expect(await tightenCeiling(world.app, taskId, { audit: 'none' })).toBe('tightened');
    expect(await tightenCeiling(world.app, taskId, { audit: 'none' })).toBe('unchanged');
    expect(
      await tightenCeiling(world.app, '00000000-0000-4000-8000-00000000dead', { answer: 'none' }),
    ).toBe('unchanged');
  });

  it('a finished task whose result may not be kept any more is removed: never COMPLETED without its result', async () => {
    const world = new World(agentOf({ run: () => `done ${SECRET}`, state: 'COMPLETED' }));
    const { taskId } = await world.send(`please ${SECRET}`);
    await world.work();
    expect(await tightenCeiling(world.app, taskId, { answer: 'metadata' })).toBe('purged');
    expect(await world.code(world.service.get(world.principal, taskId))).toBe('TASK_NOT_FOUND');
    expect(world.blobs.objects.size).toBe(0);
  });

  it('a finished task is redacted in place', async () => {
    const world = new World(agentOf({ run: () => `done ${SECRET}`, state: 'COMPLETED' }));
    const { taskId } = await world.send(`please ${SECRET}`);
    await world.work();
    expect(await tightenCeiling(world.app, taskId, { answer: 'redacted' })).toBe('redacted');
    expect((await world.get(taskId)).status.message?.parts).toEqual([{ text: 'done [removed]' }]);
    expect(await everyPath(world, taskId)).not.toContain(SECRET);
  });

  it('a race between tightening and completing has one of two clean outcomes', async () => {
    const outcomes = new Set<string>();
    for (let turn = 0; turn < 12; turn += 1) {
      const gate = latch();
      const world = new World(gated(gate));
      const { taskId } = await world.send(`please ${SECRET}`);
      await world.work();
      const tightening = async (): Promise<unknown> => {
        for (let wait = 0; wait < turn; wait += 1) await Promise.resolve();
        return tightenCeiling(world.app, taskId, { answer: 'none' });
      };
      gate.open();
      await Promise.all([tightening(), world.rest()]);
      const task = await world.service.get(world.principal, taskId);
      outcomes.add(
        isRefused(task) ? task.code : `${task.status.state} ${JSON.stringify(task.metadata)}`,
      );
      expect(await everyPath(world, taskId)).not.toContain(SECRET);
    }
    for (const outcome of outcomes)
      expect(['TASK_NOT_FOUND', 'FAILED {"reason":"RESULT_NOT_KEPT"}']).toContain(outcome);
  });
});

describe('archive', () => {
  it.each([
    ['standard', true],
    ['sealed', false],
    ['off', false],
  ] as const)('%s: a plain copy is there: %s', async (archive, plain) => {
    const world = new World(
      agentOf({ run: () => `done ${SECRET}`, state: 'COMPLETED' }, { archive }),
    );
    const { taskId } = await world.send('go');
    await world.work();
    const copies = [...world.blobs.objects].filter(([name]) => name.includes('task.json'));
    expect(copies).toHaveLength(archive === 'off' ? 0 : 1);
    expect(copies.some(([, blob]) => Buffer.from(blob.body).includes(SECRET))).toBe(plain);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

describe('keys that are gone', () => {
  it('a run whose key can not be opened ends FAILED with a reason, and nothing is stored in clear', async () => {
    const world = new World(agentOf({ run: () => `done ${SECRET}`, state: 'COMPLETED' }));
    const { taskId } = await world.send(`please ${SECRET}`, { blocking: true });
    const [row] = await world.backend.read([`runs/${taskId}`]);
    if (row === undefined) throw new Error('no row');
    await world.backend.commit(
      [],
      [
        {
          path: row.path,
          fields: { ...row.fields, wrappedKey: new Uint8Array([1, 2, 3]) },
          expect: row.version,
        },
      ],
    );
    await world.work();
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'STATE_UNREADABLE' },
    });
  });

  it('a view row that can not be read at all is left out of the list, and hides no other', async () => {
    const world = new World(agentOf({ run: () => 'done', state: 'COMPLETED' }));
    const first = await world.send('one');
    await world.send('two');
    await world.work();
    const [row] = await world.backend.read([`tasks/${first.taskId}`]);
    if (row === undefined) throw new Error('no view');
    const fields = { ...row.fields, pages: 'broken' };
    await world.backend.commit([], [{ path: row.path, fields, expect: row.version }]);
    const page = await world.service.list(world.principal, { includeArtifacts: true });
    expect(page).toMatchObject({
      kind: 'page',
      totalSize: 2,
      tasks: [{ status: { state: 'COMPLETED' } }],
    });
  });

  it('an envelope that was moved to another document, field or run does not open', async () => {
    const world = new World(agentOf({ run: () => `done ${SECRET}`, state: 'COMPLETED' }));
    const first = await world.send('one');
    const second = await world.send('two');
    await world.work();
    const [from, to] = await Promise.all([
      world.app.store.get(viewDoc(first.taskId)),
      world.backend.read([`tasks/${second.taskId}`]),
    ]);
    const [row] = to;
    if (from === undefined || row === undefined) throw new Error('no view');
    await world.backend.commit(
      [],
      [{ path: row.path, fields: { ...row.fields, content: from.content }, expect: row.version }],
    );
    await expect(world.get(second.taskId)).rejects.toMatchObject({ name: 'Unreadable' });
    const listed = await world.service.list(world.principal, { includeArtifacts: true });
    expect(listed).toMatchObject({ kind: 'page', totalSize: 2 });
  });
});

async function everyPathOpen(world: World, taskId: string): Promise<string> {
  return JSON.stringify(await world.get(taskId));
}
