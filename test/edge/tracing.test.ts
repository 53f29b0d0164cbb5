import { expect, onTestFinished, test } from 'vitest';
import type { A2AAppOptions } from '../../shared/a2a/app.ts';
import { RecordingTracer } from '../doubles/recording-tracer.ts';
import { request } from './calls.ts';
import { edgeServer } from './edge-server.ts';

const CALLER = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
const say = (text: string) => ({
  message: { messageId: 'canary-id', role: 'ROLE_USER', parts: [{ text }] },
});

async function open(options: Partial<A2AAppOptions> = {}) {
  const lines: { readonly event: string; readonly trace: string | undefined }[] = [];
  const edge = await edgeServer({
    log: { write: (_level, event, _fields, trace) => void lines.push({ event, trace }) },
    ...options,
  });
  onTestFinished(() => edge.close());
  const send = async (text: string, traceparent?: string) => {
    const headers = traceparent === undefined ? {} : { traceparent };
    const answer = await request(edge, 'POST', '/message:send', say(text), headers);
    await expect.poll(() => lines.map(({ event }) => event)).toContain('a2a.request');
    return answer;
  };
  return { edge, lines, send };
}

test("a request is a span of its caller's trace, which the task and the log go on with", async () => {
  const tracer = new RecordingTracer();
  const { edge, lines, send } = await open({ tracer });
  await send('canary text', CALLER);
  const [span] = tracer.spans;
  expect(span).toMatchObject({
    name: 'a2a request',
    parent: CALLER,
    ended: true,
    fault: undefined,
    attributes: {
      'http.request.method': 'POST',
      'http.response.status_code': 200,
      'rpc.method': 'SendMessage',
      agent: 'echo',
      complete: true,
    },
  });
  expect(edge.service.sent[0]?.request.trace).toBe(span?.context);
  expect(lines).toContainEqual({ event: 'a2a.request', trace: span?.context });
  expect(JSON.stringify(tracer.spans)).not.toContain('canary');
});

test('what is no traceparent is not believed: a trace begins here', async () => {
  const tracer = new RecordingTracer();
  const { send } = await open({ tracer });
  await send('hello', `${CALLER}, ${CALLER}`);
  await send('hello');
  expect(tracer.spans.map(({ parent }) => parent)).toEqual([undefined, undefined]);
});

test('an internal error is a failed span, by its code; a refusal is not', async () => {
  const tracer = new RecordingTracer();
  const { send } = await open({ tracer });
  await send('crash', CALLER);
  await send('busy', CALLER);
  await expect.poll(() => tracer.spans.every(({ ended }) => ended)).toBe(true);
  const [crashed, busy] = tracer.spans;
  expect(crashed?.fault).toBe('INTERNAL');
  expect(busy?.fault).toBeUndefined();
  expect(busy?.attributes).toMatchObject({ failure: 'CONTEXT_BUSY' });
});

test("spans leave while a request is open: at the next one's begin, or soon in a long one", async () => {
  const tracer = new RecordingTracer();
  const { edge, send } = await open({ tracer });
  await send('hello');
  expect(tracer.flushed).toBe(1);
  await edge.clock.advance(10_000);
  expect(tracer.flushed).toBe(1);
  await send('hello');
  expect(tracer.flushed).toBe(2);
});

test("without a tracer a caller's trace is handed on as it is, and none begins", async () => {
  const { edge, lines, send } = await open();
  await send('hello', CALLER);
  expect(edge.service.sent[0]?.request.trace).toBe(CALLER);
  expect(lines).toContainEqual({ event: 'a2a.request', trace: CALLER });
  await send('hello');
  expect(edge.service.sent[1]?.request).not.toHaveProperty('trace');
});
