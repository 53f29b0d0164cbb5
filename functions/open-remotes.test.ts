import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../shared/system/system-clock.ts';
import type { RemoteAgentsOptions } from '../shared/remote/remote-agents.ts';
import { remoteAt } from '../test/fixtures/remotes/remote.ts';
import { defineAgent } from '../shared/agent/index.ts';
import type { Log } from '../shared/ports/log.ts';
import { publish, reportRemotes } from './load-agents.ts';
import { openRemotes, privateHosts, secretsFrom } from './open-remotes.ts';

const opened: RemoteAgentsOptions[] = [];
vi.mock('../shared/remote/remote-agents.ts', () => ({
  createRemoteAgents(options: RemoteAgentsOptions) {
    opened.push(options);
    return { poll: () => Promise.resolve({ kind: 'gone' }) };
  },
}));

test('nothing is opened before the first call, and once for all calls', async () => {
  const remotes = openRemotes({
    environment: { THE_TOKEN: 'secret' },
    settings: { remoteCall: 7 },
    remotePrivate: ['localhost'],
    clock: systemClock,
    log: { write: () => undefined },
  });
  expect(opened).toEqual([]);
  const operation = { taskId: 'task', contextId: 'context' };
  const looks = [1, 2].map(() => remotes.poll(remoteAt('https://remote.example/card'), operation));
  expect(await Promise.all(looks)).toEqual([{ kind: 'gone' }, { kind: 'gone' }]);
  expect(opened).toHaveLength(1);
  expect(opened[0]).toMatchObject({ timeout: 7, allowPrivate: ['localhost'] });
  expect(await opened[0]?.secrets('THE_TOKEN')).toBe('secret');
});

test('a mounted secret is read at each call; one that is not mounted is a variable of the environment', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-secrets-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'carrier-token'));
  const value = (text: string) => writeFileSync(join(folder, 'carrier-token/value'), text);
  value('first');
  const environment = { HOLDFAST_REMOTE_FILES: folder, OTHER: 'of the environment' };
  const secrets = secretsFrom(environment);
  expect(await secrets('carrier-token')).toBe('first');
  value('second');
  expect(await secrets('carrier-token')).toBe('second');
  expect(await secrets('OTHER')).toBe('of the environment');
  expect(await secrets('none')).toBeUndefined();
  expect(await secrets('../' + basename(folder) + '/carrier-token')).toBeUndefined();
});

test('no host is private unless it is named, and loopback names this machine', () => {
  expect(privateHosts(undefined)).toEqual([]);
  expect(privateHosts(' , ')).toEqual([]);
  expect(privateHosts('Billing.internal, 10.0.0.7:8080')).toEqual([
    'billing.internal',
    '10.0.0.7:8080',
  ]);
  expect(privateHosts('loopback')).toEqual(['localhost', '127.0.0.1', '[::1]']);
});

test('a remote that can not be called as it is declared is named at start, with what to set', async () => {
  const lines: unknown[] = [];
  const remotes = [
    remoteAt('http://127.0.0.1:9000/card', { name: 'local' }),
    remoteAt('https://remote.example/card', {
      name: 'locked',
      credential: { scheme: 'Bearer', secret: 'THE_TOKEN' },
    }),
    remoteAt('https://remote.example/card', { name: 'fine' }),
  ];
  const agent = defineAgent({
    name: 'asks',
    description: 'Asks.',
    model: { name: 'none', turn: () => Promise.resolve({ text: '' }) },
    instructions: '',
    remotes,
  });
  const report = async (hosts: readonly string[], environment: Record<string, string>) => {
    lines.length = 0;
    const log = { write: (...[, , fields]: Parameters<Log['write']>) => void lines.push(fields) };
    await reportRemotes(log, publish([agent], 'test'), hosts, secretsFrom(environment));
    return lines;
  };
  expect(await report([], {})).toMatchObject([
    { remote: 'local', why: expect.stringContaining('--remote-private') as string },
    { remote: 'locked', why: expect.stringContaining('THE_TOKEN') as string },
  ]);
  expect(await report(['127.0.0.1'], { THE_TOKEN: 'x' })).toEqual([]);
});
