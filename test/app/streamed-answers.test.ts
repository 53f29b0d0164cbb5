import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Ceiling,
  ContextTooLong,
  defineTool,
  type Model,
  type ModelAgentDeclaration,
  type ModelTurn,
  RetryLater,
  type TurnContext,
} from '../../shared/agent/index.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { taskToProtoJson } from '../../shared/domain/proto-json.ts';
import { call } from '../../testing/scripted-model.ts';
import { chunksOf } from './stream-frames.ts';
import { decide, everythingGranted, finish, modelAgent, rowOf } from './turn-loop-world.ts';
import { latch, World } from './world.ts';

/** What a model does when it is asked: it writes, waits, and answers or throws. */
type Act = (call: TurnContext) => Promise<ModelTurn>;

function acting(name: string, acts: readonly Act[], ceiling?: Ceiling): Model & { asked: number } {
  return {
    name,
    asked: 0,
    ...(ceiling !== undefined && { ceiling }),
    turn(_request, _signal, call) {
      const act = acts[this.asked];
      this.asked += 1;
      return act === undefined ? Promise.resolve({ text: 'done' }) : act(call);
    },
  };
}

/** Writes the pieces, a second apart, and answers with all of them. */
const writes =
  (world: () => World, pieces: readonly string[], more: Partial<ModelTurn> = {}): Act =>
  async ({ draft }) => {
    for (const piece of pieces) {
      await draft?.write(piece);
      await world().clock.sleep(1_000);
    }
    return { text: pieces.join(''), ...more };
  };

async function seconds(world: World, count: number): Promise<void> {
  for (let second = 0; second < count; second += 1) {
    await world.clock.advance(1_000);
    await finish(world);
  }
}

type Declared = Partial<ModelAgentDeclaration>;

async function run(acts: (world: () => World) => readonly Act[], over: Declared = {}) {
  const made: { world?: World } = {};
  const current = (): World => {
    if (made.world === undefined) throw new Error('no world');
    return made.world;
  };
  const model = acting('writer', acts(current));
  made.world = new World(modelAgent(model, [], { stream: true, ...over }), {
    grants: everythingGranted,
  });
  const { taskId } = await made.world.send('my secret');
  await finish(made.world);
  return { model, taskId, world: made.world };
}

const answerOf = async (world: World, taskId: string) =>
  (await world.get(taskId)).artifacts.find(({ artifactId }) => artifactId === 'answer')?.parts;

describe('an answer that is streamed', () => {
  it('is appended to one artifact as it is written, and stated whole with the end', async () => {
    const { taskId, world } = await run((w) => [writes(w, ['One', ' two', ' three.'])]);
    await world.clock.advance(500);
    await finish(world);
    expect(await answerOf(world, taskId)).toEqual([{ text: 'One' }]);
    expect(JSON.stringify(taskToProtoJson(await world.get(taskId)))).not.toContain('draft');
    await seconds(world, 5);
    expect(await chunksOf(world, taskId)).toEqual([
      'answer states: One',
      'answer adds:  two',
      'answer adds:  three.',
      'answer states whole: One two three.',
    ]);
    const task = await world.get(taskId);
    expect(task.status).toEqual({ state: 'COMPLETED', at: task.status.at });
    expect(task.artifacts).toEqual([{ artifactId: 'answer', parts: [{ text: 'One two three.' }] }]);
    expect(JSON.stringify(task)).not.toContain('draft');
  });

  it('of many quick pieces takes four commits a second at most, and loses none', async () => {
    const pieces = Array.from({ length: 400 }, (_, at) => `${at} `);
    const { taskId, world } = await run((w) => [
      async ({ draft }) => {
        for (const piece of pieces) {
          await draft?.write(piece);
          await w().clock.sleep(5);
        }
        return { text: pieces.join('') };
      },
    ]);
    for (let at = 0; at < 450; at += 1) await world.clock.advance(5);
    await seconds(world, 1);
    const chunks = await chunksOf(world, taskId);
    expect(chunks.length).toBeGreaterThan(5);
    expect(chunks.length).toBeLessThanOrEqual(2 * 4 + 2);
    const drafted = chunks.slice(0, -1).map((chunk) => chunk.slice(chunk.indexOf(':') + 2));
    expect(pieces.join('').startsWith(drafted.join(''))).toBe(true);
    expect(drafted.join('')).not.toContain('|');
    expect(await answerOf(world, taskId)).toEqual([{ text: pieces.join('') }]);
  });

  it('is not shown before it is committed', async () => {
    const gate = latch();
    const world = new World(
      modelAgent(
        acting('writer', [
          async ({ draft }) => {
            await draft?.write('Hello');
            await gate.opened;
            return { text: 'Hello' };
          },
        ]),
        [],
        { stream: true },
      ),
    );
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await answerOf(world, taskId)).toBeUndefined();
    await world.clock.advance(50);
    await finish(world);
    expect(await answerOf(world, taskId)).toEqual([{ text: 'Hello' }]);
    gate.open();
    await seconds(world, 1);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('of a try that was lost is stated anew by the next', async () => {
    const { taskId, world } = await run((w) => [
      async (context) => {
        await writes(w, ['Half an', ' ans'])(context);
        throw new RetryLater('cut', { delay: 10 });
      },
      writes(w, ['A whole', ' answer.']),
    ]);
    await seconds(world, 8);
    expect(await chunksOf(world, taskId)).toEqual([
      'answer states: Half an',
      'answer adds:  ans',
      'answer states: A whole',
      'answer adds:  answer.',
      'answer states whole: A whole answer.',
    ]);
  });

  it('of a model that failed is stated anew by the next of the chain, in the same segment', async () => {
    const made: { world?: World } = {};
    const w = (): World => made.world ?? new World(modelAgent(acting('none', [])));
    const late: { write?: () => Promise<void> | undefined } = {};
    const a = acting('a', [
      async (context) => {
        late.write = () => context.draft?.write('too late');
        await writes(w, ['From a'])(context);
        throw new RetryLater('cut');
      },
    ]);
    const b = acting('b', [
      async (context) => {
        await late.write?.();
        return writes(w, ['From', ' b.'])(context);
      },
    ]);
    made.world = new World(modelAgent(a, [], { stream: true, model: [a, b] }));
    const { taskId } = await made.world.send('go');
    await finish(made.world);
    await seconds(made.world, 5);
    await late.write?.();
    expect(await chunksOf(made.world, taskId)).toEqual([
      'answer states: From a',
      'answer states: From',
      'answer adds:  b.',
      'answer states whole: From b.',
    ]);
  });

  it('has words beside calls until the next words take their place', async () => {
    const { taskId, world } = await run((w) => [
      writes(w, ['I look', ' it up.'], { calls: [call('look', { at: 'a' })] }),
      () => Promise.resolve({ calls: [call('erase', { at: 'a' })] }),
      writes(w, ['Erased.']),
    ]);
    await seconds(world, 3);
    expect((await rowOf(world, taskId)).status).toBe('waiting_for_approval');
    expect(await answerOf(world, taskId)).toEqual([{ text: 'I look it up.' }]);
    await decide(world, taskId, 'approve');
    await seconds(world, 2);
    expect(await chunksOf(world, taskId)).toEqual([
      'answer states: I look',
      'answer adds:  it up.',
      'answer states whole: I look it up.',
      'answer states: Erased.',
      'answer states whole: Erased.',
    ]);
  });

  it('leaves no words of a try that was lost beside calls that come without words', async () => {
    const { taskId, world } = await run((w) => [
      async (context) => {
        await writes(w, ['I pay Bob'])(context);
        throw new RetryLater('cut', { delay: 10 });
      },
      () => Promise.resolve({ calls: [call('erase', { at: 'a' })] }),
    ]);
    await seconds(world, 3);
    expect((await rowOf(world, taskId)).status).toBe('waiting_for_approval');
    expect(await answerOf(world, taskId)).toEqual([{ text: '' }]);
  });

  it('leaves no words of a turn for which the transcript was too long', async () => {
    const at = 'a'.repeat(4_000);
    const look: Act = () => Promise.resolve({ calls: [call('look', { at })] });
    // A summary is no turn, and has no draft.
    const either: Act = ({ draft }) =>
      Promise.resolve(
        draft === undefined ? { text: 'In short.' } : { calls: [call('erase', { at: 'a' })] },
      );
    const tooLong = (w: () => World): Act => {
      return async (context) => {
        await writes(w, ['I pay Bob'])(context);
        throw new ContextTooLong('writer', 'too long');
      };
    };
    const { taskId, world } = await run((w) => [
      look,
      look,
      tooLong(w),
      ...Array.from({ length: 5 }, () => either),
    ]);
    await seconds(world, 3);
    expect((await rowOf(world, taskId)).status).toBe('waiting_for_approval');
    expect(await answerOf(world, taskId)).toEqual([{ text: '' }]);
  });

  it('leaves no words of earlier turns behind a last turn that has none', async () => {
    const { taskId, world } = await run((w) => [
      writes(w, ['I draw it.'], { calls: [call('look', { at: 'a' })] }),
      () => Promise.resolve({ artifacts: [{ artifactId: 'image', parts: 'a picture' }] }),
    ]);
    await seconds(world, 3);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'COMPLETED' },
      artifacts: [{ artifactId: 'answer', parts: [{ text: '' }] }, { artifactId: 'image' }],
    });
  });

  it.each(['filtered', 'refused', 'length', 'malformed'] as const)(
    'is taken back when its turn turns out to be %s',
    async (end) => {
      const bad = (w: () => World): Act => writes(w, ['Bad words'], { finish: end });
      const { taskId, world } = await run((w) => [bad(w), bad(w)]);
      await seconds(world, 4);
      const task = await world.get(taskId);
      expect(task.status.state).toBe('FAILED');
      expect(task.artifacts).toEqual([{ artifactId: 'answer', parts: [{ text: '' }] }]);
      expect(JSON.stringify(task)).not.toContain('Bad');
      expect((await chunksOf(world, taskId)).slice(0, 2)).toEqual([
        'answer states: Bad words',
        'answer states whole: ',
      ]);
    },
  );

  it('is taken back when its run has used more than it may', async () => {
    const usage = { inputTokens: 90, outputTokens: 90 };
    const { taskId, world } = await run((w) => [writes(w, ['Too dear'], { usage })], {
      limits: { tokens: 100 },
    });
    await seconds(world, 3);
    const task = await world.get(taskId);
    expect(task.metadata).toMatchObject({ reason: 'TOKENS_EXCEEDED' });
    expect(JSON.stringify(task)).not.toContain('dear');
  });

  it('that is to be data is shown when it has been checked, as data, and not before', async () => {
    const ulm = '{"city":"Ulm"}';
    const { taskId, world } = await run(
      () => [
        ({ draft }) => {
          expect(draft).toBeUndefined();
          return Promise.resolve({ text: 'Let me see.', calls: [call('look', { at: 'a' })] });
        },
        () => Promise.resolve({ text: '{"city":7}' }),
        () => Promise.resolve({ text: ulm }),
      ],
      { structured: z.object({ city: z.string() }) },
    );
    await seconds(world, 1);
    expect(await chunksOf(world, taskId)).toEqual([
      'answer states whole: {"data":{"city":"Ulm"},"mediaType":"application/json"}',
    ]);
    expect((await world.get(taskId)).status.message).toBeUndefined();
  });

  it('is longer than a turn may be: no more than that is shown, and the turn is not used', async () => {
    const long = 'x'.repeat(700_000);
    const { taskId, world } = await run((w) => [writes(w, [long, long])]);
    await seconds(world, 1);
    expect(JSON.stringify(await answerOf(world, taskId)).length).toBeLessThan(800_000);
    await seconds(world, 5);
    expect(await answerOf(world, taskId)).toEqual([{ text: 'done' }]);
  });

  it('is not asked for without `stream`, and the answer is the final message', async () => {
    const { taskId, world } = await run(
      () => [({ draft }) => Promise.resolve({ text: draft === undefined ? 'whole' : 'pieces' })],
      { stream: false },
    );
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'COMPLETED', message: { parts: [{ text: 'whole' }] } },
      artifacts: [],
    });
  });

  it('is declared by true or false', () => {
    const wrong = { stream: 'yes' as unknown as boolean };
    expect(() => modelAgent(acting('a', []), [], wrong)).toThrow(/stream must be true or false/);
  });

  it('is only text: a model that writes anything else fails', async () => {
    const { taskId, world } = await run(() => [
      async ({ draft }) => {
        await draft?.write(7 as unknown as string);
        return {};
      },
    ]);
    expect(await world.state(taskId)).toBe('FAILED');
  });
});

describe('what may be kept of an answer that is streamed', () => {
  const pieces = ['Your sec', 'ret is', ' out.'];

  it('redacted, it is shown once, whole, so that no word is cut in two before it is found', async () => {
    const { taskId, world } = await run((w) => [writes(w, pieces)], {
      publication: { task: 'redacted' },
    });
    await seconds(world, 2);
    expect(await answerOf(world, taskId)).toBeUndefined();
    await seconds(world, 3);
    expect(await chunksOf(world, taskId)).toEqual(['answer states whole: Your [removed] is out.']);
  });

  it('tightened in the middle, what was shown of it goes, and the rest comes redacted at the end', async () => {
    const { taskId, world } = await run((w) => [writes(w, pieces)]);
    await world.clock.advance(500);
    await finish(world);
    expect(await answerOf(world, taskId)).toEqual([{ text: 'Your sec' }]);
    await tightenCeiling(world.app, taskId, { answer: 'redacted' });
    expect(await answerOf(world, taskId)).toBeUndefined();
    await seconds(world, 2);
    expect(await answerOf(world, taskId)).toBeUndefined();
    await seconds(world, 3);
    expect(await answerOf(world, taskId)).toEqual([{ text: 'Your [removed] is out.' }]);
    expect((await chunksOf(world, taskId)).join()).not.toContain('sec');
  });

  it('tightened to nothing in the middle, the task ends, and nothing of it is left', async () => {
    const { taskId, world } = await run((w) => [writes(w, pieces)]);
    await world.clock.advance(500);
    await finish(world);
    await tightenCeiling(world.app, taskId, { answer: 'none' });
    await seconds(world, 5);
    expect(await world.get(taskId)).toMatchObject({ status: { state: 'FAILED' }, artifacts: [] });
    expect(await chunksOf(world, taskId)).toEqual([]);
  });

  it('under a stricter model of a chain: what the first has shown goes before the second is asked', async () => {
    const made: { world?: World } = {};
    const w = (): World => made.world ?? new World(modelAgent(acting('none', [])));
    const seen: unknown[] = [];
    const a = acting('a', [
      async (context) => {
        await writes(w, ['Your secret'])(context);
        throw new RetryLater('cut');
      },
    ]);
    const strict: Act = async (context) => {
      seen.push(await answerOf(w(), ids[0] ?? ''));
      return writes(w, pieces)(context);
    };
    const b = acting('b', [strict], 'redacted');
    made.world = new World(modelAgent(a, [], { stream: true, model: [a, b] }));
    const ids = [(await made.world.send('go')).taskId];
    await finish(made.world);
    await seconds(made.world, 6);
    expect(seen).toEqual([undefined]);
    expect(await chunksOf(made.world, ids[0] ?? '')).toEqual([
      'answer states whole: Your [removed] is out.',
    ]);
  });
});

describe('an artifact with the id of the streamed answer', () => {
  const artifact = { artifactId: 'answer', parts: 'mine' };

  it('can not be made by a tool: the call fails, its author is told, and the answer stays', async () => {
    const show = defineTool({
      name: 'show',
      description: 'Shows something.',
      parameters: z.object({}),
      effect: 'read',
      run: (_, given) => given.artifact(artifact),
    });
    const acts = (): readonly Act[] => [
      () => Promise.resolve({ calls: [call('show')] }),
      () => Promise.resolve({ text: 'The answer.' }),
    ];
    const { taskId, world } = await run(acts, { tools: [show] });
    expect(await answerOf(world, taskId)).toEqual([{ text: 'The answer.' }]);
    const told = world.logged.map(({ fields }) => JSON.stringify(fields)).join();
    expect(told).toContain('show');
    const alone = await run(acts, { stream: false, tools: [show] });
    expect(await answerOf(alone.world, alone.taskId)).toEqual([{ text: 'mine' }]);
  });

  it('can not be made by a turn, which is told to the model', async () => {
    const acts = (): readonly Act[] => [
      () => Promise.resolve({ text: 'x', artifacts: [artifact] }),
      () => Promise.resolve({ text: 'The answer.' }),
    ];
    const { model, taskId, world } = await run(acts);
    expect(await answerOf(world, taskId)).toEqual([{ text: 'The answer.' }]);
    expect(model.asked).toBe(2);
  });
});
