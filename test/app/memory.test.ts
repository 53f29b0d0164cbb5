import { describe, expect, it } from 'vitest';
import { type ModelAgentDeclaration, type ModelEntry, textOf } from '../../shared/agent/index.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { call, type Scripted, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent, rowOf, stepsOf } from './turn-loop-world.ts';
import { World, type WorldOptions } from './world.ts';

type Over = Partial<Omit<ModelAgentDeclaration, 'run'>>;

const choose = { calls: [call('choose', { at: 'a' })] };

/** Each task's turns are these. */
function talk(over: Over, ...script: readonly Scripted[]) {
  const model = new ScriptedModel(...script);
  const agent = modelAgent(model, [], over);
  return { agent, model, world: new World(agent) };
}

async function say(world: World, text: string, contextId = 'talk'): Promise<string> {
  const { taskId } = await world.send(text, { contextId });
  await finish(world);
  // Of tasks that completed in one millisecond none is the later.
  await world.clock.advance(1);
  return taskId;
}

/** What the model was told of earlier tasks in its last request, one line an entry. */
function told({ requests }: ScriptedModel): readonly string[] {
  return (requests.at(-1)?.memory ?? []).map(lineOf);
}

function lineOf(entry: ModelEntry): string {
  if (entry.role === 'user') return `user: ${textOf(entry.message)}`;
  return entry.role === 'tool' ? 'tool' : `${entry.role}: ${entry.text ?? ''}`;
}

const echo: Scripted = ({ transcript }) => {
  const [first] = transcript;
  return { text: `You said ${first?.role === 'user' ? textOf(first.message) : ''}.` };
};

describe('the memory of a context', () => {
  it('has what was said and answered in its earlier tasks, oldest first', async () => {
    const { model, world } = talk({}, echo);
    await say(world, 'My name is Ada');
    expect(model.requests[0]).not.toHaveProperty('memory');
    await say(world, 'I live in Ulm');
    await say(world, 'What is my name?');
    expect(told(model)).toEqual([
      'user: My name is Ada',
      'model: You said My name is Ada.',
      'user: I live in Ulm',
      'model: You said I live in Ulm.',
    ]);
    expect(model.seen).toHaveLength(1);
  });

  it('has questions with their answers, data and artifacts, and files by their names', async () => {
    const { model, world } = talk({}, choose, {
      text: 'Done.',
      artifacts: [
        { artifactId: 'r', name: 'report', parts: [{ data: { n: 2 } }, { text: 'Two.' }] },
        { artifactId: 'p', parts: [{ raw: Buffer.from('abc'), filename: 'a.png' }] },
      ],
    });
    const sent = await world.trySend(
      [{ text: 'go' }, { raw: Buffer.from('x,y'), filename: 't.csv', mediaType: 'text/csv' }],
      { contextId: 'talk' },
    );
    if (sent.kind !== 'accepted') throw new Error('not accepted');
    await finish(world);
    await world.trySend([{ data: { n: 2 } }], { taskId: sent.taskId });
    await finish(world);
    await say(world, 'and now?');
    expect(model.requests[2]?.memory?.map(lineOf)).toEqual([
      'user: go\n[t.csv (text/csv, 3 bytes)]',
      'model: Which one?',
      'user: {"n":2}',
      'model: Done.\n\n[artifact report]\n{"n":2}\nTwo.\n\n[artifact p]\n[a.png (of an unknown type, 3 bytes)]',
    ]);
  });

  it('has an answer that was shown as it was written once, as it was in the end', async () => {
    const { model, world } = talk({ stream: true }, async (_request, _signal, { draft }) => {
      await draft?.write('You ');
      await draft?.write('said it.');
      return { text: 'You said it.' };
    });
    await say(world, 'so');
    await say(world, 'and now?');
    expect(told(model)).toEqual(['user: so', 'model: You said it.']);
  });

  it('has no task of another context, and none that has not completed', async () => {
    const { model, world } = talk({ parallel: true }, ({ transcript }) => {
      const [first] = transcript;
      const text = first?.role === 'user' ? textOf(first.message) : '';
      if (text === 'fail') throw new Error('no');
      return text === 'wait' ? choose : { text: 'Well.' };
    });
    await say(world, 'elsewhere', 'other');
    await say(world, 'fail');
    await say(world, 'wait');
    await say(world, 'here');
    expect(told(model)).toEqual([]);
    await say(world, 'again');
    expect(told(model)).toEqual(['user: here', 'model: Well.']);
  });

  it('of two callers with one context id has for each its own tasks (G23)', async () => {
    const { agent, model, world } = talk({}, echo);
    const of = (owner: string, over: WorldOptions = {}) =>
      new World(agent, { ...over, caller: { owner, tenant: 't', authenticated: true } });
    const ada = of('ada', { below: world });
    const bob = of('bob', { below: world, seed: 3 });
    await say(ada, 'I am Ada');
    await say(bob, 'Who am I?');
    expect(told(model)).toEqual([]);
    await say(ada, 'Who am I?');
    expect(told(model)[0]).toBe('user: I am Ada');
  });

  it('is not there where the agent wants none', async () => {
    const { model, world } = talk({ memory: 'off' }, echo);
    await say(world, 'My name is Ada');
    await say(world, 'What is my name?');
    expect(told(model)).toEqual([]);
  });

  it('stays within its budget: the newest tasks whole, and a word about the others', async () => {
    const { model, world } = talk({ memory: { tokens: 80 } }, { text: 'Noted.' });
    for (let n = 1; n <= 6; n += 1) await say(world, `Message ${n} ${'x'.repeat(100)}`);
    const [first, ...rest] = told(model);
    expect(first).toMatch(/^notice: .*began earlier/);
    expect(rest.filter((line) => line.startsWith('user'))).toEqual([
      expect.stringContaining('Message 4'),
      expect.stringContaining('Message 5'),
    ]);
  });

  it('shortens a newest task that is too long alone, and says by how much', async () => {
    const { model, world } = talk({ memory: { tokens: 300 } }, { text: 'Noted.' });
    await say(world, 'y'.repeat(50_000));
    await say(world, 'go on');
    expect(told(model)).toEqual([
      expect.stringMatching(/^user: y{200,} \[… \d{5} more characters\]$/),
      'model: Noted.',
    ]);
    expect(JSON.stringify(model.requests.at(-1)?.memory).length).toBeLessThan(3 * 300);
  });

  it('loads no object: what is too large for a row is named', async () => {
    const { model, world } = talk({}, { text: 'Noted.' });
    await world.trySend([{ text: 'z'.repeat(300_000), filename: 'long.txt' }], {
      contextId: 'talk',
    });
    await finish(world);
    await say(world, 'go on');
    expect(told(model)[0]).toBe('user: [long.txt (300000 bytes)]');
  });
});

describe('a run that remembers', () => {
  it('goes on with the tasks that it began with, whatever has completed since', async () => {
    const { model, world } = talk({ parallel: true }, ({ transcript }) =>
      transcript.length === 1 && JSON.stringify(transcript).includes('wait')
        ? choose
        : { text: 'Well.' },
    );
    await say(world, 'before');
    const taskId = await say(world, 'wait');
    await say(world, 'meanwhile');
    await world.trySend([{ data: { n: 1 } }], { taskId });
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(told(model)).toEqual(['user: before', 'model: Well.']);
  });

  it('keeps their ids, and no word of them', async () => {
    const { world } = talk({}, ({ transcript }) =>
      JSON.stringify(transcript).includes('wait') ? choose : { text: 'The answer is plum.' },
    );
    const earlier = await say(world, 'secret plum');
    const taskId = await say(world, 'wait');
    const steps = await stepsOf(world, taskId);
    expect(JSON.stringify(steps)).not.toContain('plum');
    expect(steps[0]).toMatchObject({
      opening: { memory: { shown: [{ taskId: earlier }], more: false } },
    });
  });

  it.each<[string, (world: World, taskId: string) => Promise<unknown>, string[]]>([
    [
      'purged, learns only that it was there',
      ({ app }, id) => purgeRun(app, id),
      ['notice: [An earlier task of this conversation was removed, and can not be shown.]'],
    ],
    [
      'tightened to metadata, learns only that it was there',
      ({ app }, id) => tightenCeiling(app, id, { answer: 'metadata' }),
      ['notice: [An earlier task of this conversation was removed, and can not be shown.]'],
    ],
    [
      'tightened to redacted, sees it redacted',
      ({ app }, id) => tightenCeiling(app, id, { answer: 'redacted' }),
      ['user: [removed] plum', 'model: The answer is [removed]'],
    ],
  ])('of a task that is %s', async (_what, end, left) => {
    const { model, world } = talk({}, ({ transcript }) =>
      transcript.length === 1 && JSON.stringify(transcript).includes('wait')
        ? choose
        : { text: 'The answer is secret.' },
    );
    const earlier = await say(world, 'secret plum');
    const taskId = await say(world, 'wait');
    expect(told(model).join()).toContain('answer is secret');
    await end(world, earlier);
    await world.trySend([{ data: { n: 1 } }], { taskId });
    await finish(world);
    expect(told(model)).toEqual(left);
    expect((await rowOf(world, taskId)).status).toBe('completed');
  });
});
