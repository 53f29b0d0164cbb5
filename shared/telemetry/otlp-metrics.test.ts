import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type OtlpReceiver, otlpReceiver } from '../../test/doubles/otlp-receiver.ts';
import { systemClock } from '../system/system-clock.ts';
import { openOtlpMetrics, type OtlpMetricsOptions } from './otlp-metrics.ts';

const WITHIN = 5_000;

let receiver: OtlpReceiver;
let lines: string[];
beforeEach(async () => {
  receiver = await otlpReceiver();
  onTestFinished(() => receiver.close());
  lines = [];
});

function open(over: Partial<OtlpMetricsOptions> = {}) {
  return openOtlpMetrics({
    url: `${receiver.url}/v1/metrics`,
    protocol: 'http/json',
    resource: { 'service.name': 'holdfast-test' },
    clock: systemClock,
    log: { write: (_level, event) => void lines.push(event) },
    throttled: true,
    ...over,
  });
}

describe('metrics are sent as OTLP over HTTP', () => {
  it('by their names, units and kinds, with the attributes of ours prefixed', async () => {
    const metrics = open({ headers: async () => ({ authorization: 'Bearer token' }) });
    metrics.measure('holdfast.queue.wait', 0.25, { agent: 'echo', none: undefined });
    metrics.measure('holdfast.queue.wait', 3, { agent: 'echo' });
    metrics.measure('holdfast.sends', 1, { remote: 'peer', outcome: 'sent' });
    metrics.measure('holdfast.waits', 7, { kind: 'approval' });
    metrics.measure('holdfast.waits', 5, { kind: 'approval' });
    metrics.measure('gen_ai.client.token.usage', 900, { 'gen_ai.token.type': 'input' });
    await metrics.flush(WITHIN);
    expect(receiver.metrics).toMatchObject([
      { path: '/v1/metrics', authorization: 'Bearer token' },
    ]);
    const sent = receiver.metrics.flatMap(({ metrics: each }) => each);
    expect(sent).toMatchObject([
      {
        name: 'holdfast.queue.wait',
        unit: 's',
        histogram: {
          dataPoints: [
            {
              count: 2,
              sum: 3.25,
              attributes: [{ key: 'holdfast.agent', value: { stringValue: 'echo' } }],
            },
          ],
        },
      },
      { name: 'holdfast.sends', unit: '{send}', sum: { isMonotonic: true } },
      {
        name: 'holdfast.waits',
        gauge: {
          dataPoints: [
            {
              asDouble: 5,
              attributes: [{ key: 'holdfast.kind', value: { stringValue: 'approval' } }],
            },
          ],
        },
      },
      {
        name: 'gen_ai.client.token.usage',
        unit: '{token}',
        histogram: { dataPoints: [{ attributes: [{ key: 'gen_ai.token.type' }] }] },
      },
    ]);
    expect(lines).toEqual([]);
  });

  it('in Protobuf, where that is asked for', async () => {
    const metrics = open({ protocol: 'http/protobuf' });
    metrics.measure('holdfast.sends', 1, { remote: 'peer', outcome: 'sent' });
    await metrics.flush(WITHIN);
    expect(receiver.binary[0]?.includes('holdfast.sends')).toBe(true);
  });

  it('not again within ten seconds, where the process is throttled', async () => {
    const clock = { ...systemClock, now: () => 0 };
    const metrics = open({ clock });
    metrics.measure('holdfast.sends', 1);
    await metrics.flush(WITHIN);
    await metrics.flush(WITHIN);
    expect(receiver.metrics).toHaveLength(1);
    clock.now = () => 10_000;
    await metrics.flush(WITHIN);
    expect(receiver.metrics).toHaveLength(2);
  });

  it('and what a collector refuses costs a line in the log', async () => {
    receiver.answer = 400;
    const metrics = open();
    metrics.measure('holdfast.sends', 1);
    await metrics.flush(WITHIN);
    expect(lines).toEqual(['metrics not sent']);
  });

  it('and a collector that never answers is waited for no longer than said', async () => {
    receiver.answer = 'silent';
    const metrics = open();
    metrics.measure('holdfast.sends', 1);
    await metrics.flush(10);
    expect(receiver.metrics.length).toBeLessThanOrEqual(1);
  });
});
