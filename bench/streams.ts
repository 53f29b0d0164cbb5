import { type ClientRequest, request } from 'node:http';
import { Client } from './client.ts';
import { median } from './load.ts';
import { kilobytes, number, progress, type Section } from './report.ts';
import { interleaved, start, type SubjectName } from './subject.ts';

interface PerStream {
  readonly rss: number;
  readonly heap: number;
}

/** What it costs to hold streams open on a task that waits for its caller. */
export async function streams(quick: boolean): Promise<Section> {
  const count = 1_000;
  const found = await interleaved(quick ? 1 : 3, async (name) => {
    const cost = await measure(name, count);
    progress(`${count} streams, ${name}: ${kilobytes(cost.rss)} KB each`);
    return cost;
  });
  const row = (name: SubjectName, label: string): readonly string[] => {
    const of = (figure: (cost: PerStream) => number) => median((found.get(name) ?? []).map(figure));
    return [label, kilobytes(of((cost) => cost.rss)), kilobytes(of((cost) => cost.heap))];
  };
  const ours = median((found.get('holdfast') ?? []).map((cost) => cost.rss));
  return {
    title: 'Idle streams',
    about: `SubscribeToTask on a task in INPUT_REQUIRED, ${number(count)} times, each on a connection of its own; the server's memory after a full collection, less what it had before.`,
    table: {
      head: ['server', 'resident KB a stream', 'heap KB a stream'],
      rows: [row('holdfast', 'holdfast'), row('sdk', 'SDK')],
    },
    targets: [
      {
        what: 'at most 50 KB an idle stream',
        met: ours <= 50 * 1_024,
        found: `${kilobytes(ours)} KB`,
      },
    ],
  };
}

async function measure(name: SubjectName, count: number): Promise<PerStream> {
  const server = await start(name);
  const client = new Client(server.url);
  const open: ClientRequest[] = [];
  try {
    const { id } = await client.send('ask');
    // What the first streams make once is not theirs.
    const first = await Promise.all(Array.from({ length: 50 }, () => subscribe(server.url, id)));
    for (const stream of first) stream.destroy();
    await new Promise((resolve) => setTimeout(resolve, 500));
    const before = await server.memory();
    for (let at = 0; at < count; at += 50) {
      const some = Array.from({ length: Math.min(50, count - at) }, () =>
        subscribe(server.url, id),
      );
      open.push(...(await Promise.all(some)));
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
    const after = await server.memory();
    return { rss: (after.rss - before.rss) / count, heap: (after.heap - before.heap) / count };
  } finally {
    for (const stream of open) stream.destroy();
    client.close();
    await server.stop();
  }
}

/** Resolves when the first event has come. */
function subscribe(url: string, id: string): Promise<ClientRequest> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SubscribeToTask', params: { id } });
  const headers = {
    'A2A-Version': '1.0',
    'Content-Type': 'application/json',
    Accept: 'text/event-stream',
    'Content-Length': Buffer.byteLength(body),
  };
  return new Promise((resolve, reject) => {
    const call = request(url, { agent: false, method: 'POST', headers }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => {
        // The event comes in pieces; heartbeats after it are not kept.
        if (text.includes('INPUT_REQUIRED')) return;
        text += chunk.toString('utf8');
        if (text.includes('INPUT_REQUIRED')) resolve(call);
        else if (text.includes('"error"')) reject(new Error(text.slice(0, 200)));
      });
      // Cut at the end of the measure.
      response.once('error', () => undefined);
    });
    call.once('error', reject);
    call.end(body);
  });
}
