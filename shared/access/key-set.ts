import type { CryptoKey, FlattenedJWSInput, JWTHeaderParameters } from 'jose';
import { z } from 'zod';
import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';
import { Unavailable } from '../ports/faults.ts';
import type { FetchJson } from '../ports/fetch-json.ts';

export interface KeySetOptions {
  /** Where the keys are (a JWK set, RFC 7517), asked for when they are needed. */
  readonly url: () => Promise<string>;
  readonly fetchJson: FetchJson;
  readonly clock: Pick<Clock, 'now'>;
}

/** Keys are asked for again after this long: it bounds the use of one that was taken back. */
const FRESH: Millis = 10 * 60_000;
/** While they can't be asked for, the last ones are used for this long. */
const STALE: Millis = 60 * 60_000;
/** A token that names an unknown key makes us ask, but no more often than this. */
const COOLDOWN: Millis = 30_000;
/** After a failure nothing is asked for this long, however many tokens come. */
const PAUSE: Millis = 5_000;

type Header = JWTHeaderParameters;
type Resolve = (header: Header, token: FlattenedJWSInput) => Promise<CryptoKey>;

interface Held {
  readonly at: Millis;
  readonly resolve: Resolve;
}

// A shared secret among public keys would let everyone sign who can read them.
const schema = z.object({
  keys: z
    .array(z.looseObject({ kty: z.string() }))
    .transform((keys) => keys.filter(({ kty }) => ['RSA', 'EC', 'OKP'].includes(kty)))
    .refine((keys) => keys.length > 0),
});

/**
 * The public keys of an issuer of tokens. One request for them is under way at a time. `keyFor`
 * throws Unavailable without keys, and jose's JWKSNoMatchingKey for a key that is not among them.
 */
export class KeySet {
  readonly #options: KeySetOptions;
  #held: Held | undefined;
  #asked = Number.NEGATIVE_INFINITY;
  #failed = Number.NEGATIVE_INFINITY;
  #asking: Promise<Held> | undefined;

  constructor(options: KeySetOptions) {
    this.#options = options;
  }

  /** The key that a token says it is signed with. */
  readonly keyFor: Resolve = async (header, token) => {
    const held = await this.#current();
    try {
      return await held.resolve(header, token);
    } catch (error) {
      if (!isUnknownKey(error) || this.#now - this.#asked < COOLDOWN) throw this.#judged(error);
    }
    return (await this.#ask()).resolve(header, token);
  };

  get #now(): Millis {
    return this.#options.clock.now();
  }

  /** A key that is not among old keys may be among the new ones that could not be had. */
  #judged(error: unknown): unknown {
    const outdated = this.#failed > (this.#held?.at ?? 0);
    return outdated && isUnknownKey(error) ? noKeys(error) : error;
  }

  async #current(): Promise<Held> {
    const held = this.#held;
    const age = this.#now - (held?.at ?? Number.NEGATIVE_INFINITY);
    if (held !== undefined && age < FRESH) return held;
    const usable = age < STALE ? held : undefined;
    if (this.#now - this.#failed < PAUSE) {
      if (usable === undefined) throw noKeys();
      return usable;
    }
    try {
      return await this.#ask();
    } catch (error) {
      if (usable === undefined) throw error;
      return usable;
    }
  }

  #ask(): Promise<Held> {
    this.#asking ??= this.#load().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #load(): Promise<Held> {
    const { fetchJson, url } = this.#options;
    this.#asked = this.#now;
    try {
      const { createLocalJWKSet } = await import('jose');
      const resolve = createLocalJWKSet(schema.parse(await fetchJson(await url())));
      this.#held = { at: this.#now, resolve };
      return this.#held;
    } catch (error) {
      this.#failed = this.#now;
      throw noKeys(error);
    }
  }
}

const noKeys = (cause?: unknown) => new Unavailable("the keys of callers' tokens", cause);

function isUnknownKey(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_JWKS_NO_MATCHING_KEY';
}
