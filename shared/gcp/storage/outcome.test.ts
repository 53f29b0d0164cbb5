import { once } from 'node:events';
import { createServer } from 'node:http';
import { GoogleAuth } from 'google-auth-library';
import { expect, onTestFinished, test, vi } from 'vitest';
import { faultOf } from './outcome.ts';
import { unlessGone } from './present-object.ts';

/** What Google's library throws when the metadata server answers with that status. */
async function tokenRefusal(status: number): Promise<unknown> {
  const server = createServer((_, response) =>
    response.writeHead(status, { 'metadata-flavor': 'Google' }).end('no'),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    vi.unstubAllEnvs();
    server.close();
    server.closeAllConnections();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  vi.stubEnv('GCE_METADATA_HOST', `127.0.0.1:${address.port}`);
  vi.stubEnv('METADATA_SERVER_DETECTION', 'assume-present');
  const token = new GoogleAuth({ scopes: ['https://www.googleapis.com/auth/cloud-platform'] })
    .getAccessToken()
    .then(
      () => 'a token',
      (error: unknown) => error,
    );
  return token;
}

test.each([403, 404])(
  'a %i of the server that gives tokens says nothing of an object: it is waited for',
  async (status) => {
    const error = await tokenRefusal(status);
    expect(error).toMatchObject({ code: status });
    await expect(unlessGone(() => Promise.reject(error))).rejects.toBe(error);
    expect(faultOf(error)).toMatchObject({ name: 'ObjectsRefused', advice: 'wait' });
  },
);
