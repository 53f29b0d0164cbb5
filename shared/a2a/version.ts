import type { Request } from 'express';
import { fail } from './failure.ts';
import { queryValue } from './query.ts';

export type Version = '1.0' | '0.3';

/**
 * The protocol version of a request: `A2A-Version` as a header, or as a query parameter (section 3.6.1) for clients that
 * can't set headers. Absent or empty means 0.3, and patch numbers are not looked at (section 3.6.2).
 */
export function versionOf(req: Request, supported: readonly Version[]): Version {
  const asked = (req.get('a2a-version') || queryValue(req, 'a2a-version') || '0.3').trim();
  const [, minor] = /^(\d+\.\d+)(?:\.\d+)*$/.exec(asked) ?? [];
  const version = supported.find((each) => each === minor);
  if (version !== undefined) return version;
  throw fail(
    'VERSION_NOT_SUPPORTED',
    `A2A-Version ${JSON.stringify(asked.slice(0, 40))} is not supported here (absent means 0.3). Supported: ${supported.join(', ')}.`,
    { metadata: { supportedVersions: supported.join(',') } },
  );
}
