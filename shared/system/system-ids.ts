import { randomBytes, randomFillSync, randomUUID } from 'node:crypto';
import type { Ids } from '../ports/ids.ts';

/** One call for many ids: asking the generator costs more than the bytes. */
const POOL = 4_096;
const TOKEN = 16;

/** The machine's randomness. */
export function systemIds(): Ids {
  const pool = Buffer.alloc(POOL);
  let used = POOL;

  function take(count: number): Uint8Array {
    if (count > POOL / 8) return new Uint8Array(randomBytes(count));
    if (used + count > POOL) {
      randomFillSync(pool);
      used = 0;
    }
    const taken = Uint8Array.from(pool.subarray(used, used + count));
    // What was handed out may become a key: no copy of it stays.
    pool.fill(0, used, used + count);
    used += count;
    return taken;
  }

  return {
    uuid: () => randomUUID(),
    token: () => Buffer.from(take(TOKEN)).toString('base64url'),
    bytes: take,
    random: () => Math.random(),
  };
}
