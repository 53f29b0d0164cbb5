import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import { crc32c } from '../../shared/gcp/kms/crc32c.ts';
import { CryptoKey, KmsError } from './key.ts';
import { SigningKey } from './signing-key.ts';

/**
 * `denied`: 403, as without the right; `damaged`: the answer's bytes are not those of its checksum;
 * `unverified`: KMS did not look at the request's.
 */
export type KmsFault =
  | 'unavailable'
  | 'denied'
  | 'lost-answer'
  | 'silence'
  | 'damaged'
  | 'unverified';

export interface KmsEmulator {
  /** As the endpoint of the REST API. */
  readonly url: string;
  key(name: string): CryptoKey;
  /** A version of an asymmetric key, by its full name. */
  signingKey(version: string): SigningKey;
  plan(faults: (() => KmsFault | undefined) | undefined): void;
  close(): Promise<void>;
}

const bytes = z.base64().transform((text) => Buffer.from(text, 'base64'));
const request = z.object({
  plaintext: bytes.optional(),
  plaintextCrc32c: z.string().optional(),
  ciphertext: bytes.optional(),
  ciphertextCrc32c: z.string().optional(),
  additionalAuthenticatedData: bytes.default(Buffer.alloc(0)),
  additionalAuthenticatedDataCrc32c: z.string().optional(),
});
type Request = z.infer<typeof request>;

/**
 * Encryption, decryption and signatures of
 * https://cloud.google.com/kms/docs/reference/rest/v1/projects.locations.keyRings.cryptoKeys and
 * its cryptoKeyVersions.
 */
export async function startKmsEmulator(port = 0): Promise<KmsEmulator> {
  const keys = new Map<string, CryptoKey>();
  const signingKeys = new Map<string, SigningKey>();
  let faults: (() => KmsFault | undefined) | undefined;

  function answer(path: string, body: string, fault: KmsFault | undefined): [number, object] {
    const [, name = '', method = ''] =
      /^\/v1\/(.+)(?::(encrypt|decrypt|asymmetricSign)|\/publicKey)$/.exec(path) ?? [];
    const key = keys.get(name);
    const signing = signingKeys.get(name);
    if (key === undefined && signing === undefined) {
      return [404, refusal(404, `CryptoKey ${name} not found.`)];
    }
    if (fault === 'unavailable') return [503, refusal(503, 'Planned fault')];
    if (fault === 'denied') return [403, refusal(403, `Permission denied on resource '${name}'.`)];
    if (signing !== undefined) return signatureOf(name, signing, body, fault);
    if (key === undefined) return [404, refusal(404, `CryptoKey ${name} not found.`)];
    try {
      const given = request.parse(JSON.parse(body));
      verify(given);
      const done = method === 'encrypt' ? encrypt(key, given) : decrypt(key, given);
      if (fault === 'damaged')
        return [200, { ...done, ciphertextCrc32c: '1', plaintextCrc32c: '1' }];
      if (fault === 'unverified') return [200, { ...done, verifiedPlaintextCrc32c: false }];
      return [200, done];
    } catch (error) {
      const message =
        error instanceof KmsError ? error.message : 'Request contains an invalid argument.';
      return [400, refusal(400, message)];
    }
  }

  const server = createServer((incoming, response) => {
    void (async () => {
      const pieces: Buffer[] = [];
      for await (const piece of incoming) pieces.push(piece as Buffer);
      const fault = faults?.();
      const [status, body] = answer(incoming.url ?? '', Buffer.concat(pieces).toString(), fault);
      if (fault === 'silence') return;
      if (fault === 'lost-answer') response.destroy();
      else
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify(body));
    })();
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    key(name) {
      const found = keys.get(name) ?? new CryptoKey(name);
      keys.set(name, found);
      return found;
    },
    signingKey(version) {
      const found = signingKeys.get(version) ?? new SigningKey();
      signingKeys.set(version, found);
      return found;
    },
    plan: (next) => {
      faults = next;
    },
    async close() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

const digested = z.object({
  digest: z.object({ sha256: bytes }),
  digestCrc32c: z.string().optional(),
});

/** Without a body, the public key is asked for. */
function signatureOf(
  name: string,
  key: SigningKey,
  body: string,
  fault: KmsFault | undefined,
): [number, object] {
  if (body === '') {
    const pemCrc32c = fault === 'damaged' ? '1' : checksum(Buffer.from(key.pem));
    return [200, { name, pem: key.pem, algorithm: 'EC_SIGN_P256_SHA256', pemCrc32c }];
  }
  const given = digested.parse(JSON.parse(body));
  const { sha256 } = given.digest;
  if (sha256.length !== 32) return [400, refusal(400, 'The digest has not 32 bytes.')];
  if (given.digestCrc32c !== undefined && given.digestCrc32c !== checksum(sha256)) {
    return [400, refusal(400, 'The checksum in field digest_crc32c did not match.')];
  }
  const signature = key.sign(sha256);
  return [
    200,
    {
      name,
      signature: signature.toString('base64'),
      signatureCrc32c: fault === 'damaged' ? '1' : checksum(signature),
      verifiedDigestCrc32c: given.digestCrc32c !== undefined && fault !== 'unverified',
      protectionLevel: 'SOFTWARE',
    },
  ];
}

const refusal = (code: number, message: string): object => ({ error: { code, message } });

/**
 * A checksum that is given is verified before anything else
 * (https://cloud.google.com/kms/docs/data-integrity-guidelines).
 */
function verify(given: Request): void {
  for (const name of ['plaintext', 'ciphertext', 'additionalAuthenticatedData'] as const) {
    const claimed = given[`${name}Crc32c`];
    if (claimed !== undefined && claimed !== checksum(given[name] ?? Buffer.alloc(0))) {
      throw new KmsError(
        `The checksum in field ${name}_crc32c did not match the data in field ${name}.`,
      );
    }
  }
}

function encrypt(key: CryptoKey, given: Request): object {
  const { plaintext = Buffer.alloc(0), additionalAuthenticatedData } = given;
  // https://cloud.google.com/kms/quotas#resource_quotas
  if (plaintext.length > 64 * 1024) throw new KmsError('The plaintext is larger than 64 KiB.');
  const { name, ciphertext } = key.encrypt(plaintext, additionalAuthenticatedData);
  return {
    name,
    ciphertext: ciphertext.toString('base64'),
    ciphertextCrc32c: checksum(ciphertext),
    verifiedPlaintextCrc32c: given.plaintextCrc32c !== undefined,
    verifiedAdditionalAuthenticatedDataCrc32c:
      given.additionalAuthenticatedDataCrc32c !== undefined,
    protectionLevel: 'SOFTWARE',
  };
}

function decrypt(key: CryptoKey, given: Request): object {
  const { ciphertext = Buffer.alloc(0), additionalAuthenticatedData } = given;
  const { plaintext, usedPrimary } = key.decrypt(ciphertext, additionalAuthenticatedData);
  return {
    plaintext: plaintext.toString('base64'),
    plaintextCrc32c: checksum(plaintext),
    usedPrimary,
    protectionLevel: 'SOFTWARE',
  };
}

const checksum = (body: Uint8Array): string => String(crc32c(body));
