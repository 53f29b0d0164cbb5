import type { Millis } from '../shared/domain/brand.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import { createTelemetryHeaders } from '../shared/gcp/telemetry-headers.ts';
import type { Log } from '../shared/ports/log.ts';
import { optional } from '../shared/ports/optional-package.ts';
import type { Tracer } from '../shared/ports/tracer.ts';
import {
  endpointOf,
  type Environment,
  isGoogle,
  oneOf,
  protocolOf,
  resourceOf,
  type Signal,
} from './otlp-settings.ts';
import { BadConfiguration } from './settings.ts';

/**
 * A function's response waits this long for its spans and metrics to be sent; what is not sent by
 * then may be lost.
 */
export const FLUSH: Millis = 1_000;

const TRACES: Signal = {
  choice: 'HOLDFAST_TRACES',
  endpoint: 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  path: '/v1/traces',
  byBase: true,
};

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
  const url = endpointOf(environment, TRACES);
  if (url === undefined) return undefined;
  const { openOtlpTracer, protocols, samplers } = await optional(
    import('../shared/telemetry/otlp-tracer.ts'),
  );
  const google = isGoogle(url);
  return openOtlpTracer({
    url,
    protocol: protocolOf(environment, url, protocols),
    sampler: oneOf(environment, 'OTEL_TRACES_SAMPLER', samplers, 'parentbased_always_on'),
    ratio: ratioOf(environment['OTEL_TRACES_SAMPLER_ARG']),
    resource: resourceOf(environment, options.service, url),
    ...(google && { headers: createTelemetryHeaders(url) }),
    clock: systemClock,
    log,
    throttled,
  });
}

function ratioOf(text: string | undefined): number {
  const ratio = text === undefined || text === '' ? 1 : Number(text);
  if (ratio >= 0 && ratio <= 1) return ratio;
  throw new BadConfiguration('OTEL_TRACES_SAMPLER_ARG must be a number from 0 to 1');
}
