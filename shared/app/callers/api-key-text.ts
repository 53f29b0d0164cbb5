import { timingSafeEqual } from 'node:crypto';
import { sha256 } from '../../domain/digest.ts';
import type { Ids } from '../../ports/ids.ts';

const ID_BYTES = 8;
const SECRET_BYTES = 32;
const TEXT = /^hfk_([0-9a-f]{16})_[A-Za-z0-9_-]{43}$/;

/** A key as its holder gets it, once. */
export interface ApiKeyText {
  /** The part of it that names it, in lists and for revocation; no secret. */
  readonly id: string;
  readonly text: string;
}

/** A new key: `hfk_<id>_<256 random bits>`. The prefix lets scanners of source code find it. */
export function newApiKey(ids: Pick<Ids, 'bytes'>): ApiKeyText {
  const id = Buffer.from(ids.bytes(ID_BYTES)).toString('hex');
  return { id, text: `hfk_${id}_${Buffer.from(ids.bytes(SECRET_BYTES)).toString('base64url')}` };
}

/** The id in a key; undefined for what is none. */
export function apiKeyId(text: string): string | undefined {
  return TEXT.exec(text)?.[1];
}

export function apiKeyHash(text: string): string {
  return sha256(`api key ${text}`);
}

/** Whether two hashes are equal, in a time that does not say where they differ. */
export function sameHash(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one, 'hex'), Buffer.from(other, 'hex')];
  return a.length === b.length && timingSafeEqual(a, b);
}
