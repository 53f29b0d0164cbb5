import { FORMATS } from '../../domain/format.ts';
import { invalid, type Refused, refused } from '../../domain/refusal.ts';
import { refusedUrl } from '../../domain/url-objection.ts';
import type { App } from '../app.ts';
import type { WebhookConfig } from '../service.ts';

const ID = /^[A-Za-z0-9._~:@=+-]{1,128}$/;
/** A token of RFC 9110, section 5.6.2: what a scheme is made of (section 11.1). */
const SCHEME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,64}$/;
/** What a header can carry in one line, and no character that ends it. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const SECRET_LENGTH = 8_192;

/**
 * What can be said against a webhook before anything is stored: each limit that docs/push.md lists.
 * `at` is where it stands in the request. No name is looked up: where it leads is checked at each
 * attempt.
 */
export async function objectionTo(
  app: App,
  webhook: WebhookConfig,
  at = '',
): Promise<Refused | undefined> {
  if (app.format !== undefined && !(await app.format.allows(FORMATS.webhooks))) {
    return refused('PUSH_NOT_SUPPORTED', 'This agent does not send push notifications yet.');
  }
  const wrong = wrongField(webhook);
  if (wrong !== undefined) return invalid(`${at}${wrong.field}`, wrong.message);
  const objection = app.outgoing.objectionTo(webhook.url);
  return objection && refusedUrl(`${at}url`, objection);
}

interface Wrong {
  readonly field: string;
  readonly message: string;
}

function wrongField({ authentication, id, token }: WebhookConfig): Wrong | undefined {
  if (id !== undefined && !ID.test(id)) {
    return { field: 'id', message: 'must be 1 to 128 characters of A-Z a-z 0-9 . _ ~ : @ = + -' };
  }
  if (token !== undefined && !isSecret(token)) return { field: 'token', message: SECRET_RULE };
  if (authentication === undefined) return undefined;
  const { credentials, scheme } = authentication;
  if (!SCHEME.test(scheme)) {
    return { field: 'authentication.scheme', message: 'must be the name of an HTTP scheme' };
  }
  if (credentials !== undefined && !isSecret(credentials)) {
    return { field: 'authentication.credentials', message: SECRET_RULE };
  }
  return undefined;
}

const SECRET_RULE = `must be 1 to ${SECRET_LENGTH} printable ASCII characters, as a header carries them`;

const isSecret = (text: string): boolean => text.length <= SECRET_LENGTH && HEADER_VALUE.test(text);
