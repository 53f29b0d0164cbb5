import { afterEach, expect, it } from 'vitest';
import { Unavailable } from '../../shared/ports/faults.ts';
import { type EdgeServer, edgeServer } from './edge-server.ts';

const token = 'a-token-of-some-length';
const open: EdgeServer[] = [];
afterEach(async () => {
  for (const server of open.splice(0)) await server.close();
});

async function served(onPush?: (token: string) => Promise<void>): Promise<EdgeServer> {
  const server = await edgeServer(onPush === undefined ? {} : { onPush });
  open.push(server);
  return server;
}

const push = (server: EdgeServer, headers: Record<string, string>, body = '{}') =>
  fetch(`${server.url}/pushes`, { method: 'POST', headers, body });

const answer = async (response: Response) => ({
  status: response.status,
  text: await response.text(),
  type: response.headers.get('content-type'),
});

it('a push is answered the same whatever its token, its body and the state of the store', async () => {
  const taken: string[] = [];
  const server = await served(async (given) => {
    taken.push(given);
    if (taken.length > 1) throw new Unavailable('the store');
  });
  const same = { status: 204, text: '', type: null };
  expect(await answer(await push(server, { 'x-a2a-notification-token': token }))).toEqual(same);
  expect(await answer(await push(server, { 'x-a2a-notification-token': `${token}2` }))).toEqual(
    same,
  );
  expect(await answer(await push(server, {}))).toEqual(same);
  expect(await answer(await push(server, { 'x-a2a-notification-token': 'short' }))).toEqual(same);
  const malformed = { 'x-a2a-notification-token': '../runs', 'content-type': 'application/json' };
  expect(await answer(await push(server, malformed, '{"not json'))).toEqual(same);
  expect(taken).toEqual([token, `${token}2`]);
  const lines = server.log.map(({ event, fields }) => [event, fields?.['operation']]);
  expect(lines).toContainEqual(['a2a.request', 'Push']);
  expect(JSON.stringify(server.log)).not.toContain(token);
});

it('a body that is too large for a push is not read to its end', async () => {
  const server = await served(() => Promise.resolve());
  let pulled = 0;
  const endless = new ReadableStream({
    pull(controller) {
      pulled += 1;
      if (pulled > 10_000) controller.close();
      else controller.enqueue(new Uint8Array(64 * 1024));
    },
  });
  const request = { method: 'POST', body: endless, duplex: 'half' } as const;
  await fetch(`${server.url}/pushes`, request).then(
    (response) => expect(response.status).toBe(204),
    // It may find the connection closed before it has read the answer.
    () => undefined,
  );
  expect(server.responses[0]?.statusCode).toBe(204);
  expect(pulled).toBeLessThan(1_000);
});

it('only POST is taken, and an edge that expects no pushes has nothing there', async () => {
  const server = await served(() => Promise.resolve());
  const read = await fetch(`${server.url}/pushes`);
  expect([read.status, read.headers.get('allow')]).toEqual([405, 'POST']);
  const none = await push(await served(), { 'x-a2a-notification-token': token });
  expect(none.status).toBeGreaterThanOrEqual(400);
});
