import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Blobs } from '../../shared/ports/blobs.ts';

export interface OpenedBlobs {
  readonly blobs: Blobs;
  /** A second one on the same objects, as another process has it. */
  readonly other?: Blobs;
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
      expect(await blobs.list(at, 10)).toEqual([]);
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
      expect(await blobs.list(`${root}/`, 100)).toEqual(sorted);
      expect(await blobs.list(`${root}/a/`, 100)).toEqual([`${root}/a/b/c`, `${root}/a/x`]);
      const walked: string[] = [];
      for (let after: string | undefined; ; after = walked.at(-1)) {
        const page = await blobs.list(`${root}/`, 2, after);
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
      expect(await blobs.list(at, 2)).toEqual([at]);
    });

    test.each(['', '/', '/a', 'a/', 'a//b', '.', '..', 'a/../b', '../a', 'a/.', 'x'.repeat(256)])(
      'the name %j is refused by every call',
      async (bad) => {
        const refused = { advice: 'stop' };
        await expect(blobs.get(bad)).rejects.toMatchObject(refused);
        await expect(blobs.put(bad, text('x'), json('absent'))).rejects.toMatchObject(refused);
        await expect(blobs.delete(bad)).rejects.toMatchObject(refused);
      },
    );

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
  });
}
