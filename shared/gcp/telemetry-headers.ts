import type { GoogleAuth } from 'google-auth-library';

/** Enough to hand spans in, and for nothing else (https://cloud.google.com/stackdriver/docs/reference/telemetry/v1.traces.post). */
const SCOPE = 'https://www.googleapis.com/auth/trace.append';

/**
 * What Google's OTLP endpoint asks of a request: a token of the function's own account and the project that pays. Without a
 * token there are no headers; the endpoint refuses then, and the spans are dropped.
 */
export function telemetryHeaders(
  project: string | undefined,
): () => Promise<Record<string, string>> {
  let opening: Promise<GoogleAuth> | undefined;
  return async () => {
    try {
      opening ??= import('google-auth-library').then(
        (library) => new library.GoogleAuth({ scopes: [SCOPE] }),
      );
      const token = await (await opening).getAccessToken();
      if (!token) return {};
      return {
        authorization: `Bearer ${token}`,
        ...(project !== undefined && { 'x-goog-user-project': project }),
      };
    } catch {
      return {};
    }
  };
}
