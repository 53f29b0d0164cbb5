import type { GoogleAuth } from 'google-auth-library';

/**
 * Enough to hand spans or metrics in, and for nothing else
 * (https://cloud.google.com/stackdriver/docs/reference/telemetry/v1.traces.post).
 */
const SCOPES = {
  traces: 'https://www.googleapis.com/auth/trace.append',
  metrics: 'https://www.googleapis.com/auth/monitoring.write',
} as const;

/**
 * What Google's OTLP endpoint asks of a request: a token of the account that the process runs as,
 * and the project that pays where the environment names one. Without a token there are no headers;
 * the endpoint refuses then, and what is sent is dropped.
 */
export function createTelemetryHeaders(
  url: string,
  signal: keyof typeof SCOPES = 'traces',
): () => Promise<Record<string, string>> {
  let opening: Promise<GoogleAuth> | undefined;
  return async () => {
    try {
      opening ??= import('google-auth-library').then(
        (library) => new library.GoogleAuth({ scopes: [SCOPES[signal]] }),
      );
      const auth = await opening;
      return Object.fromEntries(await auth.getRequestHeaders(url));
    } catch {
      return {};
    }
  };
}
