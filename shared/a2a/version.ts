import type { IncomingMessage } from 'node:http';
import { fail } from './failure.ts';
import { headerOf, queryValue, targetOf } from './http-request.ts';

export type Version = '1.0' | '0.3';

/**
 * The protocol version of a request: `A2A-Version` as a header, or as a query parameter (section
 * 3.6.1) for clients that can't set headers. Absent or empty means 0.3, and patch numbers are not
 * looked at (section 3.6.2).
 */
export function versionOf(req: IncomingMessage, supported: readonly Version[]): Version {
  return checkedVersion(askedVersion(req), supported);
}

/** The version that is asked for. Throws for one that is not supported. */
export function checkedVersion(asked: string, supported: readonly Version[]): Version {
  const version = supportedVersion(asked, supported);
  if (version !== undefined) return version;
  throw fail(
    'VERSION_NOT_SUPPORTED',
    `A2A-Version ${JSON.stringify(asked.slice(0, 40))} is not supported here (absent means 0.3). Supported: ${supported.join(', ')}.`,
    { metadata: { supportedVersions: supported.join(',') } },
  );
}

/**
 * Whether the request will be served as v0.3; for what must be known before `versionOf` may refuse
 * it.
 */
export function isLegacy(req: IncomingMessage, supported: readonly Version[]): boolean {
  return supportedVersion(askedVersion(req), supported) === '0.3';
}

export function askedVersion(req: IncomingMessage): string {
  return (
    headerOf(req, 'a2a-version') ||
    queryValue(targetOf(req).query, 'a2a-version') ||
    '0.3'
  ).trim();
}

function supportedVersion(asked: string, supported: readonly Version[]): Version | undefined {
  const [, minor] = /^(\d+\.\d+)(?:\.\d+)*$/.exec(asked) ?? [];
  return supported.find((each) => each === minor);
}
