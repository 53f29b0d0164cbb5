import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KmsEmulator, startKmsEmulator } from '../../emulators/kms/start.ts';
import { openFileSigner } from '../../shared/embedded/file-signer.ts';
import { createKmsSigner } from '../../shared/gcp/kms/signer.ts';
import { signerSuite } from './signer.suite.ts';

const folder = mkdtempSync(join(tmpdir(), 'holdfast-signers-'));
let kms: KmsEmulator;
beforeAll(async () => {
  kms = await startKmsEmulator();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await kms.close();
});

function keyFile(name: string, namedCurve = 'P-256'): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve });
  const file = join(folder, `${name}.pem`);
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return file;
}

const version = (key: string): string =>
  `projects/p/locations/l/keyRings/r/cryptoKeys/${key}/cryptoKeyVersions/1`;

function kmsSigner(key: string) {
  kms.signingKey(version(key));
  return createKmsSigner({ keyVersion: version(key), endpoint: kms.url });
}

signerSuite('key file', async () => {
  const file = keyFile('own');
  const foreign = openFileSigner(keyFile('foreign'));
  return { signer: openFileSigner(file), again: openFileSigner(file), foreign };
});

signerSuite('Cloud KMS', async () => ({
  signer: kmsSigner('own'),
  again: kmsSigner('own'),
  foreign: kmsSigner('foreign'),
}));

test('a file that holds no private key on P-256 is named with what makes one', () => {
  const text = join(folder, 'text.pem');
  writeFileSync(text, 'no key');
  for (const file of [text, keyFile('larger', 'P-384')]) {
    expect(() => openFileSigner(file)).toThrow(
      new RegExp(`${file} holds no private key on P-256; openssl`),
    );
  }
});

test.each(['damaged', 'unverified', 'unavailable'] as const)(
  'a signature that came back %s is asked for again',
  async (fault) => {
    const signer = kmsSigner('faulty');
    const faults = [fault, undefined];
    kms.plan(() => faults.shift());
    expect(await signer.sign(Buffer.from('input'))).toHaveLength(64);
    expect(faults).toEqual([]);
    kms.plan(undefined);
  },
);

test('a right that is missing is waited for, and told apart from a key that is away', async () => {
  const signer = kmsSigner('denied');
  kms.plan(() => 'denied');
  await expect(signer.publicKey()).rejects.toMatchObject({ name: 'KeysRefused', advice: 'wait' });
  kms.plan(undefined);
});
