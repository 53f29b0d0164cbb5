import type { HttpFunction } from '@google-cloud/functions-framework';
import { beforeEach, expect, test, vi } from 'vitest';
import type { App } from '../shared/app/app.ts';
import type { Tracer } from '../shared/ports/tracer.ts';
import { defineAgent } from '../shared/agent/index.ts';
import { latch, World } from '../test/app/world.ts';
import { RecordingTracer } from '../test/doubles/recording-tracer.ts';
import scripted from '../test/fixtures/agents/scripted.ts';
import { queueFunction } from './queue-function.ts';

let app: App;
vi.mock('./environment.ts', () => ({ fromEnvironment: () => Promise.resolve({ app }) }));

const happened: string[] = [];
beforeEach(() => {
  happened.length = 0;
});

type Given = Parameters<HttpFunction>;

/** As the framework calls it. */
function call(body: object, closing = new AbortController().signal): Promise<unknown> {
  const response = {
    status: (code: number) => {
      happened.push(`answered ${code}`);
      return response;
    },
    set: () => response,
    json: () => response,
  };
  const request: Partial<Given[0]> = { headersDistinct: {}, body };
  return Promise.resolve(
    queueFunction('worker', ['run'], closing)(request as Given[0], response as unknown as Given[1]),
  );
}

test('a wake-up is answered when its spans are sent: an instance gets no processor afterwards', async () => {
  const sent = latch();
  const recording = new RecordingTracer();
  const tracer: Tracer = {
    start: (name, options) => recording.start(name, options),
    async flush() {
      happened.push(`flush of ${recording.spans.filter(({ ended }) => ended).length}`);
      await sent.opened;
    },
  };
  const world = new World(scripted, { tracer });
  ({ app } = world);
  const { taskId } = await world.send('hello', { blocking: true });
  const before = recording.spans.length;
  const called = call({ kind: 'run', taskId, revision: 1, at: world.clock.now() });
  await expect.poll(() => happened).toHaveLength(1);
  expect(recording.spans.slice(before).map(({ name }) => name)).toContain('segment');
  expect(happened).toEqual([`flush of ${recording.spans.length}`]);
  sent.open();
  await called;
  expect(happened.at(-1)).toBe('answered 200');
});

test('without a tracer it is answered at once', async () => {
  const world = new World(scripted);
  ({ app } = world);
  const { taskId } = await world.send('hello', { blocking: true });
  await call({ kind: 'run', taskId, revision: 1, at: world.clock.now() });
  expect(happened).toEqual(['answered 200']);
});

test('a worker that is asked to stop hands its run back, and takes no other', async () => {
  const began = latch();
  const endless = defineAgent({
    name: 'endless',
    description: 'Works until it is told to stop.',
    async run(ctx) {
      began.open();
      await new Promise((_, reject) => {
        ctx.signal.addEventListener('abort', () => reject(new Error('told to stop')));
      });
      return 'never';
    },
  });
  const world = new World(endless);
  ({ app } = world);
  const { taskId } = await world.send('hello');
  const run = { kind: 'run', taskId, revision: 1, at: world.clock.now() };
  const closing = new AbortController();
  const called = call(run, closing.signal);
  await began.opened;
  closing.abort();
  await called;
  expect(happened).toEqual(['answered 200']);
  expect(await world.state(taskId)).not.toBe('FAILED');
  expect(world.queue).toMatchObject([{}, { kind: 'run', taskId }]);
  await call(run, closing.signal);
  expect(happened).toEqual(['answered 200', 'answered 503']);
});
