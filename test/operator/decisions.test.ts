import { describe, expect, it } from 'vitest';
import { eventsOf } from '../../functions/cli/events.ts';
import { finish, rowOf } from '../app/turn-loop-world.ts';
import { latch } from '../app/world.ts';
import { type Asking, approvalWorld, inputWorld, overwrite } from './worlds.ts';

async function named({ taskId, world }: Asking) {
  const run = await rowOf(world, taskId);
  return { pauseGeneration: run.pauseGeneration, ...('digest' in run && { digest: run.digest }) };
}

async function direct(asking: Asking, body: object, as = 'all') {
  const { api, taskId } = asking;
  const response = await api.raw('POST', `/runs/${taskId}/decisions`, as, {
    mode: 'direct',
    ...body,
  });
  if (response.body === null) throw new Error('no body');
  return { response, events: eventsOf(response.body) };
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe('who decided', () => {
  it.each(['stored', 'direct'] as const)(
    'is told to operators who may see content when the run has ended, too (%s)',
    async (mode) => {
      const asking = await approvalWorld();
      const { api, taskId, world } = asking;
      const body = { mode, kind: 'approve', ...(await named(asking)) };
      const response = await api.raw('POST', `/runs/${taskId}/decisions`, 'decide', body);
      expect(response.status).toBe(200);
      await response.text();
      await finish(world);
      expect(await world.state(taskId)).toBe('COMPLETED');
      const { acts } = (await api.get(`/runs/${taskId}`, 'view')).body;
      expect(acts).toMatchObject([{ kind: 'approve', operator: 'decide' }]);
      const blind = (await api.get(`/runs/${taskId}`, 'not-view')).body;
      expect(blind.acts).toMatchObject([{ kind: 'approve' }]);
      expect(blind.acts[0]).not.toHaveProperty('operator');
    },
  );
});

describe('a stored decision', () => {
  it('is answered with a receipt, and carried out by a worker', async () => {
    const asking = await approvalWorld();
    const { api, ran, taskId, world } = asking;
    const answer = await api.post(`/runs/${taskId}/decisions`, {
      kind: 'approve',
      ...(await named(asking)),
    });
    expect(answer).toMatchObject({
      status: 200,
      body: { run: taskId, generation: 1, kind: 'approve', time: '2027-01-15T08:00:00.000Z' },
    });
    expect(ran).toEqual([]);
    await finish(world);
    expect(ran.map(({ tool }) => tool)).toEqual(['erase']);
    const { body } = await api.get(`/runs/${taskId}`);
    expect(body.decisions).toMatchObject([
      { id: answer.body.id, kind: 'approve', by: 'operator', mode: 'stored', state: 'consumed' },
    ]);
  });

  it('puts in what was asked for, if it is what was asked for', async () => {
    const asking = await inputWorld();
    const { api, ran, taskId, world } = asking;
    const decide = async (input: unknown) =>
      api.post(`/runs/${taskId}/decisions`, { kind: 'input', input, ...(await named(asking)) });
    const wrong = await decide({ n: 'four' });
    expect(wrong).toMatchObject({
      status: 400,
      body: { error: { code: 'INVALID_PARAMS', field: 'input.n' } },
    });
    expect((await decide({ n: 2 })).status).toBe(200);
    await finish(world);
    expect(ran).toMatchObject([{ tool: 'choose', input: { n: 2 } }]);
  });

  it.each([
    ['an earlier pause', { pauseGeneration: 7 }, 'PAUSE_OVER'],
    ['another turn', { digest: 'f'.repeat(64) }, 'DECISION_MISMATCH'],
    ['no turn', { digest: undefined }, 'INVALID_PARAMS'],
    ['another kind of pause', { kind: 'input', input: 1 }, 'INVALID_PARAMS'],
    ['an approval, with an input', { input: 1 }, 'INVALID_PARAMS'],
  ])('made for %s changes nothing', async (_, over, code) => {
    const asking = await approvalWorld();
    const { api, taskId, world } = asking;
    const before = await rowOf(world, taskId);
    const body = { kind: 'approve', ...(await named(asking)), ...over };
    const answer = await api.post(`/runs/${taskId}/decisions`, body);
    expect(answer.body.error.code).toBe(code);
    expect(await rowOf(world, taskId)).toEqual(before);
  });

  it('and another one about the same pause: one is taken', async () => {
    const asking = await approvalWorld();
    const { api, taskId } = asking;
    const body = await named(asking);
    const [approved, denied] = await Promise.all([
      api.post(`/runs/${taskId}/decisions`, { kind: 'approve', ...body }),
      api.post(`/runs/${taskId}/decisions`, { kind: 'deny', ...body }, 'decide'),
    ]);
    const refused = approved.status === 200 ? denied : approved;
    expect([approved.status, denied.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
    expect(refused.body.error.code).toBe('PAUSE_OVER');
  });

  it('about a run of a status that this version does not know is refused', async () => {
    const asking = await approvalWorld();
    const { api, taskId, world } = asking;
    const body = { kind: 'approve', ...(await named(asking)) };
    await overwrite(world, taskId, { status: 'waiting_for_the_moon' });
    const answer = await api.post(`/runs/${taskId}/decisions`, body);
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'STATUS_UNKNOWN' } } });
  });
});

describe('a direct decision', () => {
  it('is carried out in its request, which shows the receipt, the task as it goes, and where it rests', async () => {
    const asking = await approvalWorld();
    const { ran, taskId } = asking;
    const { events, response } = await direct(asking, {
      kind: 'approve',
      ...(await named(asking)),
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const seen = await all(events);
    expect(seen.map(({ name }) => name)).toEqual(['receipt', 'task', 'event', 'rest']);
    expect(seen[0]).toMatchObject({ data: { run: taskId, kind: 'approve' } });
    expect(seen[1]).toMatchObject({ id: expect.stringMatching(/^\d+$/) as string });
    expect(seen[2]).toMatchObject({ data: { event: { kind: 'status', state: 'COMPLETED' } } });
    expect(seen[3]).toMatchObject({ data: { id: taskId, status: 'completed' } });
    expect(ran.map(({ tool }) => tool)).toEqual(['erase']);
  });

  it('shows an operator who may not see content nothing but how it came out', async () => {
    const asking = await approvalWorld();
    const { events } = await direct(asking, { kind: 'deny', ...(await named(asking)) }, 'decide');
    expect((await all(events)).map(({ name }) => name)).toEqual(['receipt', 'rest']);
  });

  it('goes on to its end when its client is gone', async () => {
    const asking = await approvalWorld();
    const { ran, taskId, world } = asking;
    const { response } = await direct(asking, { kind: 'approve', ...(await named(asking)) });
    await response.body?.cancel();
    await expect.poll(() => world.state(taskId)).toBe('COMPLETED');
    expect(ran).toHaveLength(1);
  });

  it('against a stored one about the same pause: exactly one wins, and its effect happens once', async () => {
    for (let round = 0; round < 20; round += 1) {
      const asking = await approvalWorld();
      const { api, ran, taskId, world } = asking;
      const body = { kind: 'approve', ...(await named(asking)) };
      const [first, second] = await Promise.all([
        api.raw('POST', `/runs/${taskId}/decisions`, 'all', { ...body, mode: 'direct' }),
        api.raw('POST', `/runs/${taskId}/decisions`, 'decide', body),
      ]);
      expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([200, 409]);
      await first.text();
      await finish(world);
      expect(ran).toHaveLength(1);
      expect(await world.state(taskId)).toBe('COMPLETED');
    }
  });

  it('is refused as JSON, and not as a stream', async () => {
    const asking = await approvalWorld();
    const { api, taskId } = asking;
    const body = { mode: 'direct', kind: 'approve', pauseGeneration: 9, digest: 'x' };
    const answer = await api.post(`/runs/${taskId}/decisions`, body);
    expect(answer).toMatchObject({ status: 409, body: { error: { code: 'PAUSE_OVER' } } });
  });

  it('that takes long shows now and then that it is alive', async () => {
    const gate = latch();
    const asking = await approvalWorld({ settings: { heartbeat: 1_000 } }, () => gate.opened);
    const { api, taskId, world } = asking;
    const body = { mode: 'direct', kind: 'approve', ...(await named(asking)) };
    const response = await api.raw('POST', `/runs/${taskId}/decisions`, 'all', body);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    const readUntil = async (words: string) => {
      while (!text.includes(words)) text += (await reader?.read())?.value ?? '';
    };
    await readUntil('event: task');
    await world.clock.advance(1_000);
    await readUntil(': keep-alive\n\n');
    gate.open();
    await readUntil('event: rest');
  });
});

describe('a note', () => {
  const denial = async ({ api, taskId }: Awaited<ReturnType<typeof approvalWorld>>) => {
    const { digest, generation: pauseGeneration } = (await api.get(`/runs/${taskId}`)).body
      .waitsFor;
    return { digest, pauseGeneration };
  };

  it('goes with a denial alone, and a denial with another note is another one', async () => {
    const made = await approvalWorld();
    const { api, taskId } = made;
    const about = await denial(made);
    const path = `/runs/${taskId}/decisions`;
    const wrong = await api.post(path, { kind: 'approve', ...about, note: 'x' });
    expect(wrong).toMatchObject({ status: 400, body: { error: { field: 'note' } } });
    const no = { kind: 'deny', ...about, note: 'Too dear.' };
    expect((await api.post(path, no)).status).toBe(200);
    expect((await api.post(path, no)).status).toBe(200);
    expect((await api.post(path, { ...no, note: 'Too late.' })).status).toBe(409);
  });
});
