import type { ServerResponse } from 'node:http';

/** Aborts when the response has ended or its client is gone. */
export function goneSignal(res: ServerResponse): AbortSignal {
  const gone = new AbortController();
  res.once('close', () => {
    // A reason of ours: without one an exception with its stack is made, for each request.
    gone.abort('the response is over');
  });
  return gone.signal;
}
