import { createHash, randomUUID } from 'node:crypto';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Blobs, ByteRange } from '../../shared/ports/blobs.ts';

export interface OpenedBlobs {
  readonly blobs: Blobs;
  /** A second one on the same objects, as another process has it. */
  readonly other?: Blobs;
  /** Bytes of unfinished writes that have left the writer's memory; absent: they never do. */
  readonly pending?: () => number;
  close(): Promise<void>;
}

const text = (body: string) => new TextEncoder().encode(body);
const json = (expected: string) => ({ contentType: 'application/json', expect: expected });

/** Objects by name. Each test has a prefix of its own; nothing is cleared. */
export function blobsSuite(name: string, open: () => Promise<OpenedBlobs>): void {
  describe(`${name}: objects`, () => {
    let opened: OpenedBlobs;
    let blobs: Blobs;
    beforeAll(async () => {
      opened = await open();
      ({ blobs } = opened);
    });
    afterAll(() => opened.close());

    const somewhere = () => `contexts/${randomUUID()}/task.json`;
    const create = async (at: string, body = 'old'): Promise<string> => {
      const written = await blobs.put(at, text(body), json('absent'));
      if (written === 'stale') throw new Error('no other writer creates this object');
      return written.generation;
    };
    const bodyOf = async (at: string) => {
      const found = await blobs.get(at);
      return found === undefined ? undefined : new TextDecoder().decode(found.body);
    };

    const namesOf = async (...query: Parameters<Blobs['list']>) =>
      (await blobs.list(...query)).map(({ name }) => name);

    test('an object comes back with its body, type, metadata and generation', async () => {
      const at = somewhere();
      const body = Uint8Array.from({ length: 100_000 }, (_, n) => n & 255);
      const metadata = { run: 'r-1', note: 'with "quotes"' };
      const written = await blobs.put(at, body, {
        contentType: 'application/gzip',
        metadata,
        expect: 'absent',
      });
      const found = await blobs.get(at);
      expect(found?.contentType).toBe('application/gzip');
      expect(found?.metadata).toEqual(metadata);
      expect(written).toEqual({ generation: found?.generation });
      expect(Buffer.compare(found?.body ?? new Uint8Array(0), body)).toBe(0);
    });

    test('an empty object is there, one that was never written is not', async () => {
      const at = somewhere();
      await create(at, '');
      expect((await blobs.get(at))?.body).toHaveLength(0);
      expect(await blobs.get(somewhere())).toBeUndefined();
    });

    test('creating what exists writes nothing', async () => {
      const at = somewhere();
      await create(at);
      expect(await blobs.put(at, text('new'), json('absent'))).toBe('stale');
      expect(await bodyOf(at)).toBe('old');
    });

    test('of two writers that expect the same generation exactly one writes', async () => {
      const at = somewhere();
      const generation = await create(at);
      const writers = [blobs, opened.other ?? blobs];
      const puts = Array.from({ length: 8 }, (_, n) =>
        (writers[n % 2] ?? blobs).put(at, text(`writer ${n}`), json(generation)),
      );
      const results = await Promise.all(puts);
      const winners = results.flatMap((result, n) => (result === 'stale' ? [] : [{ n, result }]));
      expect(winners).toHaveLength(1);
      expect(await bodyOf(at)).toBe(`writer ${winners[0]?.n}`);
      expect((await blobs.get(at))?.generation).toBe(winners[0]?.result.generation);
    });

    test('of two that create the same object exactly one does', async () => {
      const at = somewhere();
      const writers = [blobs, opened.other ?? blobs];
      const puts = Array.from({ length: 8 }, (_, n) =>
        (writers[n % 2] ?? blobs).put(at, text('same body'), json('absent')),
      );
      const results = await Promise.all(puts);
      const generations = results.flatMap((result) =>
        result === 'stale' ? [] : [result.generation],
      );
      expect(generations).toEqual([(await blobs.get(at))?.generation]);
    });

    test('a write that expects a generation of an object that is gone writes nothing', async () => {
      const at = somewhere();
      const generation = await create(at);
      await blobs.delete(at);
      expect(await blobs.put(at, text('new'), json(generation))).toBe('stale');
      expect(await blobs.get(at)).toBeUndefined();
    });

    test('each write has a new generation, also of the same body and after a deletion', async () => {
      const at = somewhere();
      const first = await create(at, 'same');
      const replaced = await blobs.put(at, text('same'), {
        contentType: 'text/plain',
        expect: first,
      });
      expect(replaced).not.toBe('stale');
      expect((await blobs.get(at))?.contentType).toBe('text/plain');
      expect(await blobs.put(at, text('same'), json(first))).toBe('stale');
      await blobs.delete(at);
      const again = await create(at, 'same');
      expect(new Set([first, again, replaced === 'stale' ? first : replaced.generation]).size).toBe(
        3,
      );
    });

    test('deleting takes the object away, and deleting nothing is success', async () => {
      const at = somewhere();
      await create(at);
      await blobs.delete(at);
      expect(await blobs.get(at)).toBeUndefined();
      expect(await namesOf(at, 10)).toEqual([]);
      await blobs.delete(at);
    });

    test('names come by prefix in binary order, page by page', async () => {
      const root = `contexts/${randomUUID()}`;
      const names = ['a-1/x', 'a/b/c', 'a/x', 'a0', 'B', 'a.b', 'ä', '\uffee', '\u{1F600}'];
      for (const each of names) await create(`${root}/${each}`);
      await create(`${root}x/a`);
      const sorted = names
        .map((each) => `${root}/${each}`)
        .sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      expect(await namesOf(`${root}/`, 100)).toEqual(sorted);
      expect(await namesOf(`${root}/a/`, 100)).toEqual([`${root}/a/b/c`, `${root}/a/x`]);
      const walked: string[] = [];
      for (let after: string | undefined; ; after = walked.at(-1)) {
        const page = await namesOf(`${root}/`, 2, after);
        if (page.length === 0) break;
        walked.push(...page);
      }
      expect(walked).toEqual(sorted);
    });

    test.each([
      'a:b@c=d+e~f.g_h-i',
      'with space',
      'percent%41',
      'back\\slash',
      'trailing.',
      'con',
      'NUL.txt',
      '...',
      '\u202eright',
      '*?"<>|',
      'x'.repeat(255),
      ':'.repeat(255),
      'ä'.repeat(127),
    ])('the segment %j is taken literally', async (segment) => {
      const at = `contexts/${randomUUID()}/${segment}/task.json`;
      await create(at, segment);
      expect(await bodyOf(at)).toBe(segment);
      expect(await namesOf(at, 2)).toEqual([at]);
    });

    test.each([
      '',
      '/',
      '/a',
      'a/',
      'a//b',
      '.',
      '..',
      'a/../b',
      '../a',
      'a/.',
      'x'.repeat(256),
      'a\nb',
      'a\rb',
      'a/'.repeat(512) + 'b',
    ])('the name %j is refused by every call', async (bad) => {
      const refused = { advice: 'stop' };
      await expect(blobs.get(bad)).rejects.toMatchObject(refused);
      await expect(blobs.put(bad, text('x'), json('absent'))).rejects.toMatchObject(refused);
      await expect(blobs.delete(bad)).rejects.toMatchObject(refused);
      await expect(blobs.getStream(bad)).rejects.toMatchObject(refused);
      await expect(blobs.putStream(bad, piecesOf(['x']), json('absent'))).rejects.toMatchObject(
        refused,
      );
    });

    test('a reader beside writers sees one of the bodies whole, with its own type', async () => {
      const at = somewhere();
      const other = opened.other ?? blobs;
      const body = (n: number) => text(String(n % 10).repeat(50_000));
      const type = (digit: string) => `text/x-${digit}`;
      const first = await blobs.put(at, body(0), { contentType: type('0'), expect: 'absent' });
      let generation = first === 'stale' ? '' : first.generation;
      for (let n = 1; n <= 20; n += 1) {
        const write = { contentType: type(String(n % 10)), expect: generation };
        const [written, seen] = await Promise.all([blobs.put(at, body(n), write), other.get(at)]);
        const found = new TextDecoder().decode(seen?.body);
        expect(found).toBe(found.charAt(0).repeat(50_000));
        expect(seen?.contentType).toBe(type(found.charAt(0)));
        if (written === 'stale') throw new Error('no other writer has this object');
        generation = written.generation;
      }
    });

    test('a listing tells the size and when the object was written', async () => {
      const root = `contexts/${randomUUID()}`;
      for (const [at, body] of [
        ['a', ''],
        ['b', 'four'],
      ] as const)
        await create(`${root}/${at}`, body);
      const [first, second] = await blobs.list(`${root}/`, 10);
      expect([first?.size, second?.size]).toEqual([0, 4]);
      expect(first?.createdAt).toBeGreaterThan(Date.UTC(2020));
      expect(second?.createdAt).toBeGreaterThanOrEqual(first?.createdAt ?? Infinity);
    });

    describe('streams', () => {
      const read = async (at: string, range?: ByteRange) => {
        const found = await blobs.getStream(at, range);
        return found && { size: found.size, body: await readText(found.body) };
      };

      test('a body written in pieces is read in pieces, with its type and generation', async () => {
        const at = somewhere();
        const write = { ...json('absent'), metadata: { run: 'r-1' } };
        const written = await blobs.putStream(at, piecesOf(['one ', '', 'two ', 'three']), write);
        expect(await blobs.get(at)).toEqual({
          body: text('one two three'),
          contentType: 'application/json',
          metadata: { run: 'r-1' },
          generation: written === 'stale' ? '' : written.generation,
        });
        expect(await read(at)).toEqual({ size: 13, body: 'one two three' });
      });

      test('an empty body is a body, and of what was never written there is no stream', async () => {
        const at = somewhere();
        await blobs.putStream(at, piecesOf([]), json('absent'));
        expect(await read(at)).toEqual({ size: 0, body: '' });
        expect(await read(somewhere())).toBeUndefined();
      });

      test.each([
        [{ offset: 0 }, '0123456789'],
        [{ offset: 4 }, '456789'],
        [{ offset: 0, length: 1 }, '0'],
        [{ offset: 2, length: 3 }, '234'],
        [{ offset: 9, length: 1 }, '9'],
        [{ offset: 8, length: 100 }, '89'],
        [{ offset: 10, length: 1 }, ''],
        [{ offset: 1_000 }, ''],
      ])('the range %j is %j', async (range, expected) => {
        const at = somewhere();
        await create(at, '0123456789');
        expect(await read(at, range)).toEqual({ size: 10, body: expected });
      });

      test('the expectation holds for a stream as for a whole body', async () => {
        const at = somewhere();
        const put = (body: string, expected: string) =>
          blobs.putStream(at, piecesOf([body]), json(expected));
        expect(await put('early', 'none')).toBe('stale');
        const first = await put('first', 'absent');
        expect(await put('second', 'absent')).toBe('stale');
        const replaced = await put('third', first === 'stale' ? '' : first.generation);
        expect(await put('fourth', first === 'stale' ? '' : first.generation)).toBe('stale');
        expect(await bodyOf(at)).toBe('third');
        expect(replaced).toEqual({ generation: (await blobs.get(at))?.generation });
      });

      test('a body that fails on its way is thrown as it is, and leaves the old object', async () => {
        for (const bytes of [10, LARGE]) {
          const at = somewhere();
          const generation = await create(at);
          const failure = Object.assign(new Error('the disk'), { code: 'EIO' });
          const body = generated(bytes, () => Promise.reject(failure));
          await expect(blobs.putStream(at, body, json(generation))).rejects.toBe(failure);
          expect(await bodyOf(at)).toBe('old');
        }
      });

      test('a body that is not read to its end is closed', async () => {
        const at = somewhere();
        await create(at);
        const closed: string[] = [];
        const body = generated(
          LARGE,
          async () => void closed.push('end'),
          () => closed.push('closed'),
        );
        expect(await blobs.putStream(at, body, json('absent'))).toBe('stale');
        expect(closed.length === 0 || closed.at(-1) === 'closed').toBe(true);
      });

      test('a large body goes in and out in pieces, of which few are in memory', async () => {
        const at = somewhere();
        const held: number[] = [];
        const pieces = generated(
          LARGE,
          async () => {},
          (given) => held.push(given - (opened.pending?.() ?? given)),
        );
        await blobs.putStream(at, pieces, json('absent'));
        expect(Math.max(...held.slice(0, -1))).toBeLessThanOrEqual(20 * MEBIBYTE);
        const found = await blobs.getStream(at);
        const hash = createHash('sha256');
        let largest = 0;
        for await (const piece of found?.body ?? []) {
          hash.update(piece);
          largest = Math.max(largest, piece.byteLength);
        }
        expect(found?.size).toBe(LARGE);
        expect(largest).toBeLessThanOrEqual(MEBIBYTE);
        expect(hash.digest('hex')).toBe(await digestOf(generated(LARGE)));
      });

      test('a reader keeps the generation that it opened, whatever replaces it', async () => {
        const at = somewhere();
        const first = await blobs.putStream(at, generated(LARGE), json('absent'));
        const found = await blobs.getStream(at);
        const iterator = found?.body[Symbol.asyncIterator]();
        const hash = createHash('sha256');
        let next = await iterator?.next();
        const expected = first === 'stale' ? '' : first.generation;
        await (opened.other ?? blobs).put(at, text('new'), json(expected));
        for (; next !== undefined && next.done !== true; next = await iterator?.next())
          hash.update(next.value);
        expect(hash.digest('hex')).toBe(await digestOf(generated(LARGE)));
        expect(await bodyOf(at)).toBe('new');
      });
    });
  });
}

const MEBIBYTE = 1024 * 1024;
const LARGE = 40 * MEBIBYTE + 7;

async function* piecesOf(bodies: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const body of bodies) yield new TextEncoder().encode(body);
}

/** A body that is made while it is read, in pieces of 64 KiB; each tells what went before it. */
async function* generated(
  bytes: number,
  end: () => Promise<unknown> = async () => {},
  told: (given: number) => unknown = () => {},
): AsyncGenerator<Uint8Array> {
  let given = 0;
  try {
    for (; given < bytes; ) {
      const piece = new Uint8Array(Math.min(64 * 1024, bytes - given)).fill(given >> 16);
      given += piece.byteLength;
      told(given);
      yield piece;
    }
    await end();
  } finally {
    told(given);
  }
}

async function digestOf(body: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of body) hash.update(piece);
  return hash.digest('hex');
}
