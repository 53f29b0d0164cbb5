import type { PublicJwk } from '../domain/jws.ts';

/** A private key that signs what others check: ES256 (RFC 7518 section 3.4). */
export interface Signer {
  /** Throws a fault where the key can't be reached. */
  publicKey(): Promise<PublicJwk>;
  /** The signature of these bytes as JWS has it: 64 bytes, r and s. Throws a fault. */
  sign(input: Uint8Array): Promise<Uint8Array>;
}
