import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  ContextTooLong,
  defineTool,
  type ModelAgentDeclaration,
  ModelFault,
  type ModelRequest,
  RetryLater,
  type ModelTurn,
} from '../../shared/agent/index.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import type { Summary } from '../../shared/domain/step.ts';
import { call } from '../../testing/scripted-model.ts';
import { finish, modelAgent, rowOf, stepsOf } from './turn-loop-world.ts';
import { World } from './world.ts';

const usage = { inputTokens: 0, outputTokens: 0 };

/** Reads so much at once. */
const read = defineTool({
  name: 'read',
  description: 'Reads a page.',
  parameters: z.object({ page: z.number(), length: z.number() }),
  effect: 'read',
  run: ({ length, page }) => `page ${page} ${'x'.repeat(length)}`,
});

const isSummary = ({ tools, transcript }: ModelRequest): boolean =>
  tools.length === 0 && transcript.length === 1;

interface Reader {
  readonly pages: number;
  readonly length: number;
  readonly window?: number;
  /** Bytes of a request that its provider takes. */
  readonly takes?: number;
  readonly sums?: (request: ModelRequest, nth: number) => ModelTurn;
}

/** A model that reads page after page, then asks, then answers. */
function reader({ pages, length, window, takes = Number.POSITIVE_INFINITY, sums }: Reader) {
  const requests: ModelRequest[] = [];
  const summaries: ModelRequest[] = [];
  let page = 0;
  return {
    requests,
    summaries,
    model: {
      name: 'reader',
      ...(window !== undefined && { window }),
      turn(request: ModelRequest): Promise<ModelTurn> {
        if (JSON.stringify(request).length > takes)
          return Promise.reject(new ContextTooLong('reader', 'too long', { status: 400 }));
        if (isSummary(request)) {
          summaries.push(request);
          return Promise.resolve(
            sums?.(request, summaries.length) ?? {
              text: `Summary ${summaries.length}.`,
              usage: { inputTokens: 10, outputTokens: 5 },
            },
          );
        }
        requests.push(request);
        page += 1;
        if (page <= pages)
          return Promise.resolve({ usage, calls: [call('read', { page, length })] });
        if (page === pages + 1)
          return Promise.resolve({ usage, calls: [call('choose', { at: 'a' })] });
        return Promise.resolve({ usage, text: 'All read.' });
      },
    },
  };
}

async function begun(
  made: ReturnType<typeof reader>,
  over: Partial<Omit<ModelAgentDeclaration, 'run'>> = {},
) {
  const world = new World(modelAgent(made.model, [], { tools: toolsWith(), ...over }));
  const { taskId } = await world.send('Read the book');
  await finish(world);
  return { taskId, world };
}

function toolsWith() {
  const choose = defineTool({
    name: 'choose',
    description: 'Asks.',
    parameters: z.object({ at: z.string() }),
    effect: 'read',
    input: { question: 'Which one?', schema: z.object({ n: z.number() }) },
    run: (_args, { input }) => input,
  });
  return [read, choose];
}

const summariesOf = async (world: World, taskId: string): Promise<readonly Summary[]> =>
  (await stepsOf(world, taskId)).filter((step) => step.kind === 'summary');

/** Every call has its result right behind it, and every result its call. */
function arePairs({ transcript }: ModelRequest): boolean {
  const open: string[] = [];
  for (const entry of transcript) {
    if (entry.role === 'tool') {
      if (open.shift() !== entry.callId) return false;
      continue;
    }
    if (open.length > 0) return false;
    if (entry.role === 'model') open.push(...entry.calls.map(({ id }) => id));
  }
  return open.length === 0;
}

describe('a transcript that outgrows the window of its model', () => {
  it('is summed up in time, in pairs, and told in the transcript; the newest turns stay', async () => {
    const made = reader({ pages: 12, length: 1_500, window: 4_000 });
    const { taskId, world } = await begun(made);
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    const summaries = await summariesOf(world, taskId);
    expect(summaries.length).toBeGreaterThan(1);
    expect(summaries.every(({ reason, text }) => reason === 'window' && text !== undefined)).toBe(
      true,
    );
    expect(made.requests.every(arePairs)).toBe(true);
    for (const { transcript } of made.requests)
      expect(JSON.stringify(transcript).length / 3).toBeLessThan(4_000);
    const { transcript } = made.requests.at(-1) ?? { transcript: [] };
    expect(transcript[0]).toMatchObject({ role: 'user' });
    expect(transcript[1]).toMatchObject({
      role: 'notice',
      text: expect.stringContaining(`Summary ${summaries.length}.`) as unknown,
    });
    expect(JSON.stringify(transcript)).toContain('page 12 ');
    // Each page was read by the model in full, or by the one who summed it up.
    const summed = JSON.stringify(made.summaries);
    expect(summed).toContain('page 1 ');
    expect(JSON.stringify(made.summaries.at(-1))).toContain(`Summary ${summaries.length - 1}.`);
  });

  it('goes on with its summary after a wait, in another process, without summing up anew', async () => {
    const made = reader({ pages: 6, length: 1_500, window: 4_000 });
    const { taskId, world } = await begun(made);
    const before = made.summaries.length;
    await world.trySend([{ data: { n: 2 } }], { taskId });
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(made.summaries).toHaveLength(before);
    expect(made.requests.at(-1)?.transcript[1]).toMatchObject({ role: 'notice' });
  });

  it('counts what a summary uses: a round, its tokens, and the model that made it', async () => {
    const made = reader({ pages: 3, length: 3_000, window: 4_000 });
    const { taskId, world } = await begun(made);
    const { models, spent } = await rowOf(world, taskId);
    const n = made.summaries.length;
    expect(n).toBeGreaterThan(0);
    expect(spent).toMatchObject({ rounds: 4 + n, tokens: 15 * n });
    expect(models).toMatchObject([{ model: 'reader', turns: 4 + n, input: 10 * n, output: 5 * n }]);
  });

  it('that one result fills alone is summed up from its beginning, which the step says', async () => {
    const made = reader({ pages: 1, length: 60_000, window: 4_000 });
    const { taskId, world } = await begun(made);
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    expect(await summariesOf(world, taskId)).toMatchObject([{ shortened: true, until: 3 }]);
    expect(JSON.stringify(made.summaries)).toMatch(/more characters\]/);
  });

  it('stays as it is where the window is not known, and where it holds all', async () => {
    const made = [
      reader({ pages: 4, length: 3_000 }),
      reader({ pages: 4, length: 3_000, window: 100_000 }),
    ];
    for (const each of made) {
      await begun(each);
      expect(each.summaries).toEqual([]);
    }
  });

  it('is not summed up before every function can read that: then it ends as one that is too long', async () => {
    const made = reader({ pages: 8, length: 1_000, window: 4_000, takes: 8_000 });
    const world = new World(modelAgent(made.model, [], { tools: toolsWith() }));
    const { taskId } = await world.send('Read the book');
    const app = { ...world.app, format: { allows: () => Promise.resolve(false) } };
    for (const wakeUp of world.queue.splice(0)) void handleWakeUp(app, wakeUp);
    await finish(world);
    expect(made.summaries).toEqual([]);
    expect(await world.get(taskId)).toMatchObject({ metadata: { fault: 'MODEL_CONTEXT' } });
    expect(world.logged).toContainEqual(
      expect.objectContaining({ event: 'transcript not summed up' }),
    );
  });

  it('ends with its rounds as any other turn does', async () => {
    const made = reader({ pages: 9, length: 3_000, window: 4_000 });
    const { taskId, world } = await begun(made, { limits: { rounds: 5 } });
    expect(await world.get(taskId)).toMatchObject({ metadata: { reason: 'ROUNDS_EXCEEDED' } });
  });

  it.each<[string, ModelTurn]>([
    ['nothing', { text: ' ' }],
    ['calls', { text: 'Well.', calls: [call('read', { page: 1, length: 1 })] }],
    ['half a text', { text: 'Well', finish: 'length' }],
    ['a refusal', { finish: 'refused' }],
  ])(
    'ends with a reason when its model answers %s in the place of a summary',
    async (_what, answer) => {
      const made = reader({ pages: 3, length: 3_000, window: 4_000, sums: () => answer });
      const { taskId, world } = await begun(made);
      expect(await world.get(taskId)).toMatchObject({
        status: {
          state: 'FAILED',
          message: { parts: [{ text: 'The conversation is too long for the model.' }] },
        },
        metadata: { reason: 'AGENT_FAILED', fault: 'MODEL_CONTEXT' },
      });
      expect(made.summaries).toHaveLength(1);
    },
  );

  it('waits with a summary as with a turn while its provider is busy', async () => {
    const made = reader({
      pages: 3,
      length: 3_000,
      window: 4_000,
      sums(_request, nth) {
        if (nth === 1) throw new RetryLater('busy', { delay: 1_000 });
        return { text: 'Summary.', usage };
      },
    });
    const { taskId, world } = await begun(made);
    expect((await rowOf(world, taskId)).status).toBe('queued');
    await world.clock.advance(1_000);
    await finish(world);
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
  });
});

describe('a request that its provider says is too long', () => {
  it('is summed up and made again, once', async () => {
    const made = reader({ pages: 8, length: 1_000, takes: 8_000 });
    const { taskId, world } = await begun(made);
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    const summaries = await summariesOf(world, taskId);
    expect(summaries.length).toBeGreaterThan(0);
    expect(summaries.every(({ reason }) => reason === 'refused')).toBe(true);
    expect(made.requests.every(arePairs)).toBe(true);
    expect(world.logged).toContainEqual(
      expect.objectContaining({
        event: 'agent error',
        fields: expect.objectContaining({
          where: 'model',
          fault: 'ContextTooLong',
          status: 400,
        }) as unknown,
      }),
    );
  });

  it.each([
    ['what is left', { pages: 0, length: 0, takes: 100 }],
    ['the summary', { pages: 2, length: 30_000, takes: 9_000 }],
  ])('ends with a reason when %s is too long as well', async (_what, options) => {
    const { taskId, world } = await begun(reader(options));
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'AGENT_FAILED', fault: 'MODEL_CONTEXT' },
    });
  });

  it('of a chain is summed up although the other model refuses it for another reason', async () => {
    const made = reader({ pages: 8, length: 1_000, takes: 8_000 });
    const other = { name: 'other', turn: () => Promise.reject(new ModelFault('other', 'no key')) };
    const { taskId, world } = await begun(made, { model: [made.model, other] });
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    expect((await summariesOf(world, taskId)).length).toBeGreaterThan(0);
  });
});
