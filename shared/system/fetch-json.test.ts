import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { fetchJson } from './fetch-json.ts';

async function served(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/keys`;
}

test('a document is read as JSON', async () => {
  const url = await served((_, res) => res.end('{"keys":[]}'));
  expect(await fetchJson(url)).toEqual({ keys: [] });
});

test.each<[string, RequestListener]>([
  ['an error', (_, res) => res.writeHead(500).end('{}')],
  ['nothing', (_, res) => res.writeHead(204).end()],
  ['a page', (_, res) => res.end('<html>')],
  ['a redirect', (_, res) => res.writeHead(302, { location: 'http://127.0.0.1:1/' }).end()],
  ['more than it may', (_, res) => res.end(`"${'x'.repeat(300_000)}"`)],
  ['half of it', (_, res) => void res.write('{"keys":', () => res.destroy())],
])('%s is no document', async (_, answer) => {
  await expect(fetchJson(await served(answer))).rejects.toThrow();
});

test('no more than its bound is read of an answer without an end', async () => {
  const url = await served((_, res) => {
    const more = (): void => {
      while (!res.destroyed && res.write('x'.repeat(65_536)));
    };
    res.on('drain', more);
    more();
  });
  await expect(fetchJson(url)).rejects.toThrow(/more than 262144 bytes/);
});
