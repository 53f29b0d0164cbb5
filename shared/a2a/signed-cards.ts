import { canonicalAsServed, canonicalForms } from '../domain/canonical-card.ts';
import type { JsonObject } from '../domain/json.ts';
import { encodedHeader, type PublicJwk, signingInput, thumbprintOf } from '../domain/jws.ts';
import type { Signer } from '../ports/signer.ts';

/** Where the public keys of cards are, from the base URL on. */
export const CARD_KEYS = '/.well-known/jwks.json';

/**
 * The cards of one deployment with their signatures (section 8.4), each made once. A card is signed
 * by every key: clients that pin the next one, and those that still pin the former, both know it.
 */
export class SignedCards {
  readonly #signers: readonly Signer[];
  readonly #jku: string;
  readonly #made = new Map<string, Promise<JsonObject>>();
  #keys: Promise<readonly PublicJwk[]> | undefined;

  constructor(signers: readonly Signer[], baseUrl: string) {
    this.#signers = signers;
    this.#jku = `${baseUrl.replace(/\/+$/, '')}${CARD_KEYS}`;
  }

  /** Throws a fault where a key can't be reached; the next call tries again. */
  signed(card: object): Promise<JsonObject> {
    const text = JSON.stringify(card);
    const made = this.#made.get(text) ?? this.#sign(JSON.parse(text) as JsonObject);
    this.#made.set(text, made);
    made.catch(() => this.#made.delete(text));
    return made;
  }

  /** A JSON Web Key Set (RFC 7517 section 5). Throws as `signed` does. */
  async keys(): Promise<JsonObject> {
    return { keys: await this.#publicKeys() };
  }

  async #sign(card: JsonObject): Promise<JsonObject> {
    const keys = await this.#publicKeys();
    const signatures = this.#signers.flatMap((signer, at) =>
      formsOf(card).map(async (content) => {
        const kid = keys[at]?.['kid'] ?? '';
        const header = encodedHeader({ alg: 'ES256', kid, typ: 'JOSE', jku: this.#jku });
        const signature = await signer.sign(signingInput(header, content));
        return { protected: header, signature: Buffer.from(signature).toString('base64url') };
      }),
    );
    return { ...card, signatures: await Promise.all(signatures) };
  }

  #publicKeys(): Promise<readonly PublicJwk[]> {
    this.#keys ??= Promise.all(this.#signers.map(publicKeyOf)).catch((error: unknown) => {
      this.#keys = undefined;
      throw error;
    });
    return this.#keys;
  }
}

/**
 * What is signed. v0.3 does not say which fields its canonical form leaves out, so its card is
 * signed as it is served, too (docs/signed-cards.md).
 */
function formsOf(card: JsonObject): readonly string[] {
  const forms = canonicalForms(card);
  const legacy = 'protocolVersion' in card;
  return legacy ? [...new Set([...forms, canonicalAsServed(card)])] : forms;
}

async function publicKeyOf(signer: Signer): Promise<PublicJwk> {
  const jwk = await signer.publicKey();
  return { ...jwk, kid: thumbprintOf(jwk), use: 'sig', alg: 'ES256' };
}
