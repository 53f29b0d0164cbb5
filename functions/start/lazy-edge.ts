import type { RequestListener } from 'node:http';
import { faultName } from '../../shared/app/wake-up.ts';
import type { Log } from '../../shared/ports/log.ts';

/**
 * An edge that is loaded with its first request: most starts never meet one, and each would wait
 * for its modules. If they can't be loaded, the request fails, and the next one tries again.
 */
export function lazyEdge(log: Log, load: () => Promise<RequestListener>): RequestListener {
  let loading: Promise<RequestListener> | undefined;
  return (req, res) => {
    loading ??= load();
    loading.then(
      (edge) => {
        // A caller that has gone meanwhile would never be seen to go.
        if (!res.closed) edge(req, res);
      },
      (error: unknown) => {
        loading = undefined;
        log.write('error', 'edge not loaded', { fault: faultName(error) });
        res.writeHead(500, { Connection: 'close' }).end();
      },
    );
  };
}
