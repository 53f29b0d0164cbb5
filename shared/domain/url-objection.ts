import { invalid, type Refused } from './refusal.ts';

/** Why a URL that a caller, a remote or an author gave is not called (docs/outgoing.md). */
export type UrlObjection =
  | 'bad url'
  | 'not https'
  | 'credentials in url'
  /** Its host, or an address that its name stands for, is no public one. */
  | 'private address';

const RIGHT: Readonly<Record<UrlObjection, string>> = {
  'bad url': 'is no URL of a host; give an absolute https URL of at most 2048 characters',
  'not https':
    'must be an https URL (for use on one machine, --allow-private-webhooks lets it be http)',
  'credentials in url': 'holds a user name or a password; put credentials into authentication',
  'private address':
    'names a host that is not on the public internet (for use on one machine, --allow-private-webhooks lets it be)',
};

/** What a caller is told about a URL in this field. */
export function refusedUrl(field: string, objection: UrlObjection): Refused {
  return invalid(field, RIGHT[objection]);
}
