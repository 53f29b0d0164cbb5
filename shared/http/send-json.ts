import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '../ports/clock.ts';

/**
 * An answer over this size goes out in chunks: platforms bound answers that announce their length.
 */
const CHUNKED = 1024 * 1024;
/** So much, and for so long, a client may go on sending a body that is not read. */
const LINGER_BYTES = 4 * 1024 * 1024;
const LINGER = 1_000;

/** Sends JSON text as the whole answer; status and headers are set. */
export function sendJson(res: ServerResponse, text: string): void {
  if (text.length > CHUNKED) {
    res.write(text);
    res.end();
    return;
  }
  const bytes = Buffer.byteLength(text);
  res.setHeader('Content-Length', bytes);
  // As many bytes as characters: all of it is ASCII, which is copied as it is. For UTF-8 Node takes
  // three bytes a character beforehand, which for a page of tasks costs more than the copy.
  res.end(text, bytes === text.length ? 'latin1' : 'utf8');
}

/**
 * Sends JSON text and ends the connection, whose client may still be sending. It gets the whole
 * answer at once and a moment to read it: closed at once, its own next packet would be answered by
 * a reset that takes the answer with it (RFC 9112 section 9.6).
 */
export function sendJsonAndClose(
  req: IncomingMessage,
  res: ServerResponse,
  text: string,
  clock: Clock,
): void {
  res.setHeader('Connection', 'close');
  if (req.complete) {
    sendJson(res, text);
    return;
  }
  res.setHeader('Content-Length', Buffer.byteLength(text));
  res.write(text);
  let discarded = 0;
  const end = (): void => {
    cancel();
    req.off('data', count);
    if (!res.writableEnded) res.end();
  };
  const count = (chunk: Uint8Array): void => {
    discarded += chunk.length;
    if (discarded > LINGER_BYTES) end();
  };
  const cancel = clock.after(LINGER, end);
  req.on('data', count);
  req.once('end', end);
  res.once('close', end);
  req.resume();
}
