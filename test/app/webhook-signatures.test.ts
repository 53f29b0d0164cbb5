import { createHash, generateKeyPairSync } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import { expect, it, onTestFinished } from 'vitest';
import { deliverWebhook } from '../../shared/app/webhooks/deliver-webhook.ts';
import { thumbprintOf } from '../../shared/domain/jws.ts';
import { openFileSigner } from '../../shared/embedded/file-signer.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { HOOK, rowOf, URL, webhookWorld } from './webhook-world.ts';

const baseUrl = 'https://agents.example';

function signer() {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-signer-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const file = join(folder, 'key.pem');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return openFileSigner(file);
}

it('a notification is signed, so that a receiver tells ours from any other by the published key', async () => {
  const key = signer();
  const { webhooks, world } = webhookWorld({ baseUrl });
  const app = { ...world.app, signer: key };
  const { taskId } = await world.send('hi', { webhook: { ...HOOK, id: 'a' } });
  await deliverWebhook(app, { taskId, id: 'a' });
  const [post] = webhooks.posts;
  const jwt = post?.headers['holdfast-signature'] ?? '';
  const jwk = await key.publicKey();
  const keys = createLocalJWKSet({ keys: [{ ...jwk, kty: 'EC', kid: thumbprintOf(jwk) }] });
  const expected = {
    issuer: baseUrl,
    audience: 'https://hooks.example',
    typ: 'notification+jwt',
    currentDate: new Date(world.clock.now()),
  };
  const { payload, protectedHeader } = await jwtVerify(jwt, keys, expected);
  const body = JSON.stringify(post?.body);
  expect(payload).toMatchObject({
    task: taskId,
    event: 1,
    jti: post?.headers['holdfast-event-id'],
    sha256: createHash('sha256').update(body).digest('base64url'),
  });
  expect(protectedHeader).toMatchObject({
    alg: 'ES256',
    jku: `${baseUrl}/.well-known/jwks.json`,
  });
  const later = { ...expected, currentDate: new Date(world.clock.now() + 301_000) };
  await expect(jwtVerify(jwt, keys, later)).rejects.toBeInstanceOf(errors.JWTExpired);
  const other = await signer().publicKey();
  const foreign = createLocalJWKSet({ keys: [{ ...other, kty: 'EC', kid: thumbprintOf(jwk) }] });
  await expect(jwtVerify(jwt, foreign, expected)).rejects.toThrow();
});

it('a deployment that signs nothing sends no signature', async () => {
  const { webhooks, world } = webhookWorld({ baseUrl });
  await world.send('hi', { webhook: HOOK });
  await world.work();
  expect(webhooks.posts[0]?.headers).not.toHaveProperty('holdfast-signature');
  expect(webhooks.posts[0]?.url).toBe(URL);
});

it('a key that is away for a while costs no attempt: nothing was sent', async () => {
  const key = signer();
  const { webhooks, world } = webhookWorld({ baseUrl });
  const away = { ...key, sign: () => Promise.reject(new Unavailable('the signer')) };
  const { taskId } = await world.send('hi', { webhook: { ...HOOK, id: 'a' } });
  const app = { ...world.app, signer: away };
  await expect(deliverWebhook(app, { taskId, id: 'a' })).rejects.toThrow('the signer');
  expect(webhooks.posts).toEqual([]);
  expect((await rowOf(world, taskId, 'a')).webhook).toMatchObject({
    status: 'delivering',
    failures: 0,
  });
});
