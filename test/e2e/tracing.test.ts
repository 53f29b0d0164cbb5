import { afterAll, beforeAll, expect, test } from 'vitest';
import { type OtlpReceiver, otlpReceiver } from '../doubles/otlp-receiver.ts';
import { Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { useFleet } from './server.ts';
import { stateOf } from './wire.ts';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const CALLER = '00f067aa0ba902b7';
const ENDPOINT = 'OTEL_EXPORTER_OTLP_ENDPOINT';

const fleet = useFleet();
const oracle = useOracle();
let receiver: OtlpReceiver;
beforeAll(async () => {
  receiver = await otlpReceiver();
  process.env[ENDPOINT] = receiver.url;
});
afterAll(async () => {
  delete process.env[ENDPOINT];
  await receiver.close();
});

const SERVICES = {
  embedded: ['holdfast-start'],
  google: ['holdfast-a2a', 'holdfast-worker'],
} as const;

test.each(['embedded', 'google'] as const)(
  'a task is one trace of its caller through all processes of %s, by ids and counts alone',
  async (store) => {
    const before = receiver.received.length;
    const already = receiver.spans.length;
    const server = await fleet.start({ store });
    const traceparent = `00-${TRACE}-${CALLER}-01`;
    const client = new Client(server, oracle, 'rest', { traceparent });
    const task = await client.send('flaky=1 canary', { contextId: 'canary-context' });
    expect(stateOf(task)).toBe('COMPLETED');
    const spans = () => receiver.spans.slice(already).filter(({ traceId }) => traceId === TRACE);
    const counted = (name: string) => spans().filter((span) => span.name === name).length;
    // The worker is not done yet when the result can be read, and ends its wake-up before it
    // answers the queue.
    if (store === 'google')
      await expect.poll(() => counted('wake-up'), { timeout: 10_000 }).toBeGreaterThanOrEqual(2);
    // Its own span leaves with the process at the latest.
    await server.stop();

    // A slow machine's sweeper may have had a part in it.
    const services = spans().map(({ service }) => service);
    expect(services).toEqual(expect.arrayContaining([...SERVICES[store]]));
    const request = spans().find(({ name }) => name === 'a2a request');
    expect(request?.parentSpanId).toBe(CALLER);
    const known = new Set([CALLER, ...spans().map(({ spanId }) => spanId)]);
    expect(spans().filter(({ parentSpanId = '' }) => !known.has(parentSpanId))).toEqual([]);
    expect({ accept: counted('accept'), segment: counted('segment') }).toEqual({
      accept: 1,
      segment: 2,
    });
    expect(counted('archive')).toBeGreaterThanOrEqual(1);
    const sent = receiver.received.slice(before).map(({ text }) => text);
    expect(sent.join()).not.toContain('canary');
  },
  60_000,
);
