import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { createIdentityTokens } from './identity-token.ts';

const asked: string[] = [];
let answers = true;
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** As Google's metadata server answers for the service account of a function. */
const metadata = createServer((req, res) => {
  res.setHeader('Metadata-Flavor', 'Google');
  const url = new URL(req.url ?? '/', 'http://metadata');
  if (!url.pathname.endsWith('/identity')) return res.end('{}');
  asked.push(url.searchParams.get('audience') ?? '');
  if (!answers) {
    res.statusCode = 404;
    return res.end();
  }
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  return res.end(`${encode({ alg: 'RS256' })}.${encode({ aud: asked.at(-1), exp })}.x`);
});

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    metadata.listen(0, '127.0.0.1', resolve);
  });
});
afterAll(() => {
  metadata.closeAllConnections();
  metadata.close();
});
beforeEach(() => {
  const { port } = metadata.address() as AddressInfo;
  vi.stubEnv('GCE_METADATA_HOST', `127.0.0.1:${port}`);
  vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present');
  vi.stubEnv('HOME', '/nowhere');
  vi.stubEnv('APPDATA', '/nowhere');
  asked.length = 0;
  answers = true;
});
afterEach(() => {
  vi.unstubAllEnvs();
});

function audienceOf(token: string | undefined): unknown {
  const claims: unknown = JSON.parse(
    Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString(),
  );
  return claims;
}

test('a token is made out for its audience, and asked for once as long as it holds', async () => {
  const tokens = createIdentityTokens();
  const first = await tokens('https://one.example');
  expect(audienceOf(first)).toMatchObject({ aud: 'https://one.example' });
  expect(await tokens('https://one.example')).toBe(first);
  expect(audienceOf(await tokens('https://two.example'))).toMatchObject({
    aud: 'https://two.example',
  });
  expect(asked).toEqual(['https://one.example', 'https://two.example']);
});

test('without an account there is none, until there is', async () => {
  const tokens = createIdentityTokens();
  answers = false;
  expect(await tokens('https://one.example')).toBeUndefined();
  answers = true;
  expect(await tokens('https://one.example')).toBeDefined();
});
