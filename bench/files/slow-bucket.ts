import { setTimeout as sleep } from 'node:timers/promises';
import type { Blobs } from '../../shared/ports/blobs.ts';

/** What went over the line. */
export interface Traffic {
  readonly requests: number;
  readonly up: number;
  readonly down: number;
}

/** A request takes so long before its first byte, and so many go at a time. */
const LEAST = 20;
const MOST = 60;
const WIDTH = 16;
/** Bytes a millisecond, each way, for all requests together. */
const PIPE = 50_000;

/**
 * A bucket at the other end of a line: 20 to 60 ms a request, 16 at a time, 50 MB/s each way. No
 * TLS, no HTTP and no client library: their processor time is left out on both sides.
 */
export function slowed(inner: Blobs): { readonly blobs: Blobs; readonly traffic: () => Traffic } {
  let requests = 0;
  let free = WIDTH;
  const waiting: (() => void)[] = [];
  const up = pipe();
  const down = pipe();

  async function request<T>(call: () => Promise<T>): Promise<T> {
    requests += 1;
    if (free === 0) await new Promise<void>((resolve) => waiting.push(resolve));
    else free -= 1;
    try {
      await sleep(LEAST + Math.random() * (MOST - LEAST));
      return await call();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  }

  return {
    traffic: () => ({ requests, up: up.bytes(), down: down.bytes() }),
    blobs: {
      get: (name) =>
        request(async () => {
          const found = await inner.get(name);
          if (found !== undefined) await down.pass(found.body.byteLength);
          return found;
        }),
      getStream: (name, range) =>
        request(async () => {
          const found = await inner.getStream(name, range);
          return found && { ...found, body: through(down, found.body) };
        }),
      put: (name, body, write) =>
        request(async () => {
          await up.pass(body.byteLength);
          return inner.put(name, body, write);
        }),
      putStream: (name, body, write) =>
        request(() => inner.putStream(name, through(up, body), write)),
      delete: (name) => request(() => inner.delete(name)),
      list: (prefix, limit, after) => request(() => inner.list(prefix, limit, after)),
    },
  };
}

interface Pipe {
  pass(bytes: number): Promise<void>;
  bytes(): number;
}

/** Hands bytes on in the order they come, no faster than the pipe. */
function pipe(): Pipe {
  let sum = 0;
  let idle = 0;
  return {
    bytes: () => sum,
    async pass(bytes) {
      sum += bytes;
      const now = performance.now();
      idle = Math.max(idle, now) + bytes / PIPE;
      if (idle - now > 2) await sleep(idle - now);
    },
  };
}

async function* through(line: Pipe, body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    await line.pass(chunk.byteLength);
    yield chunk;
  }
}
