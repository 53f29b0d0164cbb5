import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type KmsEmulator, startKmsEmulator } from '../../../emulators/kms/start.ts';
import { openKeyFile } from '../../embedded/key-file.ts';
import { createKmsSealer, type KmsSealerOptions } from './sealer.ts';

const ring = 'projects/p/locations/l/keyRings/r/cryptoKeys';
const unavailable = { name: 'Unavailable', advice: 'retry' };
const unreadable = { name: 'Unreadable', advice: 'stop' };
const refused = { name: 'KeysRefused', advice: 'wait' };
const missing = { name: 'KeyMissing', advice: 'wait' };
const owner = 'runs/r';
let emulator: KmsEmulator;
let count = 0;

beforeAll(async () => {
  emulator = await startKmsEmulator();
});
afterEach(() => emulator.plan(undefined));
afterAll(() => emulator.close());

function open(over: Partial<KmsSealerOptions> = {}) {
  count += 1;
  const keyName = over.keyName ?? `${ring}/key-${count}`;
  const key = emulator.key(keyName);
  const sealer = createKmsSealer({ keyName, endpoint: emulator.url, deadline: 2_000, ...over });
  return { sealer, key, keyName };
}

test('what was wrapped before a rotation opens after it, with a new version in use', async () => {
  const { sealer, key } = open();
  const old = await sealer.newKey(owner);
  key.rotate();
  const fresh = await sealer.newKey(owner);
  expect(await sealer.unwrap(old.wrapped, owner)).toEqual(old.plain);
  key.setState(1, 'DESTROYED');
  expect(await sealer.unwrap(fresh.wrapped, owner)).toEqual(fresh.plain);
  await expect(sealer.unwrap(old.wrapped, owner)).rejects.toMatchObject(unreadable);
});

test.each(['DISABLED', 'DESTROY_SCHEDULED'] as const)(
  'a version that is %s says nothing about the data key: it may be used again',
  async (state) => {
    const { sealer, key } = open();
    const { plain, wrapped } = await sealer.newKey(owner);
    key.setState(1, state);
    await expect(sealer.unwrap(wrapped, owner)).rejects.toMatchObject(refused);
    await expect(sealer.newKey(owner)).rejects.toMatchObject(refused);
    key.setState(1, 'ENABLED');
    expect(await sealer.unwrap(wrapped, owner)).toEqual(plain);
  },
);

describe('while a rotation is not known everywhere yet', () => {
  test('what the older version wraps again is old, and nothing is called current that is not wanted', async () => {
    const { sealer, key } = open();
    const { plain, wrapped } = await sealer.newKey(owner);
    key.rotate({ known: false });
    expect(await sealer.rewrap(wrapped, owner)).toEqual({ kind: 'current' });
    expect(await sealer.rewrap(wrapped, owner, 2)).toEqual({ kind: 'old' });
    key.becomesKnown();
    const rewrapped = await sealer.rewrap(wrapped, owner, 2);
    if (rewrapped.kind !== 'rewrapped') throw new Error(rewrapped.kind);
    key.setState(1, 'DESTROYED');
    expect(await sealer.unwrap(rewrapped.wrapped, owner)).toEqual(plain);
    expect(await sealer.rewrap(rewrapped.wrapped, owner, 2)).toEqual({ kind: 'current' });
  });

  test('decryption knows of it before encryption does: old, and not wrapped again for nothing', async () => {
    const { sealer, key } = open();
    const { wrapped } = await sealer.newKey(owner);
    key.rotate({ known: 'to decryption' });
    expect(await sealer.rewrap(wrapped, owner)).toEqual({ kind: 'old' });
  });
});

test('a former key opens what it wrapped, and wraps nothing more', async () => {
  const former = open();
  const { plain, wrapped } = await former.sealer.newKey(owner);
  const { sealer } = open({ formerKeyNames: [former.keyName] });
  expect(await sealer.unwrap(wrapped, owner)).toEqual(plain);
  const { wrapped: fresh } = await sealer.newKey(owner);
  await expect(former.sealer.unwrap(fresh, owner)).rejects.toMatchObject(missing);
});

test("a key file's key is foreign, and so is ours to a key file", async () => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const file = openKeyFile(join(folder, 'key'));
  const { sealer } = open();
  const theirs = await file.newKey(owner);
  await expect(sealer.unwrap(theirs.wrapped, owner)).rejects.toMatchObject(missing);
  const ours = await sealer.newKey(owner);
  await expect(file.unwrap(ours.wrapped, owner)).rejects.toMatchObject(missing);
});

test.each(['unavailable', 'lost-answer', 'silence', 'damaged'] as const)(
  'a service with %s is Unavailable, and for a moment is not noticed',
  async (fault) => {
    const { sealer } = open({ deadline: 400 });
    const { plain, wrapped } = await sealer.newKey(owner);
    emulator.plan(() => fault);
    await expect(sealer.unwrap(wrapped, owner)).rejects.toMatchObject(unavailable);
    await expect(sealer.newKey(owner)).rejects.toMatchObject(unavailable);
    if (fault === 'silence') return;
    let times = 1;
    emulator.plan(() => (times-- > 0 ? fault : undefined));
    expect(await sealer.unwrap(wrapped, owner)).toEqual(plain);
  },
);

test('a data key whose bytes KMS did not verify is not used', async () => {
  const { sealer } = open({ deadline: 400 });
  emulator.plan(() => 'unverified');
  await expect(sealer.newKey(owner)).rejects.toMatchObject(unavailable);
});

test('a key that is not there is waited for', async () => {
  const keyName = `${ring}/none`;
  const sealer = createKmsSealer({ keyName, endpoint: emulator.url });
  await expect(sealer.newKey(owner)).rejects.toMatchObject(refused);
});

test('a project may be named by its id and answered by its number; another key is never taken', async () => {
  const { sealer, key, keyName } = open();
  key.answersAs = keyName.replace('projects/p/', 'projects/123456789/');
  const { plain, wrapped } = await sealer.newKey(owner);
  expect(await sealer.unwrap(wrapped, owner)).toEqual(plain);
  key.answersAs = `${keyName}-2`;
  await expect(sealer.newKey(owner)).rejects.toMatchObject(unavailable);
});

test('a token is never sent in the clear', async () => {
  const { sealer } = open();
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = '/none';
  onTestFinished(() => void delete process.env['GOOGLE_APPLICATION_CREDENTIALS']);
  expect((await sealer.newKey(owner)).plain).toHaveLength(32);
});
