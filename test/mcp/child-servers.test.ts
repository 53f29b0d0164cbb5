import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ServerCommand, ToolServer } from '../../shared/domain/tool-server.ts';
import { createToolServers } from '../../shared/mcp/tool-servers.ts';
import type { ToolServers } from '../../shared/ports/tool-servers.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';

const SHOP = [
  process.execPath,
  join(import.meta.dirname, '../fixtures/tool-servers/shop-command.ts'),
];
const PARENT = join(import.meta.dirname, '../fixtures/tool-servers/shop-parent.ts');

const shell = (script: string): readonly string[] => ['/bin/sh', '-c', script];

function declared(command: readonly string[], over: Partial<ServerCommand> = {}): ToolServer {
  const at: ServerCommand = { kind: 'command', command, env: {}, ...over };
  return { name: 'shop', at, timeout: 60_000, answerBytes: 100_000 };
}

function opened(clock = systemClock) {
  const logged: unknown[] = [];
  const servers = createToolServers({
    secrets: (name) => (name === 'absent' ? undefined : `the ${name}`),
    allowPrivate: false,
    environment: { ...process.env, HOLDFAST_SECRET: 'hidden' },
    clock,
    log: { write: (_level, event, fields) => void logged.push({ event, ...fields }) },
  });
  onTestFinished(() => servers.close());
  return { servers, logged };
}

async function about(servers: ToolServers, server: ToolServer) {
  const outcome = await servers.call(
    server,
    { name: 'environment', schema: { type: 'object' } },
    {},
  );
  if (outcome.kind !== 'answered') throw new Error(outcome.reason);
  return outcome.structured as { names: string[]; token: string; pid: number };
}

const end = (servers: ToolServers, server: ToolServer) =>
  servers.call(server, { name: 'end', schema: { type: 'object' } }, {});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** What is waited for, while both the clock and the child go on. */
async function whileTimePasses<T>(clock: VirtualClock, wanted: Promise<T>): Promise<T> {
  let done = false;
  const settled = wanted.finally(() => {
    done = true;
  });
  while (!done) {
    await clock.advance(1);
    await new Promise((resolve) => {
      setTimeout(resolve, 1);
    });
  }
  return settled;
}

it('a child gets its declared environment, and nothing of ours but where programs and home are', async () => {
  const { servers } = opened();
  const server = declared(SHOP, { env: { TOKEN: { secret: 'token' }, MODE: 'fast' } });
  const { names, token } = await about(servers, server);
  expect(token).toBe('the token');
  expect(names).toContain('MODE');
  const allowed = ['HOME', 'LOGNAME', 'MODE', 'PATH', 'SHELL', 'TERM', 'TOKEN', 'USER'];
  // What the shell sets for its children itself.
  const own = ['PWD', 'OLDPWD', 'SHLVL', '_'];
  expect(names.filter((name) => ![...allowed, ...own].includes(name))).toEqual([]);
});

it('a child whose secret is not set is not started', async () => {
  const { servers } = opened();
  const server = declared(SHOP, { env: { TOKEN: { secret: 'absent' } } });
  expect(await servers.list(server)).toEqual({
    kind: 'away',
    reason: 'the secret absent is not set',
  });
});

it.each([
  ['there is no such program', ['no-such-program'], 'it ended with 127'],
  ['it ends at once', shell('exit 3'), 'it ended with 3'],
  ['its folder is not there', SHOP, 'it could not be started: ENOENT'],
])('%s: the server is away', async (what, command, reason) => {
  const { servers } = opened();
  const server = declared(command, what.includes('folder') ? { folder: '/no/such/folder' } : {});
  expect(await servers.list(server)).toEqual({ kind: 'away', reason });
});

it('a child that never answers is given up', async () => {
  const clock = new VirtualClock();
  const { servers } = opened(clock);
  const listing = servers.list(declared(shell('sleep 1000')));
  await clock.advance(30_000);
  expect(await listing).toEqual({ kind: 'away', reason: 'timeout' });
  // It is given its grace, and killed.
  await clock.advance(10_000);
});

it('a child that never answers does not hold up the end', async () => {
  const clock = new VirtualClock();
  const { servers } = opened(clock);
  const listing = servers.list(declared(shell('sleep 1000')));
  await clock.advance(1_000);
  const closed = servers.close();
  await clock.advance(5_000);
  await closed;
  expect(await listing).toEqual({ kind: 'away', reason: 'aborted' });
});

it('words beside the protocol, on its output or stderr, do no harm', async () => {
  const { servers } = opened();
  const noisy = shell('echo hello; echo oops >&2; exec "$0" "$@"');
  const listing = await servers.list(declared([...noisy, ...SHOP]));
  expect(listing.kind).toBe('tools');
});

it('a child that dies in a call leaves its outcome unknown, and is started again for the next', async () => {
  const { logged, servers } = opened();
  const server = declared(SHOP);
  const first = await about(servers, server);
  expect(await end(servers, server)).toEqual({
    kind: 'outcome_unknown',
    reason: 'it ended with 3',
  });
  const second = await about(servers, server);
  expect(second.pid).not.toBe(first.pid);
  expect(logged).toContainEqual(
    expect.objectContaining({ event: 'tool server is away', reason: 'it ended with 3', pause: 0 }),
  );
});

it('a child that dies again and again is waited for, longer each time', async () => {
  const clock = new VirtualClock();
  const { logged, servers } = opened(clock);
  const server = declared(shell('exit 3'));
  let asked = 0;
  const pauses = () =>
    logged.flatMap((line) => {
      const { event, pause } = line as { event: string; pause?: number };
      return event === 'tool server is away' ? [pause] : [];
    });
  for (; pauses().length < 4; asked += 1) {
    const listing = await whileTimePasses(clock, servers.list(server));
    expect(listing).toEqual({ kind: 'away', reason: 'it ended with 3' });
    await clock.advance(500);
  }
  expect(pauses()).toEqual([0, 1_000, 2_000, 4_000]);
  // Between its starts it is asked nothing.
  expect(asked).toBeGreaterThan(6);
});

it('a tool that comes into being is listed at once: the child says that they changed', async () => {
  const { servers } = opened();
  const server = declared(SHOP);
  const names = async () => {
    const listing = await servers.list(server);
    return listing.kind === 'tools' ? listing.tools.map(({ name }) => name) : [];
  };
  expect(await names()).not.toContain('grown');
  await servers.call(server, { name: 'grow', schema: { type: 'object' } }, {});
  await expect.poll(names).toContain('grown');
});

it.each([[], ['--stay']])('a child ends with its server being closed (%j)', async (...more) => {
  const { servers } = opened();
  const server = declared([...SHOP, ...more.flat()]);
  const { pid } = await about(servers, server);
  expect(isAlive(pid)).toBe(true);
  await servers.close();
  await expect.poll(() => isAlive(pid)).toBe(false);
});

it.each(['SIGKILL', 'SIGTERM'] as const)(
  'a child that stays when its input ends is gone soon after its parent was ended by %s',
  async (signal) => {
    const parent = spawn(process.execPath, [PARENT], { stdio: ['ignore', 'pipe', 'ignore'] });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const pid = await new Promise<number>((resolve) => {
      parent.stdout.once('data', (chunk: Buffer) => resolve(Number(chunk.toString())));
    });
    expect(isAlive(pid)).toBe(true);
    parent.kill(signal);
    await expect.poll(() => isAlive(pid)).toBe(false);
  },
);
