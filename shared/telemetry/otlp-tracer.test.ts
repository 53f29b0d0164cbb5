import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type OtlpReceiver, otlpReceiver } from '../../test/doubles/otlp-receiver.ts';
import { contextOf, type Traceparent, traceparent } from '../domain/trace-context.ts';
import { systemClock } from '../system/system-clock.ts';
import { openOtlpTracer, type OtlpTracerOptions } from './otlp-tracer.ts';

const given = (text: string): Traceparent => {
  const trace = traceparent(text);
  if (trace === undefined) throw new TypeError('no traceparent');
  return trace;
};
const CALLER = given('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01');
const UNSAMPLED = given('00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00');
const OTHER = given('00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
const WITHIN = 5_000;

let receiver: OtlpReceiver;
let lines: string[];
beforeEach(async () => {
  receiver = await otlpReceiver();
  onTestFinished(() => receiver.close());
  lines = [];
});

function open(over: Partial<OtlpTracerOptions> = {}) {
  return openOtlpTracer({
    url: `${receiver.url}/v1/traces`,
    protocol: 'http/json',
    sampler: 'parentbased_always_on',
    ratio: 1,
    resource: { 'service.name': 'holdfast-test' },
    clock: systemClock,
    log: { write: (_level, event) => void lines.push(event) },
    throttled: true,
    ...over,
  });
}

describe('spans are sent as OTLP over HTTP', () => {
  it('with parent, kind, attributes and links, and children that name them', async () => {
    const tracer = open({ headers: async () => ({ authorization: 'Bearer token' }) });
    const server = tracer.start('a2a request', {
      parent: CALLER,
      kind: 'server',
      attributes: { 'http.request.method': 'POST', agent: 'echo', none: undefined },
    });
    const accept = tracer.start('accept', { parent: server.context, links: [OTHER] });
    accept.set({ task: 'a-task', revision: 3 });
    accept.end();
    server.end();
    await tracer.flush(WITHIN);

    const { traceId, spanId } = contextOf(CALLER);
    expect(receiver.received).toMatchObject([
      { path: '/v1/traces', authorization: 'Bearer token' },
    ]);
    expect(receiver.received[0]?.body.resourceSpans[0]?.resource.attributes).toEqual([
      { key: 'service.name', value: { stringValue: 'holdfast-test' } },
    ]);
    const [first, second] = receiver.spans;
    expect(second).toMatchObject({
      name: 'a2a request',
      traceId,
      parentSpanId: spanId,
      kind: 2,
      attributes: [
        { key: 'http.request.method', value: { stringValue: 'POST' } },
        { key: 'holdfast.agent', value: { stringValue: 'echo' } },
      ],
    });
    expect(first).toMatchObject({
      name: 'accept',
      traceId,
      parentSpanId: contextOf(server.context).spanId,
      spanId: contextOf(accept.context).spanId,
      links: [{ traceId: contextOf(OTHER).traceId, spanId: contextOf(OTHER).spanId }],
    });
    expect(first?.attributes).toContainEqual({
      key: 'holdfast.revision',
      value: { intValue: 3 },
    });
  });

  it('in Protobuf, where that is asked for', async () => {
    const tracer = open({ protocol: 'http/protobuf' });
    tracer.start('archive', { parent: CALLER }).end();
    await tracer.flush(WITHIN);
    const [sent] = receiver.binary;
    expect(sent?.includes('archive')).toBe(true);
    expect(sent?.includes(Buffer.from(contextOf(CALLER).traceId, 'hex'))).toBe(true);
    expect(lines).toEqual([]);
  });

  it('a fault is an error by its name, and ending a span again changes nothing', async () => {
    const tracer = open();
    const span = tracer.start('project', {});
    span.end('Unavailable');
    span.end();
    await tracer.flush(WITHIN);
    expect(receiver.spans).toMatchObject([
      {
        status: { code: 2, message: 'Unavailable' },
        attributes: [{ key: 'error.type', value: { stringValue: 'Unavailable' } }],
        events: [
          {
            name: 'exception',
            attributes: [{ key: 'exception.type', value: { stringValue: 'Unavailable' } }],
          },
        ],
      },
    ]);
  });

  it('a fault that was dealt with marks its span all the same, of the kind of a call', async () => {
    const tracer = open();
    const span = tracer.start('chat a-model', { kind: 'client' });
    span.fail('TRIED_AGAIN');
    span.end();
    await tracer.flush(WITHIN);
    expect(receiver.spans).toMatchObject([
      { kind: 3, status: { code: 2, message: 'TRIED_AGAIN' } },
    ]);
  });

  it('a trace that its caller does not record is handed on, and not sent', async () => {
    const tracer = open();
    const span = tracer.start('accept', { parent: UNSAMPLED });
    span.end();
    expect(contextOf(span.context)).toMatchObject({
      traceId: contextOf(UNSAMPLED).traceId,
      sampled: false,
    });
    await tracer.flush(WITHIN);
    expect(receiver.received).toHaveLength(0);
  });

  it('unless the sampler says always', async () => {
    const tracer = open({ sampler: 'always_on' });
    tracer.start('accept', { parent: UNSAMPLED }).end();
    await tracer.flush(WITHIN);
    expect(receiver.spans).toHaveLength(1);
  });

  it.each([
    'always_off',
    'parentbased_always_off',
    'traceidratio',
    'parentbased_traceidratio',
  ] as const)('%s with a ratio of nothing sends no trace of its own', async (sampler) => {
    const tracer = open({ sampler, ratio: 0 });
    tracer.start('sweep', {}).end();
    await tracer.flush(WITHIN);
    expect(receiver.received).toHaveLength(0);
  });
});

describe('a collector that fails costs its spans and nothing else', () => {
  it('one that refuses: they are dropped, and a line says so', async () => {
    receiver.answer = 400;
    const tracer = open();
    tracer.start('accept', {}).end();
    await tracer.flush(WITHIN);
    expect(lines).toEqual(['spans not sent']);
    receiver.answer = 200;
    tracer.start('accept', {}).end();
    await tracer.flush(WITHIN);
    expect(receiver.spans).toHaveLength(2);
  });

  it('one that is not there', async () => {
    const tracer = open({ url: 'http://127.0.0.1:9/v1/traces' });
    tracer.start('accept', {}).end();
    await tracer.flush(WITHIN * 2);
    expect(lines).toEqual(['spans not sent']);
  });

  it('one that never answers holds no caller longer than the flush may last', async () => {
    receiver.answer = 'silent';
    let ring = () => {};
    const tracer = open({
      clock: {
        after(_span, callback) {
          ring = callback;
          return () => {};
        },
      },
    });
    tracer.start('accept', {}).end();
    const flushed = tracer.flush(1);
    ring();
    await flushed;
  });
});
