import { once } from 'node:events';
import { createServer } from 'node:http';
import { Buckets } from './buckets.ts';
import { type Exchange, exchangeOf } from './exchange.ts';
import { Refusal } from './refusal.ts';
import { ResumableUploads } from './resumable-uploads.ts';
import { route } from './routes.ts';

/**
 * What goes wrong with a call: it is refused before anything happens (503, or 403 as without the
 * right), it is done and the answer is lost, its body breaks off half way, or nothing ever
 * comes back.
 */
export type StorageFault = 'unavailable' | 'denied' | 'lost-answer' | 'broken-off' | 'silence';
export type FaultPlan = (call: Pick<Exchange, 'method' | 'url'>) => StorageFault | undefined;

export interface StorageEmulator {
  /** As `apiEndpoint` of Google's client wants it. */
  readonly url: string;
  readonly buckets: Buckets;
  /** Bytes of resumable uploads that are not at their end yet. */
  readonly pending: () => number;
  /** Asked for each call until another plan is made. */
  plan(faults: FaultPlan | undefined): void;
  close(): Promise<void>;
}

/** Cloud Storage's JSON API in memory, for Google's own client. */
export async function startStorageEmulator(port = 0): Promise<StorageEmulator> {
  const buckets = new Buckets();
  const resumable = new ResumableUploads(buckets);
  let faults: FaultPlan | undefined;

  const server = createServer((request, response) => {
    exchangeOf(request, response).then(
      (exchange) => {
        const fault = faults?.(exchange);
        if (fault === 'silence') return;
        if (fault === 'unavailable' || fault === 'denied') {
          const refusal =
            fault === 'denied'
              ? new Refusal(403, 'forbidden', 'The caller does not have storage.objects access.')
              : new Refusal(503, 'backendError', 'Planned fault');
          return exchange.send(refusal.status, refusal.body);
        }
        const lost: Exchange = { ...exchange, send: () => response.destroy() };
        const halved: Exchange = {
          ...exchange,
          send(status, body, headers) {
            const bytes = Buffer.isBuffer(body) ? body : Buffer.alloc(0);
            response.writeHead(status, { ...headers, 'content-length': String(bytes.length) });
            response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy());
          },
        };
        const faulty = { 'lost-answer': lost, 'broken-off': halved };
        answer(buckets, resumable, fault === undefined ? exchange : faulty[fault]);
      },
      () => response.destroy(),
    );
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    buckets,
    pending: () => resumable.pending,
    plan: (next) => {
      faults = next;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

function answer(buckets: Buckets, resumable: ResumableUploads, exchange: Exchange): void {
  try {
    route(buckets, resumable, exchange);
  } catch (error) {
    const refusal = error instanceof Refusal ? error : new Refusal(400, 'invalid', String(error));
    if (refusal.status === 304) exchange.send(304);
    else exchange.send(refusal.status, refusal.body);
  }
}
