import {
  type Context,
  ROOT_CONTEXT,
  type Span as OtelSpan,
  type SpanContext,
  SpanKind as Kind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Millis } from '../domain/brand.ts';
import { contextOf, printTraceparent, type Traceparent } from '../domain/trace-context.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Attributes, Span, SpanKind, Tracer } from '../ports/tracer.ts';

export const samplers = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export const protocols = ['http/json', 'http/protobuf'] as const;

export interface OtlpTracerOptions {
  /** With its path, /v1/traces. */
  readonly url: string;
  readonly protocol: (typeof protocols)[number];
  /** What each request carries besides, such as a token; asked for each time, and never throws. */
  readonly headers?: () => Promise<Record<string, string>>;
  readonly sampler: (typeof samplers)[number];
  /** Of the ratio samplers. */
  readonly ratio: number;
  readonly resource: Readonly<Record<string, string>>;
  readonly clock: Pick<Clock, 'after'>;
  readonly log: Log;
  /** No timer of its own: spans are sent only by `flush`. */
  readonly throttled: boolean;
}

const KINDS: Readonly<Record<SpanKind, Kind>> = {
  internal: Kind.INTERNAL,
  server: Kind.SERVER,
  consumer: Kind.CONSUMER,
  client: Kind.CLIENT,
};
const SEND_EVERY: Millis = 5_000;
/** The longest that a timer can be set to. */
const NEVER: Millis = 2_147_483_647;
const TIMEOUT: Millis = 5_000;
/** Spans that wait at most; more are dropped. */
const WAITING = 2_048;

/**
 * Spans as OTLP over HTTP. Loads OpenTelemetry, so this file is imported only when traces are on.
 */
export function openOtlpTracer(options: OtlpTracerOptions): Tracer {
  const { clock, headers, log, protocol, resource, throttled, url } = options;
  const Exporter = protocol === 'http/json' ? JsonExporter : ProtobufExporter;
  const processor = new BatchSpanProcessor({
    exporter: new Exporter({
      url,
      timeoutMillis: TIMEOUT,
      ...(headers !== undefined && { headers }),
    }),
    scheduledDelayMillis: throttled ? NEVER : SEND_EVERY,
    exportTimeoutMillis: TIMEOUT,
    maxQueueSize: WAITING,
  });
  const provider = new TracerProvider({
    sampler: samplerOf(options),
    resource: resourceFromAttributes({ ...resource }),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('holdfast');
  return {
    start(name, { parent, kind = 'internal', attributes = {}, links = [] }) {
      const span = tracer.startSpan(
        name,
        {
          kind: KINDS[kind],
          attributes: prefixed(attributes),
          links: links.map((link) => ({ context: remote(link) })),
        },
        parent === undefined ? ROOT_CONTEXT : under(parent),
      );
      return spanOf(span);
    },
    async flush(within) {
      let cancel = () => {};
      const late = new Promise<void>((resolve) => {
        cancel = clock.after(within, resolve);
      });
      // A collector that is down must cost its spans and nothing else.
      const sent = processor.forceFlush().catch(() => {
        log.write('warning', 'spans not sent');
      });
      await Promise.race([sent, late]);
      cancel();
    },
  };
}

function spanOf(span: OtelSpan): Span {
  const { traceId, spanId, traceFlags } = span.spanContext();
  const sampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
  return {
    context: printTraceparent({ traceId, spanId, sampled }),
    set(attributes) {
      span.setAttributes(prefixed(attributes));
    },
    fail(fault) {
      markFailed(span, fault);
    },
    end(fault) {
      if (!span.isRecording()) return;
      if (fault !== undefined) markFailed(span, fault);
      span.end();
    },
  };
}

/** By the conventions for errors: status, `error.type`, and an event with the exception's class. */
function markFailed(span: OtelSpan, fault: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR, message: fault });
  span.setAttribute('error.type', fault);
  span.addEvent('exception', { 'exception.type': fault });
}

/** Names with a dot are OpenTelemetry's own; ours get a prefix. */
function prefixed(attributes: Attributes): Record<string, string | number | boolean> {
  const named: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined) named[name.includes('.') ? name : `holdfast.${name}`] = value;
  }
  return named;
}

function under(parent: Traceparent): Context {
  return trace.setSpanContext(ROOT_CONTEXT, remote(parent));
}

function remote(parent: Traceparent): SpanContext {
  const { traceId, spanId, sampled } = contextOf(parent);
  const traceFlags = sampled ? TraceFlags.SAMPLED : TraceFlags.NONE;
  return { traceId, spanId, traceFlags, isRemote: true };
}

function samplerOf({ sampler, ratio }: OtlpTracerOptions): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}
