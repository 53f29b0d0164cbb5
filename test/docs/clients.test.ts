import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SendMessageRequest } from '@a2a-js/sdk';
import { calculateJwkThumbprint, exportJWK, SignJWT } from 'jose';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { type Binding, connect, told } from '../../examples/clients/call.ts';
import { webhook } from '../../examples/clients/webhook.ts';
import { eventually } from '../e2e/eventually.ts';
import { asOperator } from '../e2e/operating.ts';
import { type Server, useFleet } from '../e2e/server.ts';
import { freePort } from './readme.ts';

const fleet = useFleet();
let server: Server;
let url = '';
let key = '';
const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

beforeAll(async () => {
  const [port, grpc] = [await freePort(), await freePort()];
  url = `http://127.0.0.1:${port}`;
  const pem = join(await fleet.folder(), 'card-key.pem');
  await writeFile(pem, privateKey.export({ format: 'pem', type: 'pkcs8' }), { mode: 0o600 });
  server = await fleet.start({
    store: 'embedded',
    settings: { agentSilence: 2_000, pushBackoff: 50 },
    args: ['--agents', 'examples/clients/index.ts', '--port', `${port}`, '--base-url', url].concat(
      ['--access', 'keys', '--card-signers', pem, '--allow-private-webhooks'],
      ['--grpc-port', `${grpc}`, '--grpc-url', `127.0.0.1:${grpc}`],
    ),
  });
  const { body } = await (await asOperator(server)).post('/keys', { owner: 'ada' });
  key = z.object({ text: z.string() }).parse(body).text;
});

const TRIAL = { pattern: '[aeiou]', text: 'lamp' };

test.each<Binding>(['JSONRPC', 'HTTP+JSON', 'GRPC'])(
  'the client calls over %s with its key, and without one is refused',
  async (binding) => {
    const lines: string[] = [];
    for await (const line of told(await connect(url, key, binding), TRIAL)) lines.push(line);
    expect(lines).toEqual([
      expect.stringMatching(/^task [0-9a-f-]{36}$/),
      'TASK_STATE_WORKING',
      'artifact matches: ["a"]',
      'TASK_STATE_COMPLETED 1 found.',
    ]);
    const stranger = await connect(url, 'hfk_none', binding);
    await expect(told(stranger, TRIAL).next()).rejects.toThrow(
      'The API key is not one that is valid here.',
    );
  },
);

test('the webhook takes what was signed for it, in order, each event once', async () => {
  const origin = `http://127.0.0.1:${await freePort()}`;
  const events: object[] = [];
  let failures = 1;
  const take = (event: object) => {
    failures -= 1;
    if (failures === 0) throw new Error('the disk is full');
    events.push(event);
  };
  const hook = webhook({ issuer: url, token: 'my-token', origin, take });
  hook.listen(Number(new URL(origin).port), '127.0.0.1');
  onTestFinished(() => void hook.close());
  await once(hook, 'listening');

  const client = await connect(url, key, 'HTTP+JSON');
  const message = { messageId: 'hook-1', role: 'ROLE_USER', parts: [{ data: TRIAL }] };
  const taskPushNotificationConfig = { url: `${origin}/a2a`, token: 'my-token' };
  const configuration = { taskPushNotificationConfig };
  await client.sendMessage(SendMessageRequest.fromJSON({ message, configuration }));
  await eventually(
    () => events.length,
    (count) => count === 4,
  );
  const kinds = ['task', 'statusUpdate', 'artifactUpdate', 'statusUpdate'];
  expect(events.map((event) => Object.keys(event)[0])).toEqual(kinds);

  const body = '{"statusUpdate":{}}';
  const posted = async (
    jti: string,
    over: { body?: string; audience?: string; token?: string },
  ) => {
    const sha256 = createHash('sha256').update(body).digest('base64url');
    const kid = await calculateJwkThumbprint(await exportJWK(publicKey));
    const signature = await new SignJWT({ sha256, jti, iss: url, aud: over.audience ?? origin })
      .setProtectedHeader({ alg: 'ES256', kid, typ: 'notification+jwt' })
      .setExpirationTime('5 min')
      .sign(privateKey);
    const token = over.token ?? 'my-token';
    const headers = { 'x-a2a-notification-token': token, 'holdfast-signature': signature };
    return (await fetch(origin, { method: 'POST', headers, body: over.body ?? body })).status;
  };
  expect(await posted('t/9', { body: '{"statusUpdate":{"taskId":"other"}}' })).toBe(401);
  expect(await posted('t/9', { audience: 'https://other.example' })).toBe(401);
  expect(await posted('t/9', { token: 'guessed' })).toBe(401);
  expect(events).toHaveLength(4);
  expect([await posted('t/9', {}), await posted('t/9', {})]).toEqual([204, 204]);
  expect(events).toHaveLength(5);
});

test('a pattern without an end ends its own run of the pattern-tester, and the next one is tried as ever', async () => {
  const client = await connect(url, key, 'JSONRPC');
  const endless = { pattern: '(a+)+$', text: `${'a'.repeat(40)}!` };
  const lines: string[] = [];
  for await (const line of told(client, endless)) lines.push(line);
  expect(lines.at(-1)).toBe('TASK_STATE_FAILED The agent failed.');
  let last = '';
  for await (const line of told(client, TRIAL)) last = line;
  expect(last).toBe('TASK_STATE_COMPLETED 1 found.');
});
