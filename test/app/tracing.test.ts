import { describe, expect, it } from 'vitest';
import { defineAgent, RetryLater } from '../../shared/agent/index.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { runCodec } from '../../shared/app/records/run-document.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { traced, within } from '../../shared/app/tracing.ts';
import { type Traceparent, traceparent } from '../../shared/domain/trace-context.ts';
import { RecordingTracer, traceIdOf } from '../doubles/recording-tracer.ts';
import { World } from './world.ts';

const CANARY = 'the canary in the prompt';
const description = 'An agent of these tests.';

const request = (id: number): Traceparent => {
  const trace = traceparent(`00-${String(id).repeat(32)}-${String(id).repeat(16)}-01`);
  if (trace === undefined) throw new TypeError('no traceparent');
  return trace;
};
const CALLER = request(1);

const flaky = defineAgent({
  name: 'flaky',
  description,
  async run(ctx) {
    if (ctx.attempt === 1) throw new RetryLater(CANARY, { delay: 10 });
    await ctx.artifact({ artifactId: 'a', name: CANARY, parts: CANARY });
    return CANARY;
  },
});
const asking = defineAgent({
  name: 'asking',
  description,
  run(ctx) {
    if (ctx.history.length === 0) ctx.ask(CANARY);
    return 'done';
  },
});

describe('a task has one trace', () => {
  it('from accept to result, through a requeue, and its spans nest', async () => {
    const tracer = new RecordingTracer();
    const world = new World(flaky, { tracer });
    const { taskId } = await world.send(CANARY, { trace: CALLER, blocking: true });
    await world.work();
    await world.clock.advance(10);
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');

    const { spans } = tracer;
    expect(new Set(spans.map(({ context }) => traceIdOf(context)))).toEqual(
      new Set([traceIdOf(CALLER)]),
    );
    expect(spans.every(({ ended }) => ended)).toBe(true);
    // The first try came to nothing; all else went well.
    const failed = spans.filter(({ fault }) => fault !== undefined);
    expect(failed).toMatchObject([{ name: 'segment', fault: 'TRIED_AGAIN' }]);
    const first = 'accept > wake-up';
    const second = `${first} > segment > wake-up`;
    expect(spans.map((span) => tracer.way(span))).toEqual([
      'accept',
      first,
      `${first} > claim`,
      `${first} > segment`,
      second,
      `${second} > claim`,
      `${second} > segment`,
      `${second} > segment > commit`,
      `${second} > segment > project`,
      `${second} > segment > project > archive`,
    ]);
    expect(tracer.named('accept')[0]?.parent).toBe(CALLER);
    const [again, last] = tracer.named('segment');
    expect(again?.attributes).toMatchObject({ attempt: 1, fence: 1, status: 'queued' });
    expect(last?.attributes).toMatchObject({ attempt: 2, fence: 2, status: 'completed' });
  });

  it('no attribute holds anything that a caller or an agent wrote', async () => {
    const tracer = new RecordingTracer();
    const world = new World(flaky, { tracer });
    await world.send(CANARY, { trace: CALLER, contextId: 'canary-context', messageId: 'canary-1' });
    await world.work();
    await world.clock.advance(10);
    await world.work();
    expect(tracer.named('project').length).toBeGreaterThan(0);
    expect(JSON.stringify([tracer.spans, world.logged])).not.toContain('canary');
  });

  it('also when its worker is lost: the sweep that takes it up is linked', async () => {
    const tracer = new RecordingTracer();
    let attempts = 0;
    const lost = defineAgent({
      name: 'lost',
      description,
      run: () => ((attempts += 1) === 1 ? new Promise<never>(() => undefined) : 'done'),
    });
    const world = new World(lost, { tracer });
    const { taskId } = await world.send('hello', { trace: CALLER });
    await world.work();
    // Its process is gone: the lease is not renewed.
    const { lease, sweepGrace } = world.app.settings;
    world.app.segments.stop(taskId, 'lost');
    await world.rest();
    await world.clock.advance(lease + sweepGrace + 1);
    await sweep(world.app);
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');

    const [swept] = tracer.named('sweep');
    const reaped = tracer.named('reap').at(-1);
    expect(swept && traceIdOf(swept.context)).not.toBe(traceIdOf(CALLER));
    expect(reaped && tracer.way(reaped)).toBe('accept > reap');
    expect(reaped?.links).toEqual([swept?.context]);
    const segment = tracer.named('segment').at(-1);
    expect(segment && tracer.way(segment)).toBe('accept > reap > wake-up > segment');
  });

  it('an answer goes on with it, and links the request that brought it', async () => {
    const tracer = new RecordingTracer();
    const world = new World(asking, { tracer });
    const { taskId } = await world.send('hello', { trace: CALLER });
    await world.work();
    await world.send('blue', { taskId, trace: request(2) });
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    const [answer] = tracer.named('answer');
    expect(answer && tracer.way(answer)).toBe('accept > answer');
    expect(answer?.links).toEqual([request(2)]);
    const last = tracer.named('segment').at(-1);
    expect(last && tracer.way(last)).toBe('accept > answer > wake-up > segment');
    const trace = (await world.app.store.get(runDoc(taskId)))?.trace;
    expect(trace).toBe(tracer.named('accept')[0]?.context);
  });

  it('a run from before tracing takes the trace of the answer that continues it', async () => {
    const tracer = new RecordingTracer();
    const before = new World(asking);
    const { taskId } = await before.send('hello');
    await before.work();
    expect(before.queue.every((wakeUp) => !('trace' in wakeUp))).toBe(true);
    expect(await before.app.store.get(runDoc(taskId))).not.toHaveProperty('trace');
    const world = new World(asking, { tracer, below: before, sealer: before.app.sealer });
    await world.send('blue', { taskId, trace: request(2) });
    expect(world.queue[0]?.trace).toBe(tracer.named('answer')[0]?.context);
    await world.work();
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(tracer.spans.every(({ context }) => traceIdOf(context) === traceIdOf(request(2)))).toBe(
      true,
    );
  });
});

it('a message that comes again with another trace is the same message', async () => {
  const world = new World(asking, { idempotency: 'always' });
  const first = await world.send('hello', { messageId: 'once', trace: CALLER });
  const again = await world.send('hello', { messageId: 'once', trace: request(2) });
  expect(again.taskId).toBe(first.taskId);
});

it('a row whose trace is none is read without it', async () => {
  const world = new World(asking);
  const { taskId } = await world.send('hello', { trace: CALLER });
  const run = await world.app.store.get(runDoc(taskId));
  if (run === undefined) throw new Error('no such run');
  const fields = runCodec.encode(run);
  expect(fields['trace']).toBe(CALLER);
  const read = runCodec.decode({ ...fields, trace: 'none' }, 'runs/x');
  expect(read).not.toHaveProperty('trace');
  expect(runCodec.encode(read)).not.toHaveProperty('trace');
});

describe('without a tracer', () => {
  it("a caller's trace still reaches the log of the worker", async () => {
    const world = new World(flaky);
    await world.send('hello', { trace: CALLER });
    expect(world.queue[0]?.trace).toBe(CALLER);
    await world.work();
    const began = world.logged.find(({ event }) => event === 'segment began');
    expect(began?.trace).toBe(CALLER);
  });

  it('nothing is made for it: the work gets the application as it is', async () => {
    const { app } = new World(flaky);
    const given = (): never => {
      throw new Error('attributes were made');
    };
    await traced(app, 'claim', given, async (same, span) => {
      expect(same).toBe(app);
      expect(span).toBeUndefined();
    });
    expect(within(app, undefined)).toBe(app);
  });
});

it('a segment tells its four times, and how long it waited and worked', async () => {
  const slow = defineAgent({
    name: 'slow',
    description,
    run: async (ctx) => {
      await world.clock.sleep(300, ctx.signal);
      return 'done';
    },
  });
  const world = new World(slow);
  const due = world.clock.now();
  await world.send('hello', { blocking: true });
  await world.clock.advance(40);
  await world.work();
  await world.clock.advance(300);
  await world.rest();
  const lines = world.logged.filter(({ event }) => event === 'segment ended');
  expect(lines.map(({ fields }) => fields)).toMatchObject([
    {
      status: 'completed',
      due,
      dispatched: due + 40,
      claimed: due + 40,
      committed: due + 340,
      waited: 40,
      milliseconds: 300,
    },
  ]);
  const ended = world.logged.find(({ event }) => event === 'run ended');
  expect(ended?.fields).toMatchObject({ milliseconds: 340 });
});
