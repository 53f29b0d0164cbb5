import { describe, expect, it } from 'vitest';
import { RetryLater, ToolError } from '../../shared/agent/index.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent, type Ran, rowOf, stepsOf, toolbox } from './turn-loop-world.ts';
import { latch, World } from './world.ts';

const look = (at: string) => call('look', { at });
const note = (at: string) => call('note', { at });

describe('a run in turns', () => {
  it('goes from turn to tool to turn, and the last one is its result', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel(
      { text: 'thinking', calls: [look('a'), look('b')] },
      { text: 'Found.', artifacts: [{ name: 'map', parts: 'x marks it' }] },
    );
    const world = new World(modelAgent(model, ran));
    const { taskId } = await world.send('find it');
    await finish(world);
    const task = await world.get(taskId);
    expect(task).toMatchObject({
      status: { state: 'COMPLETED', message: { parts: [{ text: 'Found.' }] } },
      artifacts: [{ artifactId: 'artifact-1', name: 'map', parts: [{ text: 'x marks it' }] }],
    });
    expect(ran.map(({ args }) => args)).toEqual([{ at: 'a' }, { at: 'b' }]);
    expect(model.seen).toMatchObject([
      { role: 'user', message: { parts: [{ text: 'find it' }] } },
      { role: 'model', text: 'thinking', calls: [{ id: 'call-2-1' }, { id: 'call-2-2' }] },
      { role: 'tool', callId: 'call-2-1', name: 'look', status: 'ok' },
      { role: 'tool', callId: 'call-2-2', name: 'look', status: 'ok' },
    ]);
    expect(await rowOf(world, taskId)).toMatchObject({ spent: { rounds: 2 }, steps: 4 });
  });

  it('tells the model its instructions and its tools, each remote among them', async () => {
    const model = new ScriptedModel();
    const world = new World(modelAgent(model));
    await world.send('go');
    await finish(world);
    const [request] = model.requests;
    expect(request?.instructions).toBe('Do it.');
    expect(request?.tools.map(({ name }) => name)).toContain('peer');
    expect(request?.tools.find(({ name }) => name === 'peer')?.parameters).toMatchObject({
      type: 'object',
      required: ['message'],
    });
  });

  it('shows the artifacts of a turn when it is committed, and never its words beside calls (G4)', async () => {
    const gate = latch();
    const model = new ScriptedModel({
      text: 'a secret thought',
      calls: [look('a')],
      artifacts: [{ parts: 'early' }],
    });
    const tools = toolbox([], () => gate.opened);
    const world = new World(modelAgent(model, [], { tools }));
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(100);
    const early = await world.get(taskId);
    expect(early).toMatchObject({
      status: { state: 'WORKING' },
      artifacts: [{ parts: [{ text: 'early' }] }],
    });
    gate.open();
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(JSON.stringify(await world.get(taskId))).not.toContain('secret thought');
  });

  it('keeps each step before the next: the transcript of an open run can be read, an ended one leaves none', async () => {
    const gate = latch();
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [note('a'), note('b')] });
    const tools = toolbox(ran, () => (ran.length === 2 ? gate.opened : undefined));
    const world = new World(modelAgent(model, ran, { tools }));
    const { taskId } = await world.send('go');
    await world.work();
    const steps = await stepsOf(world, taskId);
    expect(steps.map(({ kind }) => kind)).toEqual(['answer', 'turn', 'result']);
    gate.open();
    await finish(world);
    expect((await rowOf(world, taskId)).payloadKey).toBeUndefined();
  });

  it('the key of a call is its own: the same when it runs again, and of no other call', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [note('a'), note('a')] }, { calls: [note('a')] });
    const tools = toolbox(ran, ({ attempt }) => {
      if (attempt === 1 && ran.length === 1) throw new RetryLater('not yet', { delay: 10 });
      return undefined;
    });
    const world = new World(modelAgent(model, ran, { tools }));
    const { taskId } = await world.send('go');
    await finish(world);
    await world.clock.advance(11);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(ran.map(({ attempt }) => attempt)).toEqual([1, 2, 1, 1]);
    const keys = ran.map(({ callId }) => callId);
    expect(keys[0]).toBe(keys[1]);
    expect(new Set(keys).size).toBe(3);
    expect(keys[0]).toContain(taskId);
  });
});

describe('tools that fail', () => {
  it.each<[string, () => unknown, unknown]>([
    [
      'a ToolError says what it says',
      () => Promise.reject(new ToolError('no such place')),
      'no such place',
    ],
    [
      'another error keeps its words',
      () => Promise.reject(new Error('secret internals')),
      'The tool failed.',
    ],
    ['so does what is no error', () => Promise.reject('secret'), 'The tool failed.'],
    [
      'a result that JSON can not hold is none',
      () => ({ f: () => 1 }),
      'The tool ran, but its result is no JSON or too large.',
    ],
    [
      'so is one that is too large',
      () => 'x'.repeat(1024 * 1024),
      'The tool ran, but its result is no JSON or too large.',
    ],
  ])('%s', async (_what, during, error) => {
    const model = new ScriptedModel({ calls: [look('a')] });
    const world = new World(modelAgent(model, [], { tools: toolbox([], during) }));
    const { taskId } = await world.send('go');
    await finish(world);
    expect(model.seen.at(-1)).toMatchObject({ role: 'tool', status: 'error', value: { error } });
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('bad arguments and unknown tools go back to the model, and the rest of the turn runs', async () => {
    const ran: Ran[] = [];
    const calls = [call('sing'), call('look', { at: 5 }), call('look', 'here'), look('a')];
    const model = new ScriptedModel({ calls });
    const world = new World(modelAgent(model, ran));
    const { taskId } = await world.send('go');
    await finish(world);
    expect(model.seen.slice(2)).toMatchObject([
      { status: 'error', name: 'sing', value: { error: 'There is no tool called "sing".' } },
      { status: 'error', value: { error: expect.stringMatching(/do not fit/) as string } },
      { status: 'error', value: { error: 'The arguments must be a JSON object.' } },
      { status: 'ok' },
    ]);
    expect(ran).toHaveLength(1);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

describe('a tool that must not run twice', () => {
  const paying = () => new ScriptedModel({ calls: [call('pay', { at: 'x' })] });

  it('runs, and its result ends the mark', async () => {
    const ran: Ran[] = [];
    const marks: unknown[] = [];
    const world: World = new World(
      modelAgent(paying(), ran, {
        tools: toolbox(ran, () => void marks.push(world.backend.all('runs')[0]?.fields['effect'])),
      }),
    );
    const { taskId } = await world.send('go');
    await finish(world);
    expect(marks).toEqual(['call-2-1']);
    expect(ran).toHaveLength(1);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('that failed by its own word is over, too', async () => {
    const model = paying();
    const tools = toolbox([], () => Promise.reject(new ToolError('declined')));
    const world = new World(modelAgent(model, [], { tools }));
    const { taskId } = await world.send('go');
    await finish(world);
    expect(model.seen.at(-1)).toMatchObject({ status: 'error', value: { error: 'declined' } });
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it.each<[string, Error]>([
    ['an outage of our own', new Unavailable('store')],
    ['a passing fault', new RetryLater('not now')],
  ])(
    'and met %s is not tried again: the run ends with a reason that says so',
    async (_w, fault) => {
      const ran: Ran[] = [];
      const tools = toolbox(ran, () => Promise.reject(fault));
      const world = new World(modelAgent(paying(), ran, { tools }));
      const { taskId } = await world.send('go');
      await finish(world);
      expect(await world.get(taskId)).toMatchObject({
        status: { state: 'FAILED' },
        metadata: { reason: 'EFFECT_UNKNOWN' },
      });
      await world.clock.advance(3_600_000);
      await finish(world);
      expect(ran).toHaveLength(1);
    },
  );
});

describe('time', () => {
  it('a segment whose time is half over hands the run on at the next step', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [look('a'), look('b')] }, { calls: [look('c')] });
    const tools = toolbox(ran, () => world.clock.advance(200_000));
    const world: World = new World(modelAgent(model, ran, { tools }));
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(ran).toHaveLength(3);
    // Over half of 480 s after the second call; handed over without a lost attempt.
    expect(await rowOf(world, taskId)).toMatchObject({ fence: 2, attempts: 0 });
    expect(model.calls).toBe(3);
  });

  it('a model that never answers is cut off at the end of the segment', async () => {
    const signals: AbortSignal[] = [];
    const model = new ScriptedModel((_, signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    const world = new World(modelAgent(model));
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(world.app.settings.segment + 1_000);
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'DEADLINE_EXCEEDED' },
    });
    expect(signals[0]?.aborted).toBe(true);
  });

  it('a run that is cancelled within a tool does nothing more', async () => {
    const gate = latch();
    const ran: Ran[] = [];
    const model = new ScriptedModel({ calls: [look('a'), call('pay', { at: 'x' })] });
    const tools = toolbox(ran, () => gate.opened);
    const world = new World(modelAgent(model, ran, { tools }));
    const { taskId } = await world.send('go');
    await world.work();
    await world.service.cancel(world.principal, taskId);
    gate.open();
    await finish(world);
    expect(ran).toHaveLength(1);
    expect(model.calls).toBe(1);
    expect(await world.state(taskId)).toBe('CANCELED');
  });
});
