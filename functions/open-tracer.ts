import type { Millis } from '../shared/domain/brand.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import { createTelemetryHeaders } from '../shared/gcp/telemetry-headers.ts';
import type { Log } from '../shared/ports/log.ts';
import { optional } from '../shared/ports/optional-package.ts';
import type { Tracer } from '../shared/ports/tracer.ts';
import { BadConfiguration } from './settings.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * A function's response waits this long for its spans to be sent; what is not sent by then may be
 * lost.
 */
export const FLUSH: Millis = 1_000;

const GOOGLE = 'https://telemetry.googleapis.com';
const LOCAL = 'http://localhost:4318';

export interface TracerOptions {
  /** The function, or `start`. */
  readonly service: string;
  readonly environment: Environment;
  readonly log: Log;
  /**
   * Where the processor is taken away between requests, spans are sent only when `flush` says so.
   */
  readonly throttled: boolean;
}

/**
 * The tracer that the environment asks for, by the variables of OpenTelemetry
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/) and
 * HOLDFAST_TRACES. Undefined: none; then nothing of OpenTelemetry is loaded. Throws
 * BadConfiguration.
 */
export async function openTracer(options: TracerOptions): Promise<Tracer | undefined> {
  const { environment, log, throttled } = options;
  const url = urlOf(environment);
  if (url === undefined) return undefined;
  const { openOtlpTracer, protocols, samplers } = await optional(
    import('../shared/telemetry/otlp-tracer.ts'),
  );
  const google = new URL(url).host === new URL(GOOGLE).host;
  const project = environment['GOOGLE_CLOUD_PROJECT'];
  return openOtlpTracer({
    url,
    // Google's own examples for its endpoint send Protobuf; JSON is what a person can read on the
    // wire.
    protocol: choice(
      environment,
      'OTEL_EXPORTER_OTLP_PROTOCOL',
      protocols,
      google ? 'http/protobuf' : 'http/json',
    ),
    sampler: choice(environment, 'OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on'),
    ratio: ratioOf(environment['OTEL_TRACES_SAMPLER_ARG']),
    resource: {
      'service.name': environment['OTEL_SERVICE_NAME'] || `holdfast-${options.service}`,
      ...(environment['K_REVISION'] && { 'service.version': environment['K_REVISION'] }),
      ...(google && project && { 'gcp.project_id': project }),
    },
    ...(google && { headers: createTelemetryHeaders(url) }),
    clock: systemClock,
    log,
    throttled,
  });
}

function urlOf(environment: Environment): string | undefined {
  const choice = environment['HOLDFAST_TRACES'] ?? '';
  const whole = environment['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'];
  const base = environment['OTEL_EXPORTER_OTLP_ENDPOINT'];
  if (!['', 'off', 'otlp', 'google'].includes(choice)) {
    throw new BadConfiguration('HOLDFAST_TRACES must be off, otlp or google');
  }
  if (choice === 'off' || (choice === '' && !whole && !base)) return undefined;
  const url =
    whole || `${(base || (choice === 'google' ? GOOGLE : LOCAL)).replace(/\/+$/, '')}/v1/traces`;
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw new BadConfiguration('OTEL_EXPORTER_OTLP_ENDPOINT must be an http or https URL');
}

function choice<T extends string>(
  environment: Environment,
  variable: string,
  allowed: readonly T[],
  fallback: T,
): T {
  const text = environment[variable];
  if (text === undefined || text === '') return fallback;
  const chosen = allowed.find((each) => each === text);
  if (chosen !== undefined) return chosen;
  throw new BadConfiguration(`${variable} must be one of ${allowed.join(', ')}`);
}

function ratioOf(text: string | undefined): number {
  const ratio = text === undefined || text === '' ? 1 : Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new BadConfiguration('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
}
