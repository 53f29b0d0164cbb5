import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import type { Frame, StreamRequest } from '../../shared/app/service.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { World } from './world.ts';

const IDS = ['a1', 'a2', 'a3', 'a4', 'a5'];

/** Makes five artifacts of 250 bytes; asks when told to. */
const agent = defineAgent({
  name: 'large',
  description: 'Makes more than an answer may carry.',
  async run(ctx) {
    for (const artifactId of IDS)
      await ctx.artifact({ artifactId, parts: artifactId.padEnd(250, '.') });
    if (ctx.text === 'ask') ctx.ask('Go on?');
    return 'done';
  },
});

const large = () =>
  new World(agent, { settings: { answerBytes: 1_000, streamBytes: 500, progressBytes: 100 } });

/** What a stream carries until it ends, or comes to rest. */
async function framesOf(
  world: World,
  id: string,
  request: StreamRequest,
): Promise<readonly Frame[]> {
  const over = new AbortController();
  const frames = await world.service.stream(world.principal, id, request, over.signal);
  if (isRefused(frames)) throw new Error(frames.code);
  const seen: Frame[] = [];
  const reading = (async () => {
    for await (const frame of frames) seen.push(frame);
  })();
  await world.rest();
  over.abort('seen');
  await reading;
  return seen;
}

const artifactsIn = (frames: readonly Frame[]) =>
  frames.flatMap((frame) =>
    frame.kind === 'event' && frame.event.kind === 'artifact'
      ? [frame.event.artifact.artifactId]
      : [],
  );

describe('a task that is larger than an answer may be', () => {
  it('is refused with a word on how to get it, and comes whole in events', async () => {
    const world = large();
    const { taskId } = await world.send('go');
    await world.work();
    const answer = await world.service.get(world.principal, taskId);
    expect(answer).toMatchObject({
      code: 'TASK_TOO_LARGE',
      message: expect.stringContaining('Last-Event-ID: 0') as string,
      metadata: { taskId, state: 'COMPLETED' },
    });
    const frames = await framesOf(world, taskId, { until: 'terminal', afterSeq: 0 });
    expect(artifactsIn(frames)).toEqual(IDS);
    expect(frames.at(-1)).toMatchObject({ event: { kind: 'status', state: 'COMPLETED' } });
  });

  it('keeps its place in a list, which says that its content is left out', async () => {
    const world = large();
    const { taskId } = await world.send('go');
    await world.work();
    const list = (includeArtifacts: boolean) =>
      world.service.list(world.principal, { includeArtifacts, historyLength: 0 });
    expect(await list(false)).toMatchObject({ tasks: [{ taskId, artifacts: [] }] });
    expect(await list(true)).toMatchObject({
      tasks: [{ taskId, artifacts: [], metadata: { contentTooLarge: true } }],
    });
  });

  it('is begun anew for a subscriber, with every event', async () => {
    const world = large();
    const { taskId } = await world.send('ask');
    await world.work();
    const frames = await framesOf(world, taskId, { until: 'terminal' });
    expect(frames[0]).toMatchObject({ kind: 'task', seq: 0, task: { artifacts: [] } });
    expect(artifactsIn(frames)).toEqual(IDS);
    expect(frames.at(-1)).toMatchObject({ event: { kind: 'status', state: 'INPUT_REQUIRED' } });
  });

  it('says to a sender that goes on with it that its content is left out', async () => {
    const world = large();
    const { taskId } = await world.send('ask');
    await world.work();
    const { revision } = await world.send('yes', { taskId });
    const frames = await framesOf(world, taskId, { until: 'settled', afterRevision: revision });
    expect(frames[0]).toMatchObject({
      kind: 'task',
      task: { taskId, artifacts: [], metadata: { contentTooLarge: true } },
    });
  });

  it('of less history may be no larger than that', async () => {
    const world = new World(agent, { settings: { answerBytes: 1_400 } });
    const { taskId } = await world.send('x'.repeat(500));
    await world.work();
    expect(await world.service.get(world.principal, taskId)).toMatchObject({
      code: 'TASK_TOO_LARGE',
      message: expect.stringContaining('historyLength') as string,
    });
    expect(await world.service.get(world.principal, taskId, 0)).toMatchObject({ taskId });
  });
});

describe('what an agent shows at once', () => {
  const world = (run: Parameters<typeof defineAgent>[0]['run']) =>
    new World(defineAgent({ name: 'shows', description: 'Shows.', run: run as never }), {
      settings: { itemBytes: 100 },
    });

  it('has a limit that its author is told, and may mind', async () => {
    const said: string[] = [];
    const made = world(async (ctx) => {
      const big = ctx.artifact({ artifactId: 'big', parts: [{ raw: new Uint8Array(76) }] });
      await big.catch((error: Error) => void said.push(`${error.name}: ${error.message}`));
      await ctx.artifact({ artifactId: 'fits', parts: [{ raw: new Uint8Array(75) }] });
      await ctx.artifact({ artifactId: 'fits', parts: 'and more', append: true });
      return 'done';
    });
    const { taskId } = await made.send('go');
    await made.work();
    expect(said).toEqual([
      expect.stringContaining(
        'ItemTooLarge: artifact "big" has 104 bytes as JSON, and at most 100',
      ),
    ]);
    expect(await made.get(taskId)).toMatchObject({
      status: { state: 'COMPLETED' },
      artifacts: [{ artifactId: 'fits' }],
    });
  });

  it.each([
    [
      'a status',
      async (ctx: { status(words: string): Promise<void> }) => ctx.status('x'.repeat(101)),
    ],
    ['a result', () => 'x'.repeat(101)],
    ['a question', (ctx: { ask(words: string): never }) => ctx.ask('x'.repeat(101))],
  ])('%s over it fails the task', async (_, run) => {
    const made = world(run);
    const { taskId } = await made.send('go');
    await made.work();
    expect(await made.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'AGENT_FAILED' },
    });
  });
});
