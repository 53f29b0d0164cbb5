import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { Clock } from '../../shared/ports/clock.ts';
import type { FetchJson } from '../../shared/ports/fetch-json.ts';

interface Pair {
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export interface Signing {
  readonly alg?: string;
  /** `null`: the token does not say which key it is signed with. */
  readonly kid?: string | null;
  readonly key?: KeyObject | Uint8Array;
}

/** An OpenID issuer that a test has in its hand: its documents come by `fetchJson`. */
export class TokenIssuer {
  readonly issuer = 'https://issuer.example';
  readonly audience = 'https://agents.example';
  /** Every document that was asked for. */
  readonly asked: string[] = [];
  /** What the key document answers instead of the keys. */
  answer: (() => Promise<unknown>) | undefined;
  readonly #clock: Pick<Clock, 'now'>;
  #pairs: readonly Pair[] = [pairOf('k1')];

  constructor(clock: Pick<Clock, 'now'>) {
    this.#clock = clock;
  }

  readonly fetchJson: FetchJson = async (url) => {
    this.asked.push(url);
    if (url.endsWith('/.well-known/openid-configuration'))
      return { issuer: this.issuer, jwks_uri: `${this.issuer}/keys` };
    if (this.answer !== undefined) return this.answer();
    return this.jwks;
  };

  get jwks(): { readonly keys: readonly object[] } {
    return {
      keys: this.#pairs.map(({ kid, publicKey }) => ({
        ...publicKey.export({ format: 'jwk' }),
        kid,
        use: 'sig',
        alg: 'RS256',
      })),
    };
  }

  get pair(): Pair {
    const [first] = this.#pairs;
    if (first === undefined) throw new Error('the issuer has no key');
    return first;
  }

  /** The newest key signs from now on; the old one is taken back unless `keep`. */
  rotate(kid: string, keep = false): void {
    this.#pairs = [pairOf(kid), ...(keep ? this.#pairs : [])];
  }

  async sign(
    claims: Readonly<Record<string, unknown>> = {},
    { alg = 'RS256', key, kid }: Signing = {},
  ): Promise<string> {
    const now = Math.floor(this.#clock.now() / 1_000);
    const given = {
      iss: this.issuer,
      aud: this.audience,
      sub: 'ada',
      iat: now,
      exp: now + 600,
      ...claims,
    };
    const present = Object.entries(given).filter(([, value]) => value !== undefined);
    const named = kid === null ? {} : { kid: kid ?? this.pair.kid };
    return new SignJWT(Object.fromEntries(present))
      .setProtectedHeader({ alg, ...named })
      .sign(key ?? this.pair.privateKey);
  }
}

function pairOf(kid: string): Pair {
  return { kid, ...generateKeyPairSync('rsa', { modulusLength: 2048 }) };
}
