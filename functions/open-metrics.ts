import { createTelemetryHeaders } from '../shared/gcp/telemetry-headers.ts';
import type { Ids } from '../shared/ports/ids.ts';
import type { Metrics } from '../shared/ports/metrics.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import type { TracerOptions } from './open-tracer.ts';
import { endpointOf, isGoogle, protocolOf, resourceOf, type Signal } from './otlp-settings.ts';
import { optional } from '../shared/ports/optional-package.ts';

/** A base URL that was given for traces sends no metrics: they are asked for by name. */
const METRICS: Signal = {
  choice: 'HOLDFAST_METRICS',
  endpoint: 'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
  path: '/v1/metrics',
  byBase: false,
};

/**
 * The metrics that the environment asks for. Undefined: none; then nothing of OpenTelemetry is
 * loaded, and nothing is measured. Throws BadConfiguration.
 */
export async function openMetrics(
  { environment, log, service, throttled }: TracerOptions,
  { uuid }: Pick<Ids, 'uuid'>,
): Promise<Metrics | undefined> {
  const url = endpointOf(environment, METRICS);
  if (url === undefined) return undefined;
  const { openOtlpMetrics } = await optional(import('../shared/telemetry/otlp-metrics.ts'));
  const { protocols } = await optional(import('../shared/telemetry/otlp-tracer.ts'));
  const google = isGoogle(url);
  return openOtlpMetrics({
    url,
    protocol: protocolOf(environment, url, protocols),
    // Two instances of one function must not write one series.
    resource: { ...resourceOf(environment, service, url), 'service.instance.id': uuid() },
    ...(google && { headers: createTelemetryHeaders(url, 'metrics') }),
    clock: systemClock,
    log,
    throttled,
  });
}
