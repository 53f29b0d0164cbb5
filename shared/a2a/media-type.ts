import { fail } from './failure.ts';

export const JSON_TYPE = 'application/json';
export const A2A_TYPE = 'application/a2a+json';

interface MediaType {
  readonly type: string;
  readonly charset: string;
}

function mediaType(header: string): MediaType {
  const [type = '', ...parameters] = header.split(';').map((each) => each.trim().toLowerCase());
  const charset = parameters.find((each) => each.startsWith('charset='));
  return { type, charset: charset?.slice('charset='.length).replaceAll('"', '') ?? 'utf-8' };
}

/**
 * Throws for a body that is not JSON in UTF-8 (section 14.1.1), or does not say that it is: a page
 * of another site can send a body without a Content-Type, or with that of a form, and no browser
 * asks first.
 */
export function checkMediaType(header = '', accepted: readonly string[]): void {
  const { type, charset } = mediaType(header);
  if (!accepted.includes(type)) {
    throw fail(
      'MEDIA_TYPE_REFUSED',
      `Content-Type must be ${accepted.join(' or ')}, not ${JSON.stringify(type.slice(0, 100))}.`,
    );
  }
  if (charset !== 'utf-8' && charset !== 'utf8') {
    throw fail('MEDIA_TYPE_REFUSED', 'The charset must be utf-8.');
  }
}

/**
 * A2A 1.0.1 SHOULD answer `application/a2a+json`, 1.0.0 said `application/json`: a client that
 * names the former in Content-Type or Accept gets it, all others get plain JSON, which every client
 * reads.
 */
export function replyType(contentType: string | undefined, accept: string | undefined): string {
  const named = [contentType, ...(accept ?? '').split(',')];
  return named.some((each) => each !== undefined && mediaType(each).type === A2A_TYPE)
    ? A2A_TYPE
    : JSON_TYPE;
}
