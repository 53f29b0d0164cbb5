import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from 'node:http';
import { type HttpFailure } from './refused-request.ts';

/** Responses whose client waits for a word before it sends its body. */
const waiting = new WeakSet<ServerResponse>();

/** A server of which every request reaches the listener, also those that expect something first. */
export function httpServer(
  listener: RequestListener,
  create: typeof createServer = createServer,
): Server {
  const server = create(listener);
  server.on('checkContinue', (req, res) => {
    waiting.add(res);
    listener(req, res);
  });
  // Node answers an expectation that it does not know itself, with nothing but a status.
  server.on('checkExpectation', listener);
  return server;
}

/**
 * What is wrong with what a request expects. The one expectation that there is asks whether its
 * body is wanted.
 */
export function failureOfExpectation({ headers }: IncomingMessage): HttpFailure | undefined {
  const { expect } = headers;
  if (expect === undefined || expect.toLowerCase() === '100-continue') return undefined;
  const message = 'Only 100-continue may be expected.';
  return { code: 'EXPECTATION_FAILED', message, close: true };
}

/**
 * Asks for the body (RFC 9110 section 10.1.1), where its client waits for that. What is refused
 * unread is never sent.
 */
export function sendContinue(res: ServerResponse): void {
  if (waiting.delete(res)) res.writeContinue();
}
