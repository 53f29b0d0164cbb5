import { OTLPMetricExporter as JsonExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPMetricExporter as ProtobufExporter } from '@opentelemetry/exporter-metrics-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type MetricName, METRICS, type Metrics, type MetricShape } from '../ports/metrics.ts';
import type { Attributes } from '../ports/tracer.ts';
import type { protocols } from './otlp-tracer.ts';

export interface OtlpMetricsOptions {
  /** With its path, /v1/metrics. */
  readonly url: string;
  readonly protocol: (typeof protocols)[number];
  /** What each request carries besides, such as a token; asked for each time, and never throws. */
  readonly headers?: () => Promise<Record<string, string>>;
  readonly resource: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'after' | 'now'>;
  readonly log: Log;
  /** No timer of its own: they are sent only by `flush`, and not more often than `EVERY`. */
  readonly throttled: boolean;
}

const EVERY: Millis = 10_000;
/** The longest that a timer can be set to. */
const NEVER: Millis = 2_147_483_647;
const TIMEOUT: Millis = 5_000;

/** Seconds; the default bounds of OpenTelemetry are for milliseconds. */
const SECONDS = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400,
  604_800,
];
const TOKENS = [1, 16, 64, 256, 1_024, 4_096, 16_384, 65_536, 262_144, 1_048_576];

type Instrument = (value: number, attributes: Attributes) => void;

/**
 * Metrics as OTLP over HTTP. Loads OpenTelemetry, so this file is imported only when they are on.
 */
export function openOtlpMetrics(options: OtlpMetricsOptions): Metrics {
  const { clock, headers, log, protocol, resource, throttled, url } = options;
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter;
  const exporter = new Exporter({
    url,
    timeoutMillis: TIMEOUT,
    ...(headers !== undefined && { headers }),
  });
  const send = exporter.export.bind(exporter);
  // A collector that is down must cost nothing but its metrics.
  exporter.export = (metrics, done) =>
    send(metrics, (result) => {
      if (result.code !== 0) log.write('warning', 'metrics not sent');
      done(result);
    });
  const reader = new PeriodicExportingMetricReader({
    exporter,
    exportIntervalMillis: throttled ? NEVER : EVERY,
    exportTimeoutMillis: TIMEOUT,
  });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ ...resource }),
    readers: [reader],
  });
  const meter = provider.getMeter('holdfast');
  const made = new Map<MetricName, Instrument>();
  const make = (name: MetricName): Instrument => {
    const { kind, says, unit }: MetricShape = METRICS[name];
    const about = { unit, description: says };
    switch (kind) {
      case 'counter': {
        const counter = meter.createCounter(name, about);
        return (value, attributes) => counter.add(value, known(attributes));
      }
      case 'gauge': {
        const gauge = meter.createGauge(name, about);
        return (value, attributes) => gauge.record(value, known(attributes));
      }
      case 'histogram': {
        const advice = { explicitBucketBoundaries: unit === 's' ? SECONDS : TOKENS };
        const histogram = meter.createHistogram(name, { ...about, advice });
        return (value, attributes) => histogram.record(value, known(attributes));
      }
    }
  };
  const sent = { at: -Infinity };
  return {
    measure(name, value, attributes = {}) {
      const record = made.get(name) ?? make(name);
      made.set(name, record);
      record(value, attributes);
    },
    async flush(within) {
      const now = clock.now();
      if (throttled && now - sent.at < EVERY) return;
      sent.at = now;
      let cancel = () => {};
      const late = new Promise<void>((resolve) => {
        cancel = clock.after(within, resolve);
      });
      const flushed = reader.forceFlush().catch(() => undefined);
      await Promise.race([flushed, late]);
      cancel();
    },
  };
}

/** Names with a dot are OpenTelemetry's own; ours get a prefix. */
function known(attributes: Attributes): { [name: string]: string | number | boolean } {
  const named: { [name: string]: string | number | boolean } = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) named[name.includes('.') ? name : `holdfast.${name}`] = value;
  }
  return named;
}
