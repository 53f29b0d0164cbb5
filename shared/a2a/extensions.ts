import type { CardFields } from '../agent/card-fields.ts';
import { withoutDraft } from './draft.ts';
import { fail } from './failure.ts';
import type { RequestContext } from './request-context.ts';

/**
 * Refuses a caller that does not know a required extension (section 3.3.4), and echoes those in
 * effect (section 4.6), which it returns.
 */
export function activateExtensions(asked: RequestContext, card: CardFields): readonly string[] {
  const requested = requestedExtensions(asked);
  const { extensions: declared = [] } = asked.version === '0.3' ? withoutDraft(card) : card;
  const missing = declared.filter(
    ({ uri, required }) => required === true && !requested.includes(uri),
  );
  if (missing.length > 0) {
    const uris = missing.map(({ uri }) => uri).join(', ');
    throw fail('EXTENSION_REQUIRED', `Name these extensions in A2A-Extensions: ${uris}.`, {
      metadata: { extensions: uris },
    });
  }
  const active = declared.map(({ uri }) => uri).filter((uri) => requested.includes(uri));
  if (active.length === 0) return active;
  asked.echo(asked.version === '0.3' ? 'X-A2A-Extensions' : 'A2A-Extensions', active.join(', '));
  return active;
}

/**
 * v0.3's name of the header begins with an X. Clients of either version are understood by both: the
 * pages of extensions name the old one.
 */
function requestedExtensions(asked: RequestContext): readonly string[] {
  const headers = ['a2a-extensions', 'x-a2a-extensions'].map((name) => asked.header(name) ?? '');
  return headers
    .join(',')
    .split(',')
    .map((uri) => uri.trim())
    .filter((uri) => uri !== '');
}
