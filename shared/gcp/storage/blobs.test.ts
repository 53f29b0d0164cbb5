import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import {
  type FaultPlan,
  type StorageEmulator,
  type StorageFault,
  startStorageEmulator,
} from '../../../emulators/storage/start.ts';
import type { Blobs, BlobStream } from '../../ports/blobs.ts';
import { createGcsBlobs } from './blobs.ts';

let emulator: StorageEmulator;
let blobs: Blobs;
let calls: string[] = [];
let count = 0;
const bucket = 'objects';
const text = (body: string) => new TextEncoder().encode(body);
const create = { contentType: 'text/plain', expect: 'absent' };

beforeAll(async () => {
  emulator = await startStorageEmulator();
  emulator.buckets.create(bucket, true);
});
beforeEach(() => {
  blobs = createGcsBlobs({ bucket, endpoint: emulator.url, deadline: 2_000 });
  count += 1;
  faults(() => undefined);
});
afterAll(() => emulator.close());

const name = () => `contexts/${count}/task.json`;
const stored = () => emulator.buckets.get(bucket).objects.get(name()) ?? [];

function faults(plan: FaultPlan): void {
  calls = [];
  emulator.plan((call) => {
    calls.push(call.method);
    return plan(call);
  });
}
const times = (count: number, fault: StorageFault, method?: string): FaultPlan => {
  let left = count;
  return (call) => {
    if (method !== undefined && call.method !== method) return undefined;
    left -= 1;
    return left >= 0 ? fault : undefined;
  };
};

describe('a write whose answer was lost', () => {
  test('is known to be its own: it answers the generation and writes once', async () => {
    faults(times(1, 'lost-answer'));
    const written = await blobs.put(name(), text('a'), create);
    expect(written).toEqual({ generation: String(stored()[0]?.generation) });
    expect(stored()).toHaveLength(1);
  });

  test('is known also on top of a generation', async () => {
    const first = await blobs.put(name(), text('a'), create);
    faults(times(2, 'lost-answer', 'POST'));
    const expected = first === 'stale' ? '' : first.generation;
    const written = await blobs.put(name(), text('b'), { ...create, expect: expected });
    expect(written).toEqual({ generation: String(stored().at(-1)?.generation) });
    expect(stored()).toHaveLength(2);
  });

  test("is stale when the write that is there is another one's", async () => {
    await blobs.put(name(), text('other'), create);
    faults(times(1, 'unavailable'));
    expect(await blobs.put(name(), text('mine'), create)).toBe('stale');
    expect(stored()).toHaveLength(1);
  });

  test('costs a look only then: a stale write is one call', async () => {
    await blobs.put(name(), text('other'), create);
    calls = [];
    expect(await blobs.put(name(), text('mine'), create)).toBe('stale');
    expect(calls).toEqual(['POST']);
  });
});

describe('a service that does not work', () => {
  const unavailable = { name: 'Unavailable', advice: 'retry' };

  test.each(['unavailable', 'lost-answer', 'silence'] as const)(
    '(%s) is Unavailable',
    async (fault) => {
      blobs = createGcsBlobs({ bucket, endpoint: emulator.url, deadline: 300 });
      faults(() => fault);
      await expect(blobs.get(name())).rejects.toMatchObject(unavailable);
      await expect(blobs.put(name(), text('a'), create)).rejects.toMatchObject(unavailable);
      await expect(blobs.delete(name())).rejects.toMatchObject(unavailable);
      await expect(blobs.list('contexts', 10)).rejects.toMatchObject(unavailable);
    },
  );

  test('for a moment is not noticed', async () => {
    faults(times(2, 'unavailable'));
    await blobs.put(name(), text('a'), create);
    faults(times(2, 'lost-answer'));
    expect((await blobs.get(name()))?.body).toEqual(text('a'));
    faults(times(1, 'lost-answer', 'DELETE'));
    await blobs.delete(name());
    expect(stored()).toEqual([]);
  });

  test('and a bucket that is not there is waited for, as a right is', async () => {
    const nowhere = createGcsBlobs({ bucket: 'nowhere', endpoint: emulator.url });
    const refused = { name: 'ObjectsRefused', advice: 'wait' };
    await expect(nowhere.get(name())).rejects.toMatchObject(refused);
    await expect(nowhere.put(name(), text('a'), create)).rejects.toMatchObject(refused);
  });
});

test('every generation is deleted, and none of a longer name', async () => {
  const beside = `${name()}l`;
  await blobs.put(beside, text('beside'), create);
  let expected = 'absent';
  for (const body of ['a', 'b', 'c']) {
    const written = await blobs.put(name(), text(body), { ...create, expect: expected });
    expected = written === 'stale' ? '' : written.generation;
  }
  expect(stored()).toHaveLength(3);
  await blobs.delete(name());
  expect(stored()).toEqual([]);
  expect((await blobs.get(beside))?.body).toEqual(text('beside'));
});

test('an object that is replaced between the two calls of a read comes whole, as one of both', async () => {
  const first = await blobs.put(name(), text('old'), create);
  const expected = first === 'stale' ? '' : first.generation;
  let replaced = false;
  faults(({ url }) => {
    if (url.searchParams.get('alt') !== 'media' || replaced) return undefined;
    replaced = true;
    const given = { contentType: 'text/new' };
    emulator.buckets.write(bucket, name(), Buffer.from('new'), given, new URLSearchParams());
    const old = emulator.buckets.find(bucket, name(), Number(expected));
    emulator.buckets.delete(old, true);
    return undefined;
  });
  const found = await blobs.get(name());
  expect([new TextDecoder().decode(found?.body), found?.contentType]).toEqual(['new', 'text/new']);
});

test.each([[1], [1, 4]])(
  'a large body goes in pieces, and a piece that gets lost is sent again (answers lost: %j, %j)',
  async (...lost) => {
    const body = randomBytes(17 * 1024 * 1024);
    let puts = 0;
    faults(({ method }) =>
      method === 'PUT' && lost.includes((puts += 1)) ? 'lost-answer' : undefined,
    );
    const written = await blobs.put(name(), body, create);
    expect(written).toEqual({ generation: String(stored()[0]?.generation) });
    expect(stored()[0]?.body.equals(body)).toBe(true);
    expect(calls.filter((method) => method === 'PUT').length).toBeGreaterThan(2);
  },
);

test('what is no generation is stale, also "0", which would say absent', async () => {
  for (const expected of ['0', 'none', '-1', '']) {
    expect(await blobs.put(name(), text('a'), { ...create, expect: expected })).toBe('stale');
  }
});

test('a large download prints no warning', async () => {
  const warnings: string[] = [];
  const note = ({ message }: Error): void => void warnings.push(message);
  process.on('warning', note);
  await blobs.put(name(), randomBytes(1024 * 1024), create);
  expect((await blobs.get(name()))?.body).toHaveLength(1024 * 1024);
  process.off('warning', note);
  expect(warnings).toEqual([]);
});

describe('streams', () => {
  const bytesOf = async (found: BlobStream | undefined) =>
    found === undefined ? undefined : buffer(found.body);
  const body = randomBytes(20 * 1024 * 1024);
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let at = 0; at < body.length; at += 1 << 16) yield body.subarray(at, at + (1 << 16));
  }
  const media = (fault: StorageFault, count: number): FaultPlan => {
    let left = count;
    return ({ url }) => (url.searchParams.get('alt') === 'media' && left-- > 0 ? fault : undefined);
  };

  test('a body that breaks off on its way out is gone on with where it broke off', async () => {
    await blobs.putStream(name(), pieces(), create);
    faults(media('broken-off', 5));
    const found = await blobs.getStream(name());
    expect((await bytesOf(found))?.equals(body)).toBe(true);
    faults(media('broken-off', 1));
    const range = await blobs.getStream(name(), { offset: 1_000_000, length: 3_000_000 });
    expect(await bytesOf(range)).toEqual(body.subarray(1_000_000, 4_000_000));
  });

  test('a body that comes no further is Unavailable, and so is one that was deleted meanwhile', async () => {
    await blobs.putStream(name(), pieces(), create);
    for (const end of [
      () => 'unavailable' as const,
      () => emulator.buckets.get(bucket).objects.clear(),
    ]) {
      let calls = 0;
      faults(() => (calls++ === 0 ? 'broken-off' : (end() ?? undefined)));
      const found = await blobs.getStream(name());
      await expect(bytesOf(found)).rejects.toMatchObject({ name: 'Unavailable' });
    }
  });

  test('one request reads a range, and a short stream is written by one', async () => {
    await blobs.putStream(name(), Readable.from([text('short')]), create);
    const found = await blobs.getStream(name(), { offset: 1, length: 2 });
    expect([await bytesOf(found), calls]).toEqual([Buffer.from('ho'), ['POST', 'GET']]);
  });

  test.each([[1], [3], [1, 4]])(
    'pieces that get lost on their way in are sent again, the last one, too (answers lost: %j, %j)',
    async (...lost) => {
      let puts = 0;
      faults(({ method }) =>
        method === 'PUT' && lost.includes((puts += 1)) ? 'lost-answer' : undefined,
      );
      const written = await blobs.putStream(name(), pieces(), create);
      expect(written).toEqual({ generation: String(stored()[0]?.generation) });
      expect(stored()[0]?.body.equals(body)).toBe(true);
    },
  );

  test('a body that arrived damaged is taken away, and is Unavailable', async () => {
    const written = emulator.buckets.write.bind(emulator.buckets);
    const damaged = vi.spyOn(emulator.buckets, 'write');
    damaged.mockImplementationOnce((at, to, _, ...rest) =>
      written(at, to, Buffer.from('x'), ...rest),
    );
    const put = blobs.putStream(name(), pieces(), create);
    await expect(put).rejects.toMatchObject({ name: 'Unavailable' });
    expect(stored()).toEqual([]);
  });

  test('a service that takes nothing is Unavailable, a body that is slow is waited for', async () => {
    blobs = createGcsBlobs({ bucket, endpoint: emulator.url, deadline: 50 });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    async function* slow(): AsyncGenerator<Uint8Array> {
      yield* pieces();
      await vi.advanceTimersByTimeAsync(60_000);
      yield text('end');
    }
    expect(await blobs.putStream(name(), slow(), create)).not.toBe('stale');
    const silent = Promise.withResolvers<void>();
    faults(({ method }) => {
      if (method === 'PUT') silent.resolve();
      return method === 'PUT' ? 'silence' : undefined;
    });
    const put = blobs.putStream(`${name()}2`, pieces(), create);
    const refused = expect(put).rejects.toMatchObject({ name: 'Unavailable' });
    await silent.promise;
    await vi.advanceTimersByTimeAsync(60_000);
    await refused;
  });
});
