import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parentPort } from 'node:worker_threads';

/** What the webhooks of this thread were told so far. */
export interface Counts {
  readonly got: number;
  readonly outOfOrder: number;
  readonly repeated: number;
  /** Webhooks that were told the end of their task. */
  readonly ended: number;
}

/** The last event of each webhook, by path and task. */
const last = new Map<string, number>();
const counts = { got: 0, outOfOrder: 0, repeated: 0, ended: 0 };

const server = createServer((req, res) => {
  let body = '';
  req.setEncoding('utf8');
  req.on('data', (chunk: string) => {
    body += chunk;
  });
  req.on('end', () => {
    const [task = '', seq = '0'] = String(req.headers['holdfast-event-id']).split('/');
    const webhook = `${req.url ?? ''} ${task}`;
    const before = last.get(webhook) ?? Number(seq) - 1;
    counts.got += 1;
    if (Number(seq) <= before) counts.repeated += 1;
    else if (Number(seq) > before + 1) counts.outOfOrder += 1;
    last.set(webhook, Math.max(before, Number(seq)));
    if (body.includes('TASK_STATE_COMPLETED')) counts.ended += 1;
    res.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
});
parentPort?.on('message', () => parentPort?.postMessage(counts));
