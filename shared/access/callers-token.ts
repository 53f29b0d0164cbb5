import type { CallerHeaders } from '../ports/access.ts';

/**
 * Who has checked the signature of a caller's token. Behind IAM, Cloud Run does, and hands the
 * token on without it (https://cloud.google.com/run/docs/troubleshooting#signature-removed). The
 * code can't see whether it stands there, so the deployment says it
 * (docs/decisions/0018-the-header-that-was-checked.md).
 */
export type Signature = 'ours' | 'platform';

/**
 * The token that says who calls. Where X-Serverless-Authorization is present, Cloud Run checks that
 * header alone and hands Authorization on as the client wrote it
 * (https://cloud.google.com/run/docs/authenticating/service-to-service): the other one may then
 * hold any claims. Undefined without a bearer token, and for a header that came twice.
 */
export function callersToken(headers: CallerHeaders, signature: Signature): string | undefined {
  const platforms = signature === 'platform' ? headers['x-serverless-authorization'] : undefined;
  const [value, ...more] = platforms ?? headers['authorization'] ?? [];
  if (value === undefined || more.length > 0) return undefined;
  return /^Bearer +([A-Za-z0-9._-]+)$/i.exec(value)?.[1];
}
