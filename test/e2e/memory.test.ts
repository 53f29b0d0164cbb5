import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { eventually } from './eventually.ts';
import { Server } from './server.ts';

const MiB = 1024 * 1024;
/** Of an instance. V8 gets half of it, as Node gives it in a container. */
const MEMORY = 512 * MiB;
const BODY = 9_700_000;
const AT_ONCE = 30;

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function smallServer(): Promise<Server> {
  const data = await mkdtemp(join(tmpdir(), 'holdfast-memory-'));
  const server = new Server(data, {
    store: 'embedded',
    args: ['--agents', 'test/fixtures/agents/idle.ts'],
    settings: { memory: MEMORY },
    env: { NODE_OPTIONS: '--max-old-space-size=256' },
  });
  closing.push(async () => {
    await server.close();
    await rm(data, { recursive: true });
  });
  return server.start();
}

interface Answered {
  readonly status: number;
  readonly retryAfter: string | undefined;
}

const BODIES: Readonly<Record<string, string>> = {
  'a file': JSON.stringify({ raw: Buffer.alloc((BODY / 4) * 3, 7).toString('base64') }),
  'a text of two bytes a letter': JSON.stringify({ text: 'é'.repeat(BODY / 2) }),
  'millions of values': JSON.stringify({ data: Array.from({ length: BODY / 3 }, () => []) }),
};

async function send(server: Server, part: string, id: number): Promise<Answered> {
  const body = Buffer.from(
    `{"message":{"messageId":"m-${id}","role":"ROLE_USER","parts":[${part}]},"configuration":{"returnImmediately":true}}`,
  );
  const headers = {
    'content-type': 'application/json',
    'a2a-version': '1.0',
    'content-length': body.length,
  };
  const asked = request(`${server.url}/message:send`, { method: 'POST', headers });
  // A refusal comes before the end of the body, which then is not read.
  asked.on('error', () => undefined).end(body);
  const [response] = await once(asked, 'response');
  response.resume();
  return { status: response.statusCode, retryAfter: response.headers['retry-after'] };
}

/** The most that the process ever had in memory, in bytes. */
function peak({ pid }: Server): number {
  const [, kilobytes = ''] =
    /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

describe.runIf(process.platform === 'linux')('a server in 512 MiB', () => {
  test.each(Object.keys(BODIES))(
    'lives through 30 bodies of 9.7 MB at once, each with %s: some are taken, the others told to come again',
    { timeout: 180_000 },
    async (what) => {
      const server = await smallServer();
      const part = BODIES[what] ?? '';
      const answers = await Promise.all(
        Array.from({ length: AT_ONCE }, (_, id) => send(server, part, id)),
      );
      const wanted = what === 'millions of values' ? 400 : 200;
      const kinds = new Set(
        answers.map(({ status, retryAfter }) => `${status} ${retryAfter ?? ''}`),
      );
      expect([...kinds].toSorted()).toEqual([`${wanted} `, '503 2']);
      expect(peak(server)).toBeLessThan(MEMORY);
      // Who comes again is taken, and who asks for little is served all the time.
      expect(await (await fetch(`${server.url}/.well-known/agent-card.json`)).text()).toContain(
        'idle',
      );
      let again = AT_ONCE;
      await eventually(async () => {
        again += 1;
        return (await send(server, part, again)).status;
      }, wanted);
      expect(peak(server)).toBeLessThan(MEMORY);
    },
  );
});
