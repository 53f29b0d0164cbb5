import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

/** https://cloud.google.com/kms/docs/key-states */
export type VersionState = 'ENABLED' | 'DISABLED' | 'DESTROY_SCHEDULED' | 'DESTROYED';

interface Version {
  readonly secret: Buffer;
  state: VersionState;
}

const IV = 12;
const TAG = 16;

/** An error of the service; both kinds are HTTP 400. */
export class KmsError extends Error {}

/**
 * A symmetric key. The newest version is the primary one; a ciphertext names the version that made
 * it.
 */
export class CryptoKey {
  readonly name: string;
  /** The service may answer with a project's number where it was asked by its id. */
  answersAs: string;
  readonly #versions: Version[] = [];
  /**
   * A rotation is eventually consistent: for a while calls may use the primary version of before.
   */
  #primary = { encrypt: 0, decrypt: 0 };

  constructor(name: string) {
    this.name = name;
    this.answersAs = name;
    this.rotate();
  }

  /**
   * A new primary version; the older ones still decrypt
   * (https://cloud.google.com/kms/docs/key-rotation). It may take hours to be known
   * (https://cloud.google.com/kms/docs/consistency).
   */
  rotate({ known = true }: { readonly known?: boolean | 'to decryption' } = {}): void {
    this.#versions.push({ secret: randomBytes(32), state: 'ENABLED' });
    if (known === true) this.becomesKnown();
    else if (known === 'to decryption') this.#primary.decrypt = this.#versions.length;
  }

  becomesKnown(): void {
    const newest = this.#versions.length;
    this.#primary = { encrypt: newest, decrypt: newest };
  }

  setState(version: number, state: VersionState): void {
    this.#version(version).state = state;
  }

  encrypt(plaintext: Buffer, additional: Buffer): { name: string; ciphertext: Buffer } {
    const number = this.#primary.encrypt;
    const { secret } = this.#enabled(number);
    const iv = randomBytes(IV);
    const cipher = createCipheriv('aes-256-gcm', secret, iv).setAAD(additional);
    const body = Buffer.concat([cipher.update(plaintext), cipher.final()]);
    return {
      name: `${this.answersAs}/cryptoKeyVersions/${number}`,
      ciphertext: Buffer.concat([Buffer.of(number), iv, cipher.getAuthTag(), body]),
    };
  }

  decrypt(ciphertext: Buffer, additional: Buffer): { plaintext: Buffer; usedPrimary: boolean } {
    const number = ciphertext[0] ?? 0;
    if (number < 1 || number > this.#versions.length) throw foreign();
    const { secret } = this.#enabled(number);
    const tagAt = 1 + IV;
    const iv = ciphertext.subarray(1, tagAt);
    const tag = ciphertext.subarray(tagAt, tagAt + TAG);
    try {
      const decipher = createDecipheriv('aes-256-gcm', secret, iv, { authTagLength: TAG });
      decipher.setAAD(additional).setAuthTag(tag);
      const body = decipher.update(ciphertext.subarray(tagAt + TAG));
      const plaintext = Buffer.concat([body, decipher.final()]);
      return { plaintext, usedPrimary: number === this.#primary.decrypt };
    } catch {
      throw foreign();
    }
  }

  #version(number: number): Version {
    const version = this.#versions[number - 1];
    if (version === undefined) throw new Error(`no version ${number}`);
    return version;
  }

  #enabled(number: number): Version {
    const version = this.#version(number);
    if (version.state === 'ENABLED') return version;
    const name = `${this.name}/cryptoKeyVersions/${number}`;
    throw new KmsError(`${name} is not enabled, current state is: ${version.state}.`);
  }
}

const foreign = (): KmsError =>
  new KmsError("Decryption failed: verify that 'name' refers to the correct CryptoKey.");
