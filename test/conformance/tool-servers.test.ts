import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { ToolServer } from '../../shared/domain/tool-server.ts';
import { createToolServers, type ToolServersOptions } from '../../shared/mcp/tool-servers.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { ShopOverHttp } from '../fixtures/tool-servers/shop-over-http.ts';
import { LIMITS, toolServersSuite } from './tool-servers.suite.ts';

const COMMAND = [
  process.execPath,
  join(import.meta.dirname, '../fixtures/tool-servers/shop-command.ts'),
];

const serversOf = (over: Partial<ToolServersOptions> = {}) =>
  createToolServers({
    secrets: (name) => `the ${name}`,
    allowPrivate: ['127.0.0.1'],
    environment: { PATH: process.env['PATH'], HOLDFAST_SECRET: 'hidden' },
    clock: systemClock,
    log: { write: () => undefined },
    ...over,
  });
const at = (url: string, over: Partial<ToolServer> = {}): ToolServer => ({
  name: 'shop',
  at: {
    kind: 'url',
    url,
    headers: { 'x-tenant': 'acme' },
    credential: { scheme: 'Bearer', secret: 'token' },
  },
  ...LIMITS,
  ...over,
});
const child = (...more: readonly string[]): ToolServer => ({
  name: 'shop',
  at: { kind: 'command', command: [...COMMAND, ...more], env: { TOKEN: { secret: 'token' } } },
  ...LIMITS,
});

for (const kind of ['stateless', 'sessions'] as const)
  toolServersSuite(`by url (${kind})`, async () => {
    const shop = new ShopOverHttp(kind);
    const server = at(await shop.start());
    const servers = serversOf();
    return {
      servers,
      server,
      async close() {
        await servers.close();
        await shop.stop();
      },
    };
  });

toolServersSuite('by command', async () => {
  const servers = serversOf();
  return { servers, server: child(), close: () => servers.close() };
});

test('each request by url carries the declared header and the credential', async () => {
  const shop = new ShopOverHttp('sessions');
  const servers = serversOf();
  await servers.list(at(await shop.start()));
  expect(shop.requests.length).toBeGreaterThan(1);
  for (const headers of shop.requests)
    expect(headers).toMatchObject({ 'x-tenant': 'acme', authorization: 'Bearer the token' });
  await servers.close();
  await shop.stop();
});
