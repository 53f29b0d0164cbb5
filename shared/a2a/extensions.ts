import type { CardFields } from '../agent/card-fields.ts';
import type { Exchange } from './exchange.ts';
import { fail } from './failure.ts';
import { headerOf } from './http-request.ts';

/**
 * Refuses a caller that does not know a required extension (section 3.3.4), and echoes those in
 * effect (section 4.6), which it returns.
 */
export function activateExtensions(exchange: Exchange, card: CardFields): readonly string[] {
  const requested = requestedExtensions(exchange);
  const declared = card.extensions ?? [];
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
  if (active.length === 0 || exchange.res.headersSent) return active;
  const header = exchange.version === '0.3' ? 'X-A2A-Extensions' : 'A2A-Extensions';
  exchange.res.setHeader(header, active.join(', '));
  return active;
}

/**
 * v0.3's name of the header begins with an X, but its clients are understood by the other one, too.
 */
function requestedExtensions({ req, version }: Exchange): readonly string[] {
  const old = version === '0.3' ? headerOf(req, 'x-a2a-extensions') : undefined;
  const named = (old ?? headerOf(req, 'a2a-extensions') ?? '').split(',').map((uri) => uri.trim());
  return named.filter((uri) => uri !== '');
}
