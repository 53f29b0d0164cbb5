import type { protocols as all } from '../shared/telemetry/otlp-tracer.ts';
import { BadConfiguration } from './settings.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export const GOOGLE = 'https://telemetry.googleapis.com';
const LOCAL = 'http://localhost:4318';

export interface Signal {
  /** Says whether it is sent, and where to. */
  readonly choice: string;
  /** The whole URL. */
  readonly endpoint: string;
  readonly path: '/v1/traces' | '/v1/metrics';
  /** The base URL alone switches it on. */
  readonly byBase: boolean;
}

const BASE = 'OTEL_EXPORTER_OTLP_ENDPOINT';

/**
 * Where a signal goes, by the variables of OpenTelemetry
 * (https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/) and one of
 * ours. Undefined: nowhere. Throws BadConfiguration.
 */
export function endpointOf(environment: Environment, signal: Signal): string | undefined {
  const choice = environment[signal.choice] ?? '';
  const whole = environment[signal.endpoint];
  const base = environment[BASE];
  if (!['', 'off', 'otlp', 'google'].includes(choice)) {
    throw new BadConfiguration(`${signal.choice} must be off, otlp or google`);
  }
  const isGiven = Boolean(whole) || (signal.byBase && Boolean(base));
  if (choice === 'off' || (choice === '' && !isGiven)) return undefined;
  const from = base || (choice === 'google' ? GOOGLE : LOCAL);
  const url = whole || `${from.replace(/\/+$/, '')}${signal.path}`;
  if (URL.canParse(url) && /^https?:/.test(url)) return url;
  throw new BadConfiguration(`${BASE} must be an http or https URL`);
}

/** The variable's value, one of those allowed. Throws BadConfiguration. */
export function oneOf<T extends string>(
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

type OtlpProtocol = (typeof all)[number];

/** JSON is what a person can read on the wire; Google's own examples send it Protobuf. */
export function protocolOf(
  environment: Environment,
  url: string,
  protocols: readonly OtlpProtocol[],
): OtlpProtocol {
  const fallback = isGoogle(url) ? 'http/protobuf' : 'http/json';
  return oneOf(environment, 'OTEL_EXPORTER_OTLP_PROTOCOL', protocols, fallback);
}

export const isGoogle = (url: string): boolean => new URL(url).host === new URL(GOOGLE).host;

/** What a collector knows of the process. */
export function resourceOf(
  environment: Environment,
  service: string,
  url: string,
): Readonly<Record<string, string>> {
  const project = environment['GOOGLE_CLOUD_PROJECT'];
  return {
    'service.name': environment['OTEL_SERVICE_NAME'] || `holdfast-${service}`,
    ...(environment['K_REVISION'] && { 'service.version': environment['K_REVISION'] }),
    ...(isGoogle(url) && project && { 'gcp.project_id': project }),
  };
}
