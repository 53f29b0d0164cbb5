import type { GoogleAuth } from 'google-auth-library';

/**
 * Enough to hand spans in, and for nothing else
 * (https://cloud.google.com/stackdriver/docs/reference/telemetry/v1.traces.post).
 */
const SCOPE = 'https://www.googleapis.com/auth/trace.append';

/**
 * What Google's OTLP endpoint asks of a request: a token of the account that the process runs as,
 * and the project that pays where the environment names one. Without a token there are no headers;
 * the endpoint refuses then, and the spans are dropped.
 */
export function createTelemetryHeaders(url: string): () => Promise<Record<string, string>> {
  let opening: Promise<GoogleAuth> | undefined;
  return async () => {
    try {
      opening ??= import('google-auth-library').then(
        (library) => new library.GoogleAuth({ scopes: [SCOPE] }),
      );
      const auth = await opening;
      return Object.fromEntries(await auth.getRequestHeaders(url));
    } catch {
      return {};
    }
  };
}
