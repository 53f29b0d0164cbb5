import type { ServerResponse } from 'node:http';

/** Aborts when the response has ended or its client is gone, or by its holder. */
export function goneController(res: ServerResponse): AbortController {
  const gone = new AbortController();
  res.once('close', () => {
    // A reason of ours: without one an exception with its stack is made, for each request.
    gone.abort('the response is over');
  });
  return gone;
}
