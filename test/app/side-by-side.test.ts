import { describe, expect, it } from 'vitest';
import { RetryLater, ToolError } from '../../shared/agent/index.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent, type Ran, rowOf, stepsOf, toolbox } from './turn-loop-world.ts';
import { latch, World } from './world.ts';

const look = (at: string) => call('look', { at });
const looks = (count: number) => Array.from({ length: count }, (_, at) => look(`${at + 1}`));
const placeOf = ({ args }: Ran) => (args as { at: string }).at;

/** A world whose tools are held by latches: one for each place that is looked at. */
function held(script: ScriptedModel, places: readonly string[]) {
  const ran: Ran[] = [];
  const ended: string[] = [];
  const gates = new Map(places.map((place) => [place, latch()]));
  const tools = toolbox(ran, async (call_) => {
    await gates.get(placeOf(call_))?.opened;
    ended.push(placeOf(call_));
  });
  const world = new World(modelAgent(script, ran, { tools }));
  const open = async (place: string): Promise<void> => {
    gates.get(place)?.open();
    await world.rest();
  };
  return { world, ran, ended, open };
}

describe('calls of one turn that only read', () => {
  it('run at once; their results are one commit, in the order of the calls', async () => {
    const model = new ScriptedModel({ calls: [look('a'), look('b'), look('c')] });
    const { ended, open, ran, world } = held(model, ['a', 'b', 'c']);
    const { taskId } = await world.send('go');
    await world.work();
    expect(ran.map(placeOf)).toEqual(['a', 'b', 'c']);
    for (const place of ['c', 'b']) await open(place);
    expect(await rowOf(world, taskId)).toMatchObject({ steps: 2 });
    const before = (await rowOf(world, taskId)).revision;
    await open('a');
    await finish(world);
    expect(ended).toEqual(['c', 'b', 'a']);
    expect(model.seen.slice(2)).toMatchObject([
      { callId: 'call-2-1', value: { args: { at: 'a' } } },
      { callId: 'call-2-2', value: { args: { at: 'b' } } },
      { callId: 'call-2-3', value: { args: { at: 'c' } } },
    ]);
    // Nothing of them is public: the next revision is the end.
    expect(await rowOf(world, taskId)).toMatchObject({ steps: 5, revision: before + 1 });
  });

  it('are eight at once at most; the next ones begin when these are done', async () => {
    const model = new ScriptedModel({ calls: looks(11) });
    const places = looks(11).map(({ arguments: given }) => (given as { at: string }).at);
    const { open, ran, world } = held(model, places);
    await world.send('go');
    await world.work();
    expect(ran).toHaveLength(8);
    for (const place of places.slice(0, 7)) await open(place);
    expect(ran).toHaveLength(8);
    await open('8');
    expect(ran).toHaveLength(11);
  });

  it.each(['note', 'pay'])(
    'stop at %s, which runs alone and after those before it',
    async (tool) => {
      const barrier = call(tool, { at: 'x' });
      const model = new ScriptedModel({ calls: [look('a'), look('b'), barrier, look('c')] });
      const { open, ran, world } = held(model, ['a', 'b', 'x', 'c']);
      const { taskId } = await world.send('go');
      await world.work();
      await open('b');
      expect(ran.map(placeOf)).toEqual(['a', 'b']);
      await open('a');
      expect(ran.map(placeOf)).toEqual(['a', 'b', 'x']);
      expect((await stepsOf(world, taskId)).map(({ kind }) => kind)).toEqual([
        'answer',
        'turn',
        'result',
        'result',
      ]);
      await open('x');
      expect(ran.map(placeOf)).toEqual(['a', 'b', 'x', 'c']);
    },
  );

  it('stop at one that asks a person, whose answer counts although another call is tried again', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({
      calls: [call('choose', { at: 'c' }), look('a'), call('choose', { at: 'd' }), look('b')],
    });
    const tools = toolbox(ran, ({ attempt, tool }) => {
      if (tool === 'choose' && attempt === 1) throw new RetryLater('not yet', { delay: 10 });
      return undefined;
    });
    const world = new World(modelAgent(model, ran, { tools }));
    const { taskId } = await world.send('go');
    for (const n of [1, 2]) {
      await finish(world);
      expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
      await world.trySend([{ data: { n } }], { taskId });
      await finish(world);
      await world.clock.advance(11);
    }
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(ran.map((each) => [placeOf(each), each.input])).toEqual([
      ['c', { n: 1 }],
      ['c', { n: 1 }],
      ['a', undefined],
      ['d', { n: 2 }],
      ['d', { n: 2 }],
      ['b', undefined],
    ]);
  });

  it('that fail have their error, and the others their results', async () => {
    const model = new ScriptedModel({ calls: [look('a'), look('b'), look('c')] });
    const tools = toolbox([], (ran) => {
      if (placeOf(ran) === 'b') throw new ToolError('no such place');
      return undefined;
    });
    const world = new World(modelAgent(model, [], { tools }));
    await world.send('go');
    await finish(world);
    expect(model.seen.slice(2)).toMatchObject([
      { status: 'ok' },
      { status: 'error', value: { error: 'no such place' } },
      { status: 'ok' },
    ]);
  });

  it('that are to be tried again cost the others nothing; the longest wait counts, and the model sees them in order', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [look('a'), look('b'), look('c'), look('d')] });
    const tools = toolbox(ran, (call_) => {
      if (call_.attempt > 1) return undefined;
      if (placeOf(call_) === 'a') throw new RetryLater('soon', { delay: 1_000 });
      if (placeOf(call_) === 'c') throw new RetryLater('later', { delay: 60_000 });
      return undefined;
    });
    const world = new World(modelAgent(model, ran, { tools }));
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'queued', steps: 4 });
    await world.clock.advance(59_000);
    await finish(world);
    expect(ran).toHaveLength(4);
    await world.clock.advance(2_000);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(ran.map((each) => [placeOf(each), each.attempt])).toEqual([
      ['a', 1],
      ['b', 1],
      ['c', 1],
      ['d', 1],
      ['a', 2],
      ['c', 2],
    ]);
    const seen = model.seen.flatMap((entry) => (entry.role === 'tool' ? [entry.callId] : []));
    expect(seen).toEqual(['call-2-1', 'call-2-2', 'call-2-3', 'call-2-4']);
  });

  it('are all told of a cancel, and nothing comes of them', async () => {
    const model = new ScriptedModel({ calls: [look('a'), look('b')] });
    const { open, ran, world } = held(model, ['a', 'b']);
    const { taskId } = await world.send('go');
    await world.work();
    await open('a');
    await world.service.cancel(world.principal, taskId);
    await open('b');
    await finish(world);
    expect(ran).toHaveLength(2);
    expect(model.calls).toBe(1);
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'cancelled', steps: 2 });
  });
});
