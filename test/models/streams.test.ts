import { describe, expect, it, onTestFinished } from 'vitest';
import type { LanguageModel } from '../../shared/agent/index.ts';
import type { Broken, Said, Scripted } from '../doubles/providers/provider-server.ts';
import { chunksOf } from '../app/stream-frames.ts';
import { rowOf, stepsOf } from '../app/turn-loop-world.ts';
import type { World } from '../app/world.ts';
import { answered, asked, begun } from './asking.ts';
import { PROVIDERS, type Provider } from './providers.ts';

const go = [{ text: 'go' }];
const ask = (provider: Provider, script: readonly Scripted[]) =>
  asked(provider, script, go, { stream: true });

/** One that the provider does not finish. */
async function unfinished(provider: Provider, script: readonly Scripted[], stream = true) {
  const run = await begun(provider, script, go, { stream });
  await run.world.work();
  return run;
}

/** Over real sockets: until it holds, or the test is over. */
async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const over = new AbortController();
  onTestFinished(() => over.abort());
  while (!over.signal.aborted && !(await holds()))
    await new Promise((resolve) => setImmediate(resolve));
}

/** A moment later: what is shown of the answer. */
async function shown(world: World, taskId: string): Promise<string> {
  await world.clock.advance(50);
  await world.rest();
  const [answer] = (await world.get(taskId)).artifacts;
  const [part] = answer?.parts ?? [];
  return part !== undefined && 'text' in part ? part.text : '';
}

/** What is kept of a run, and what its provider was told. Ids of the package's own are numbered. */
async function traceOf({ server, taskId, world }: Awaited<ReturnType<typeof ask>>) {
  const said = server.requests.map(
    ({ body }) => body['contents'] ?? body['messages'] ?? body['input'],
  );
  const [, ...steps] = await stepsOf(world, taskId);
  const ids = new Map<string, string>();
  return JSON.parse(JSON.stringify({ said, steps }), (key, value: unknown) => {
    if (!['id', 'toolCallId'].includes(key) || typeof value !== 'string') return value;
    const known = ids.get(value) ?? `id ${ids.size + 1}`;
    ids.set(value, known);
    return known;
  }) as unknown;
}

const WORDS = 'Grüße aus Köln: es ist ein langer Satz, der in Stücken kommt. 🌻';

describe.each(Object.entries(PROVIDERS))('an answer that %s streams', (_name, provider) => {
  it('is kept and handed back as one that came at once: signatures, order, calls, tokens', async () => {
    const script: readonly Said[] = [
      {
        thought: 'I look at both of them.',
        text: 'I look.',
        calls: [
          { name: 'look', input: { at: 'the first of them' } },
          { name: 'look', input: { at: 'Köln' } },
        ],
      },
      { thought: 'Once more.', text: WORDS, calls: [{ name: 'choose', input: { at: 'c' } }] },
    ];
    const whole = await asked(provider, script);
    const streamed = await ask(provider, script);
    expect([...whole.server.refused, ...streamed.server.refused]).toEqual([]);
    expect(await traceOf(streamed)).toEqual(await traceOf(whole));
    expect(streamed.ran).toEqual(whole.ran);
    const { models, spent } = await rowOf(streamed.world, streamed.taskId);
    expect(spent).toMatchObject({ rounds: 2, tokens: 250 });
    expect(models).toEqual((await rowOf(whole.world, whole.taskId)).models);
    expect((await streamed.world.get(streamed.taskId)).artifacts).toEqual([
      { artifactId: 'answer', parts: [{ text: WORDS }] },
    ]);
  });

  it.each<[string, Broken]>([
    ['is cut', 'cut'],
    ['ends as if it were whole', 'ends'],
    ['breaks off with a fault of the provider', 'fault'],
  ])('that %s in the middle is made again, and stated anew', async (_what, breaks) => {
    const half = { text: WORDS, breaks };
    const { server, taskId, world } = await ask(provider, [half, { text: 'There.' }]);
    expect(server.requests).toHaveLength(1);
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'queued', attempts: 1 });
    await world.clock.advance(60_000);
    await answered(world, taskId);
    expect(server.requests).toHaveLength(2);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'COMPLETED' },
      artifacts: [{ artifactId: 'answer', parts: [{ text: 'There.' }] }],
    });
    expect((await chunksOf(world, taskId)).at(-1)).toBe('answer states whole: There.');
  });

  it('of a call that is cut carries out none of it', async () => {
    const half: Said = { calls: [{ name: 'look', input: { at: 'a' } }], breaks: 'cut' };
    const { ran, taskId, world } = await ask(provider, [half, { text: 'There.' }]);
    await world.clock.advance(60_000);
    await answered(world, taskId);
    expect(ran).toEqual([]);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('that the provider refuses in the middle ends the run, and says so to the author', async () => {
    const { server, taskId, world } = await ask(provider, [{ text: WORDS, breaks: 'refusal' }]);
    expect(server.requests).toHaveLength(1);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED', message: { parts: [{ text: 'The agent failed.' }] } },
      metadata: { fault: 'MODEL_FAULT' },
    });
    expect(world.logged.filter(({ event }) => event === 'agent error')).not.toEqual([]);
  });

  it.each<[string, Scripted, boolean]>([
    ['before its first word', 'silence', false],
    ['in the middle', { text: WORDS, breaks: 'silence' }, true],
  ])('that says nothing %s is given up in time, and made again', async (_what, next, half) => {
    const { server, taskId, world } = await unfinished(provider, [next, { text: 'There.' }]);
    await until(() => server.requests.length === 1);
    if (half) await until(async () => (await shown(world, taskId)) !== '');
    expect(WORDS.startsWith(await shown(world, taskId))).toBe(true);
    await world.clock.advance(90_000);
    expect(server.left).toBe(0);
    await world.clock.advance(10_000);
    await until(() => server.left === 1);
    await answered(world, taskId);
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'queued', attempts: 1 });
    await world.clock.advance(60_000);
    await answered(world, taskId);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'COMPLETED' },
      artifacts: [{ artifactId: 'answer', parts: [{ text: 'There.' }] }],
    });
  });

  it.each<[string, Scripted, boolean]>([
    ['before its first word', 'silence', true],
    ['in the middle', { text: WORDS, breaks: 'silence' }, true],
    ['before it comes at once', 'silence', false],
  ])('is left within a second when its task is cancelled %s', async (_what, next, stream) => {
    const { server, taskId, world } = await unfinished(provider, [next], stream);
    await until(() => server.requests.length === 1);
    await world.clock.advance(1_000);
    await world.rest();
    await world.service.cancel(world.principal, taskId);
    await world.clock.advance(1_000);
    await until(() => server.left === 1);
    expect(await world.state(taskId)).toBe('CANCELED');
  });
});

describe('a model of a package of one’s own', () => {
  const unasked = () => Promise.reject(new Error('it is to be streamed'));
  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 1, text: 1, reasoning: undefined },
  };
  const finish = {
    type: 'finish',
    finishReason: { unified: 'stop', raw: 'stop' },
    usage,
  } as const;
  const own = { provider: 'own', modelId: 'model', supportedUrls: {}, doGenerate: unasked };
  const { protocol } = { ...PROVIDERS['google'] };
  const streamOf = <T>(parts: Iterable<T>): ReadableStream<T> => {
    const left = parts[Symbol.iterator]();
    return new ReadableStream<T>({
      pull(controller) {
        const { done, value } = left.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
    });
  };
  const asking = (model: LanguageModel) => {
    if (protocol === undefined) throw new Error('no protocol');
    return asked({ protocol, model: () => model }, [], go, { stream: true });
  };

  it('that does not stop is left, and its run ends', async () => {
    function* endless() {
      yield { type: 'text-start', id: '0' } as const;
      for (;;) yield { type: 'text-delta', id: '0', delta: 'x'.repeat(1024 * 1024) } as const;
    }
    const { taskId, world } = await asking({
      ...own,
      specificationVersion: 'v4',
      doStream: () => Promise.resolve({ stream: streamOf(endless()) }),
    });
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { fault: 'MODEL_FAULT' },
    });
  });

  it('shows its files as artifacts, also in version 3, which does not tag them', async () => {
    const { taskId, world } = await asking({
      ...own,
      specificationVersion: 'v3',
      doStream: () =>
        Promise.resolve({
          stream: streamOf([
            { type: 'file', mediaType: 'image/png', data: 'iVBORw==' } as const,
            { type: 'file', mediaType: 'image/png', data: Uint8Array.of(137, 80) } as const,
            finish,
          ]),
        }),
    });
    const { artifacts } = await world.get(taskId);
    expect(artifacts.map(({ artifactId }) => artifactId)).toEqual(['artifact-1', 'artifact-2']);
    expect(artifacts[1]?.parts).toMatchObject([{ raw: Uint8Array.of(137, 80) }]);
  });

  it('that breaks its own stream with an error of its own is asked again', async () => {
    const { taskId, world } = await asking({
      ...own,
      specificationVersion: 'v4',
      doStream: () => {
        const stream = new ReadableStream<never>({
          start: (controller) => controller.error(new TypeError('terminated')),
        });
        return Promise.resolve({ stream });
      },
    });
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'queued', attempts: 1 });
  });
});
