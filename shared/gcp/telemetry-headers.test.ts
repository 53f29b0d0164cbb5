import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createTelemetryHeaders } from './telemetry-headers.ts';

const URL_OF_GOOGLE = 'https://telemetry.googleapis.com/v1/traces';

/** Google's metadata server, as an instance of a function finds it. */
async function metadataServer(status: number): Promise<readonly string[]> {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(decodeURIComponent(req.url ?? ''));
    const token = { access_token: 'a-token', expires_in: 3_600, token_type: 'Bearer' };
    const headers = { 'content-type': 'application/json', 'metadata-flavor': 'Google' };
    res.writeHead(req.url?.includes('/token') === true ? status : 200, headers);
    res.end(req.url?.includes('/token') === true ? JSON.stringify(token) : '{}');
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  vi.stubEnv('GCE_METADATA_HOST', `127.0.0.1:${port}`);
  vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present');
  vi.stubEnv('GOOGLE_APPLICATION_CREDENTIALS', '');
  vi.stubEnv('HOME', '/nowhere');
  return asked;
}

test("a request carries a token of the instance's account, for spans alone, asked for once", async () => {
  const asked = await metadataServer(200);
  const headers = createTelemetryHeaders(URL_OF_GOOGLE);
  expect(await headers()).toEqual({ authorization: 'Bearer a-token' });
  expect(await headers()).toEqual({ authorization: 'Bearer a-token' });
  const tokens = asked.filter((path) => path.includes('/token'));
  expect(tokens).toHaveLength(1);
  expect(tokens[0]).toContain('scopes=https://www.googleapis.com/auth/trace.append');
});

test('without a token there are no headers, and nothing is thrown', async () => {
  await metadataServer(404);
  expect(await createTelemetryHeaders(URL_OF_GOOGLE)()).toEqual({});
});
