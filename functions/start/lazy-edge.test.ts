import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { lazyEdge } from './lazy-edge.ts';

async function serve(load: () => Promise<RequestListener>) {
  const logged: string[] = [];
  const log = { write: (_level: string, event: string) => void logged.push(event) };
  const server = createServer(lazyEdge(log, load));
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const post = async (body: string) => {
    const answer = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body });
    return [answer.status, await answer.text()] as const;
  };
  return { post, logged };
}

const echo: RequestListener = (req, res) => void req.pipe(res);

test('an edge is loaded once, by its first requests, which get their bodies through', async () => {
  let loads = 0;
  const { post } = await serve(async () => {
    loads += 1;
    await new Promise((resolve) => setImmediate(resolve));
    return echo;
  });
  expect(loads).toBe(0);
  const answers = await Promise.all([post('one'), post('two')]);
  expect([...answers, await post('three')]).toEqual([
    [200, 'one'],
    [200, 'two'],
    [200, 'three'],
  ]);
  expect(loads).toBe(1);
});

test('an edge that can not be loaded fails the request, says so, and is tried again', async () => {
  let loads = 0;
  const { logged, post } = await serve(async () => {
    loads += 1;
    if (loads === 1) throw new TypeError('a file is missing');
    return echo;
  });
  expect(await post('one')).toEqual([500, '']);
  expect(logged).toEqual(['edge not loaded']);
  expect(await post('two')).toEqual([200, 'two']);
});

test('a caller who goes while the edge is loaded does not reach it', async () => {
  const [came, gone] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const served: (string | undefined)[] = [];
  const edge = lazyEdge({ write: () => undefined }, async () => {
    await gone.promise;
    return (req, res) => {
      served.push(req.url);
      res.end();
    };
  });
  const server = createServer((req, res) => {
    if (req.url === '/first') res.once('close', gone.resolve);
    edge(req, res);
    came.resolve();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  const leaving = new AbortController();
  const { signal } = leaving;
  const first = fetch(`http://127.0.0.1:${port}/first`, { signal }).catch(() => 'left');
  await came.promise;
  leaving.abort();
  expect(await first).toBe('left');
  await fetch(`http://127.0.0.1:${port}/second`);
  expect(served).toEqual(['/second']);
});
