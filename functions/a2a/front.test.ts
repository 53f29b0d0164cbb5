import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';

const cli = fileURLToPath(
  new URL(
    '../../node_modules/@google-cloud/functions-framework/build/src/main.js',
    import.meta.url,
  ),
);
const entry = fileURLToPath(new URL('../../test/edge/function/entry.ts', import.meta.url));

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

let child: ChildProcess;
let url = '';

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}`;
  child = spawn(process.execPath, [cli, '--target=a2a', `--source=${entry}`, `--port=${port}`], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_ENV: 'test', NODE_OPTIONS: '' },
  });
  for await (const text of child.stdout ?? []) if (String(text).includes('Serving function')) break;
});

afterAll(() => {
  child.kill('SIGKILL');
});

const message = (text: string) => ({
  message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text }] },
});

function post(path: string, body: string, type = 'application/json'): Promise<Response> {
  const headers = { 'Content-Type': type, 'A2A-Version': '1.0' };
  return fetch(`${url}${path}`, { method: 'POST', headers, body });
}

test('malformed JSON is answered with -32700, not with a page', async () => {
  const response = await post('/', '{"jsonrpc":');
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
  expect(await response.json()).toMatchObject({ id: null, error: { code: -32700 } });
});

test('a body of application/a2a+json is read, and answered in kind', async () => {
  const response = await post(
    '/message:send',
    JSON.stringify(message('hello')),
    'application/a2a+json',
  );
  expect(response.headers.get('content-type')).toBe('application/a2a+json; charset=utf-8');
  expect(await response.json()).toMatchObject({
    task: { status: { state: 'TASK_STATE_COMPLETED' } },
  });
});

test('a connection is kept for longer than the front end before it keeps one', async () => {
  const response = await post('/message:send', JSON.stringify(message('hello')));
  expect(response.headers.get('keep-alive')).toBe('timeout=620');
});

test('a body over the configured limit is answered 413 in JSON', async () => {
  const response = await post('/message:send', JSON.stringify(message('x'.repeat(200_000))));
  expect(response.status).toBe(413);
  expect(await response.json()).toMatchObject({ error: { code: 413, status: 'INVALID_ARGUMENT' } });
});

test('SIGTERM ends an open stream with a planned close, and the process with success', async () => {
  const response = await post('/message:stream', JSON.stringify(message('hold')));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  const first = await reader?.read();
  expect(first?.value).toContain('id: 1\n');
  child.kill('SIGTERM');
  const exited = once(child, 'exit');
  let rest = '';
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    rest += part.value;
  }
  expect(rest).toContain(': closing, resume with Last-Event-ID\n\n');
  expect(await exited).toEqual([0, null]);
});
