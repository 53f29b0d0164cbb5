import { expect, onTestFinished, test, vi } from 'vitest';
import type { OtlpTracerOptions } from '../shared/telemetry/otlp-tracer.ts';
import { openTracer } from './open-tracer.ts';

let loads = 0;
const opened: OtlpTracerOptions[] = [];
vi.mock('../shared/telemetry/otlp-tracer.ts', () => {
  loads += 1;
  return {
    samplers: ['always_on', 'parentbased_always_on'],
    protocols: ['http/json', 'http/protobuf'],
    openOtlpTracer: (options: OtlpTracerOptions) => void opened.push(options),
  };
});

async function open(environment: Readonly<Record<string, string>>) {
  onTestFinished(() => void opened.splice(0));
  const log = { write: () => undefined };
  await openTracer({ service: 'worker', environment, log, throttled: true });
  return opened[0];
}

test('without its variables there is no tracer, and OpenTelemetry is not loaded', async () => {
  expect(await open({})).toBeUndefined();
  expect(await open({ HOLDFAST_TRACES: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' })).toBeUndefined();
  expect(
    await open({ HOLDFAST_TRACES: 'off', OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' }),
  ).toBeUndefined();
  expect(loads).toBe(0);
});

test.each([
  [{ HOLDFAST_TRACES: 'otlp' }, 'http://localhost:4318/v1/traces'],
  [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://collector/base/' }, 'https://collector/base/v1/traces'],
  [
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://collector/as-it-is' },
    'https://collector/as-it-is',
  ],
  [{ HOLDFAST_TRACES: 'google' }, 'https://telemetry.googleapis.com/v1/traces'],
])('%j sends to %s', async (environment, url) => {
  expect(await open(environment)).toMatchObject({
    url,
    sampler: 'parentbased_always_on',
    ratio: 1,
  });
});

test("Google's endpoint gets the project as resource and a token of the function's account", async () => {
  const options = await open({ HOLDFAST_TRACES: 'google', GOOGLE_CLOUD_PROJECT: 'a-project' });
  expect(options?.resource).toEqual({
    'service.name': 'holdfast-worker',
    'gcp.project_id': 'a-project',
  });
  expect(options?.headers).toBeTypeOf('function');
  expect(options?.protocol).toBe('http/protobuf');
});

test('any other endpoint gets no token', async () => {
  const options = await open({
    OTEL_EXPORTER_OTLP_ENDPOINT: 'https://telemetry.googleapis.com.example',
    GOOGLE_CLOUD_PROJECT: 'a-project',
  });
  expect(options?.headers).toBeUndefined();
  expect(options?.resource).toEqual({ 'service.name': 'holdfast-worker' });
});

test.each([
  { HOLDFAST_TRACES: 'yes' },
  { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4318' },
  { HOLDFAST_TRACES: 'otlp', OTEL_TRACES_SAMPLER: 'jaeger_remote' },
  { HOLDFAST_TRACES: 'otlp', OTEL_TRACES_SAMPLER_ARG: '2' },
  { HOLDFAST_TRACES: 'otlp', OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' },
])('%j is refused by the name of its variable', async (environment) => {
  await expect(open(environment)).rejects.toThrow(/^(HOLDFAST|OTEL)_[A-Z_]+ must be /);
});
