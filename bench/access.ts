import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { SignJWT } from 'jose';
import { checkTask, Client } from './client.ts';
import { load, medianRate, type Rate } from './load.ts';
import { number, progress, type Section, short } from './report.ts';
import { launch, type Running } from './subject.ts';

const AUDIENCE = 'bench';

/** What a server is told of its callers, and what one of them shows. */
interface Way {
  readonly title: string;
  readonly args: readonly string[];
  readonly headersFor: (server: Running) => Promise<Readonly<Record<string, string>>>;
}

/** Requests of callers who are checked, beside the same of callers who are not. */
export async function access(quick: boolean): Promise<Section> {
  const issuer = await openIssuer();
  const issuers = JSON.stringify([{ issuer: issuer.url, audience: AUDIENCE }]);
  const ways: readonly Way[] = [
    { title: 'open', args: [], headersFor: () => Promise.resolve({}) },
    { title: 'API key', args: ['--access', 'keys'], headersFor: keyOf },
    {
      title: 'token, RS256',
      args: ['--access', 'oidc', '--issuers', issuers],
      headersFor: async () => ({ Authorization: `Bearer ${await issuer.sign()}` }),
    },
  ];
  const calls = quick ? 2_000 : 10_000;
  const found = new Map<string, Rate[]>(ways.map(({ title }) => [title, []]));
  try {
    for (let round = 1; round <= (quick ? 2 : 3); round += 1) {
      for (const way of ways) {
        const rate = await measure(way, calls);
        found.get(way.title)?.push(rate);
        progress(`${way.title}, round ${round}: ${short(rate.perSecond)} requests/s`);
      }
    }
  } finally {
    issuer.close();
  }
  const open = medianRate(found.get('open') ?? []);
  const rows = ways.map(({ title }) => {
    const rate = medianRate(found.get(title) ?? []);
    const { cpu, p50, p99, perSecond } = rate;
    return [
      title,
      number(perSecond),
      short(p50),
      short(p99),
      short(cpu),
      short(perSecond / open.perSecond),
    ];
  });
  return {
    title: 'Callers who prove who they are',
    about:
      'GetTask of one small finished task over JSON-RPC on 8 keep-alive connections; median of the rounds, each with a new process. Each request is checked anew; the key is looked up in the store every ten seconds.',
    table: {
      head: ['a caller shows', 'requests/s', 'p50 ms', 'p99 ms', 'processor ms', 'of open'],
      rows,
    },
    targets: [],
  };
}

async function measure({ args, headersFor }: Way, calls: number): Promise<Rate> {
  const server = await launch('access', (folder) => [
    'functions/cli/main.ts',
    'start',
    '--port=0',
    `--data=${join(folder, 'data')}`,
    '--agents=test/fixtures/agents/scripted.ts',
    ...args,
  ]);
  const client = new Client(server.url, undefined, await headersFor(server));
  try {
    const made = await client.send('chunks=1');
    checkTask(made, { chunks: 1 });
    const get = () => client.call('GetTask', { id: made.id });
    if (!(await get()).includes('"result"')) throw new Error('the caller is not let in');
    await load(server.pid, calls / 4, get);
    return await load(server.pid, calls, get);
  } finally {
    await server.stop();
  }
}

/** A key, made as an operator makes it. */
async function keyOf({ folder }: Running): Promise<Readonly<Record<string, string>>> {
  const inData = (name: string) => readFileSync(join(folder, 'data', name), 'utf8');
  const { local } = JSON.parse(inData('operators.json')) as { local: { token: string } };
  const response = await fetch(`${inData('operator-url').trim()}/keys`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${local.token}` },
    body: JSON.stringify({ owner: 'bench' }),
  });
  const { text } = (await response.json()) as { text: string };
  return { 'X-API-Key': text };
}

async function openIssuer() {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: 'k', alg: 'RS256', use: 'sig' }];
  const server = createServer((req, res) => {
    const asked = req.url?.endsWith('openid-configuration') === true;
    res.setHeader('Content-Type', 'application/json');
    res.end(JSON.stringify(asked ? { issuer: url(), jwks_uri: `${url()}/keys` } : { keys }));
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: url(),
    sign: () =>
      new SignJWT({ sub: 'bench' })
        .setProtectedHeader({ alg: 'RS256', kid: 'k' })
        .setIssuer(url())
        .setAudience(AUDIENCE)
        .setIssuedAt()
        .setExpirationTime('1h')
        .sign(privateKey),
    close: () => {
      server.close();
    },
  };
}
