import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Fields } from '../ports/backend.ts';
import type { Doc } from '../ports/store.ts';
import { openEmbedded } from './index.ts';
import { rotateKeyFile } from './key-bytes.ts';
import { jsonLog } from '../system/json-log.ts';
import { systemClock } from '../system/system-clock.ts';
import { systemIds } from '../system/system-ids.ts';

const doc: Doc<Fields> = {
  path: 'tasks/t',
  codec: { encode: (fields) => fields, decode: (fields) => fields },
};

test('what one start wrote the next one reads: rows, objects and keys', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const first = openEmbedded({ folder });
  const { plain, wrapped } = await first.ports.sealer.newKey('runs/r');
  await first.ports.store.transact(async (tx) => tx.create(doc, { wrapped }));
  await first.ports.blobs.put('a', Uint8Array.of(1), { contentType: 't', expect: 'absent' });
  await first.close();

  const second = openEmbedded({ folder });
  onTestFinished(() => second.close());
  expect(await second.ports.store.get(doc)).toEqual({ wrapped });
  expect((await second.ports.blobs.get('a'))?.body).toEqual(Uint8Array.of(1));
  expect(await second.ports.sealer.unwrap(wrapped, 'runs/r')).toEqual(plain);
});

test.skipIf(process.platform === 'win32')(
  'in a folder that was there and is open to all, every file is its owner alone to read',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    chmodSync(folder, 0o755);
    // As a copy out of a backup may be.
    writeFileSync(join(folder, 'key'), new Uint8Array(32), { mode: 0o644 });
    writeFileSync(join(folder, 'store.sqlite'), '', { mode: 0o644 });
    const lines: string[] = [];
    const log = { write: (level: string, event: string) => void lines.push(`${level} ${event}`) };
    const embedded = openEmbedded({ folder, log });
    onTestFinished(() => embedded.close());
    await embedded.ports.blobs.put('a', Uint8Array.of(1), { contentType: 't', expect: 'absent' });
    await embedded.ports.store.transact(async (tx) => tx.create(doc, {}));
    rotateKeyFile(join(folder, 'key'));
    const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) =>
      each.isFile(),
    );
    expect(files.length).toBeGreaterThan(5);
    for (const { name, parentPath } of files)
      expect(statSync(join(parentPath, name)).mode & 0o077, name).toBe(0);
    expect(lines).toEqual(['warning file was open to others']);
  },
);

test('ids are of their form and do not repeat', () => {
  const ids = systemIds();
  const tokens = Array.from({ length: 5_000 }, () => ids.token());
  expect(new Set(tokens).size).toBe(5_000);
  for (const token of tokens) expect(token).toMatch(/^[\w-]{22}$/);
  expect(ids.uuid()).toMatch(
    /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  for (const count of [0, 1, 32, 5_000]) expect(ids.bytes(count)).toHaveLength(count);
  expect(ids.bytes(32)).not.toEqual(ids.bytes(32));
});

test('bytes that were handed out share no memory with others', () => {
  const ids = systemIds();
  const [first, second] = [ids.bytes(16), ids.bytes(16)];
  const before = [...second];
  first.fill(0);
  expect([...second]).toEqual(before);
});

test('a log line is one JSON object that Cloud Logging understands; what is below the level is not written', () => {
  const lines: string[] = [];
  const stream = { write: (line: string) => lines.push(line) };
  const log = jsonLog({ stream, clock: { now: () => 0 }, level: 'warning' });
  log.write('info', 'nothing');
  log.write('warning', 'lease lost\n', {
    taskId: 't',
    fence: 2,
    severity: 'forged',
    none: undefined,
  });
  expect(lines).toHaveLength(1);
  expect(lines[0]?.indexOf('\n')).toBe((lines[0]?.length ?? 0) - 1);
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    severity: 'WARNING',
    time: '1970-01-01T00:00:00.000Z',
    message: 'lease lost\n',
    taskId: 't',
    fence: 2,
  });
});

test('a sleep ends with its signal, and a timer that is cancelled does not ring', async () => {
  const controller = new AbortController();
  const sleep = systemClock.sleep(3_600_000, controller.signal);
  controller.abort();
  await sleep;
  await systemClock.sleep(3_600_000, controller.signal);
  const cancel = systemClock.after(0, () => expect.unreachable());
  cancel();
  await new Promise<void>((resolve) => systemClock.after(1, resolve));
});

test('a span that no timer of the machine can hold does not ring at once', async () => {
  const cancel = systemClock.after(2 ** 40, () => expect.unreachable());
  await new Promise<void>((resolve) => systemClock.after(2, resolve));
  cancel();
});
