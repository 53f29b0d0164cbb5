import type { ServerResponse } from 'node:http';

/**
 * Aborts when the response has ended or its client is gone, or by its holder. `then` is for what
 * the request held.
 */
export function goneController(res: ServerResponse, then?: () => void): AbortController {
  const gone = new AbortController();
  // It comes once. To wait for that with `once` takes three times the memory of a stream that is
  // open for long.
  res.on('close', () => {
    then?.();
    // A reason of ours: without one an exception with its stack is made, for each request.
    gone.abort('the response is over');
  });
  return gone;
}
