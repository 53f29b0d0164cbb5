import { createECDH, generateKeyPairSync, randomBytes } from 'node:crypto';

/** The order of the group of P-256 (FIPS 186-5, SP 800-186). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** A version of an asymmetric key, EC_SIGN_P256_SHA256. */
export class SigningKey {
  readonly #secret: bigint;
  readonly pem: string;

  constructor() {
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { d = '' } = privateKey.export({ format: 'jwk' });
    this.#secret = numberOf(Buffer.from(d, 'base64url'));
    this.pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  /**
   * ECDSA over a digest (FIPS 186-5 section 6.4.1), in DER as the service answers. Node has no call
   * for a digest that was made elsewhere.
   */
  sign(digest: Buffer): Buffer {
    const nonce = (numberOf(randomBytes(40)) % (ORDER - 1n)) + 1n;
    const curve = createECDH('prime256v1');
    curve.setPrivateKey(bytesOf(nonce));
    const r = numberOf(curve.getPublicKey().subarray(1, 33)) % ORDER;
    const s = (inverse(nonce) * (numberOf(digest) + r * this.#secret)) % ORDER;
    const integers = Buffer.concat([integer(r), integer(s)]);
    return Buffer.concat([Buffer.of(0x30, integers.length), integers]);
  }
}

const numberOf = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`);
const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex');

/** By Fermat: the order is prime. */
function inverse(value: bigint): bigint {
  const bits = (ORDER - 2n).toString(2);
  return Array.from(bits).reduce((power, bit) => {
    const squared = (power * power) % ORDER;
    return bit === '1' ? (squared * value) % ORDER : squared;
  }, 1n);
}

/** A DER integer is as short as it can be, and positive. */
function integer(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const body = (bytes[0] ?? 0) < 0x80 ? bytes : Buffer.concat([Buffer.of(0), bytes]);
  return Buffer.concat([Buffer.of(2, body.length), body]);
}
