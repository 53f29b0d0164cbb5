import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Backend, Fields, Row, Value } from '../../shared/ports/backend.ts';
import { DOCUMENT_LIMIT, measureDocument } from '../../shared/store/limits.ts';

export interface OpenedBackend {
  readonly backend: Backend;
  /** A second one on the same data, as another process has it. */
  readonly other?: Backend;
  close(): Promise<void>;
}
export type OpenBackend = () => Promise<OpenedBackend>;

/** Reads and commits. Each test has documents of its own; nothing is cleared. */
export function backendSuite(name: string, open: OpenBackend): void {
  describe(`${name}: documents`, () => {
    let opened: OpenedBackend;
    let backend: Backend;
    beforeAll(async () => {
      opened = await open();
      ({ backend } = opened);
    });
    afterAll(() => opened.close());

    const somewhere = () => `tasks/${randomUUID()}`;
    const read = async (path: string): Promise<Row | undefined> => (await backend.read([path]))[0];
    const create = async (path: string, fields: Fields): Promise<Row> => {
      expect(await backend.commit([], [{ path, fields, expect: 'absent' }])).not.toBe('conflict');
      const row = await read(path);
      if (row === undefined) throw new Error('what was created is not there');
      return row;
    };

    test('documents come in the order asked for, with undefined for those that are not there', async () => {
      const [a, b] = [somewhere(), somewhere()];
      await create(a, { n: 1 });
      await create(b, { n: 2 });
      const rows = await backend.read([b, somewhere(), a, `${a}/events/1`, b]);
      expect(rows.map((row) => row?.fields)).toEqual([
        { n: 2 },
        undefined,
        { n: 1 },
        undefined,
        { n: 2 },
      ]);
      expect(rows.map((row) => row?.path)).toEqual([b, undefined, a, undefined, b]);
      expect(await backend.read([])).toEqual([]);
    });

    test('nested values and bytes come back as they were', async () => {
      const fields: Fields = {
        nothing: null,
        flags: [true, false],
        numbers: [0, -1, 1.5, 1e-7, 5e300, Number.MAX_SAFE_INTEGER],
        text: 'ä\u0000\u{1F600}"\\\n',
        empty: { text: '', list: [], map: {}, bytes: new Uint8Array(0) },
        bytes: Uint8Array.from({ length: 1_000 }, (_, at) => at & 255),
        deep: [{ a: [{ bytes: Uint8Array.of(1, 2), b: { bytes: Uint8Array.of(255) } }] }],
        'a key.with `marks`': 1,
      };
      const path = somewhere();
      expect((await create(path, fields)).fields).toEqual(fields);
    });

    test('lists of lists come back as they were', async () => {
      const fields: Fields = { grid: [[1, [2, []]], [], [Uint8Array.of(7), { list: [[null]] }]] };
      expect((await create(somewhere(), fields)).fields).toEqual(fields);
    });

    test('user data that looks like an encoding of bytes stays what it is', async () => {
      const lookalike: Value = { $: [0, 1], $$: { $: [0, 1] }, $bytes: 'AA==', type: 'Buffer' };
      const bare: Fields = { a: lookalike, $: [0, 1] };
      expect((await create(somewhere(), bare)).fields).toEqual(bare);
      const mixed: Fields = { ...bare, bytes: Uint8Array.of(1, 2, 3), list: [lookalike] };
      expect((await create(somewhere(), mixed)).fields).toEqual(mixed);
    });

    test('a part of a larger buffer is stored alone', async () => {
      const part = Uint8Array.of(1, 2, 3, 4).subarray(1, 3);
      expect((await create(somewhere(), { part })).fields).toEqual({ part: Uint8Array.of(2, 3) });
    });

    test('of two commits that expect the same version exactly one is written', async () => {
      const row = await create(somewhere(), { n: 0 });
      const contenders = Array.from({ length: 16 }, (_, n) =>
        backend.commit([], [{ path: row.path, fields: { n }, expect: row.version }]),
      );
      const outcomes = await Promise.all(contenders);
      expect(outcomes.filter((outcome) => outcome !== 'conflict')).toHaveLength(1);
      expect((await read(row.path))?.fields).toEqual({
        n: outcomes.findIndex((outcome) => outcome !== 'conflict'),
      });
    });

    test('of two that create the same document exactly one does', async () => {
      const path = somewhere();
      const creations = Array.from({ length: 16 }, (_, n) =>
        backend.commit([], [{ path, fields: { n }, expect: 'absent' }]),
      );
      const outcomes = await Promise.all(creations);
      expect(outcomes.filter((outcome) => outcome !== 'conflict')).toHaveLength(1);
      expect((await read(path))?.fields).toEqual({
        n: outcomes.findIndex((outcome) => outcome !== 'conflict'),
      });
    });

    test('one expectation that fails keeps the whole commit from being written', async () => {
      const row = await create(somewhere(), { n: 0 });
      const [first, last] = [somewhere(), somewhere()];
      const outcome = await backend.commit(
        [],
        [
          { path: first, fields: { n: 1 }, expect: 'absent' },
          { path: row.path, fields: { n: 1 }, expect: 'absent' },
          { path: last, fields: { n: 1 }, expect: 'any' },
        ],
      );
      expect(outcome).toBe('conflict');
      expect(await backend.read([first, row.path, last])).toEqual([undefined, row, undefined]);
    });

    test('a document that is only checked conflicts when it has changed, come or gone', async () => {
      const checked = await create(somewhere(), { n: 0 });
      const path = somewhere();
      const commit = (expected: string, on = checked.path) =>
        backend.commit([{ path: on, expect: expected }], [{ path, fields: {}, expect: 'any' }]);
      expect(await commit('absent')).toBe('conflict');
      expect(await commit(checked.version, somewhere())).toBe('conflict');
      expect(await read(path)).toBeUndefined();
      expect(await commit('absent', somewhere())).not.toBe('conflict');
      expect(await commit(checked.version)).not.toBe('conflict');
      await backend.commit([], [{ path: checked.path, fields: { n: 0 }, expect: 'any' }]);
      expect(await commit(checked.version)).toBe('conflict');
    });

    test('a commit tells the version of each document that it wrote, and a check has none', async () => {
      const [checked, old] = [await create(somewhere(), {}), await create(somewhere(), {})];
      const [fresh, gone] = [somewhere(), old.path];
      const outcome = await backend.commit(
        [{ path: checked.path, expect: checked.version }],
        [
          { path: fresh, fields: { n: 1 }, expect: 'absent' },
          { path: gone, fields: undefined, expect: old.version },
          { path: checked.path.replace(/$/, '-too'), fields: { n: 2 }, expect: 'any' },
        ],
      );
      if (outcome === 'conflict') throw new Error(outcome);
      const [first, deleted, last] = outcome.versions;
      expect(first).toBe((await read(fresh))?.version);
      expect(deleted).toBeUndefined();
      expect(last).toBe((await read(`${checked.path}-too`))?.version);
    });

    test('a replaced document keeps nothing of the old one', async () => {
      const row = await create(somewhere(), { old: 1, bytes: Uint8Array.of(1) });
      await backend.commit([], [{ path: row.path, fields: { fresh: 2 }, expect: row.version }]);
      expect((await read(row.path))?.fields).toEqual({ fresh: 2 });
    });

    test('a write that expects anything creates and replaces', async () => {
      const path = somewhere();
      for (const n of [1, 2]) {
        expect(await backend.commit([], [{ path, fields: { n }, expect: 'any' }])).not.toBe(
          'conflict',
        );
        expect((await read(path))?.fields).toEqual({ n });
      }
    });

    test('a document is deleted at its version only, and deleting nothing is success', async () => {
      const row = await create(somewhere(), { n: 1 });
      const { path } = row;
      await backend.commit([], [{ path, fields: { n: 2 }, expect: row.version }]);
      const remove = (expected: string) =>
        backend.commit([], [{ path, fields: undefined, expect: expected }]);
      expect(await remove(row.version)).toBe('conflict');
      expect(await remove((await read(path))?.version ?? '')).not.toBe('conflict');
      expect(await read(path)).toBeUndefined();
      expect(await remove(row.version)).toBe('conflict');
      expect(await remove('any')).not.toBe('conflict');
    });

    test('a version never comes back, also when the document is deleted and made anew', async () => {
      const path = somewhere();
      const seen = new Set<string>();
      for (let n = 0; n < 5; n += 1) {
        seen.add((await create(path, { same: true })).version);
        await backend.commit([], [{ path, fields: { same: true }, expect: 'any' }]);
        seen.add((await read(path))?.version ?? '');
        await backend.commit([], [{ path, fields: undefined, expect: 'any' }]);
      }
      expect(seen.size).toBe(10);
    });

    test('a document of one parent is not found under another', async () => {
      const [a, b] = [somewhere(), somewhere()];
      await create(`${a}/events/1`, { of: 'a' });
      expect(await backend.read([`${b}/events/1`, a])).toEqual([undefined, undefined]);
      expect((await read(`${a}/events/1`))?.fields).toEqual({ of: 'a' });
    });

    test('another process sees a commit as soon as it is made, and its versions', async () => {
      const other = opened.other ?? backend;
      const row = await create(somewhere(), { n: 1 });
      expect(await other.read([row.path])).toEqual([row]);
      const { path, version } = row;
      expect(await other.commit([], [{ path, fields: { n: 2 }, expect: version }])).not.toBe(
        'conflict',
      );
      expect(await backend.commit([], [{ path, fields: { n: 3 }, expect: version }])).toBe(
        'conflict',
      );
      expect((await read(path))?.fields).toEqual({ n: 2 });
    });

    test('a document at the limit is stored, and one byte more is refused unsent', async () => {
      const path = somewhere();
      const rest = DOCUMENT_LIMIT - measureDocument(path, { bytes: new Uint8Array(0) }).size;
      const bytes = new Uint8Array(rest + 1);
      await expect(
        backend.commit([], [{ path, fields: { bytes }, expect: 'any' }]),
      ).rejects.toMatchObject({ name: 'TooLarge', advice: 'stop' });
      expect(await read(path)).toBeUndefined();
      const row = await create(path, { bytes: bytes.subarray(1) });
      expect(row.fields['bytes']).toHaveLength(rest);
    });

    test('a commit over the limit is refused, however small its documents are', async () => {
      const paths = Array.from({ length: 4 }, somewhere);
      const bytes = new Uint8Array(1_000_000);
      const writes = paths.map((path) => ({ path, fields: { bytes }, expect: 'any' as const }));
      await expect(backend.commit([], writes)).rejects.toMatchObject({ name: 'TooLarge' });
      expect(await backend.read(paths)).toEqual([undefined, undefined, undefined, undefined]);
    });

    test.each<[string, Value]>([
      ['NaN', { list: [Number.NaN] }],
      ['infinity', Number.POSITIVE_INFINITY],
      ['a reserved field name', { __proto: { __name__: 1 } }],
      ['an empty field name', { '': 1 }],
      ['too many levels', Array.from({ length: 21 }).reduce<Value>((inner) => [inner], 1)],
    ])('%s is refused before anything is written', async (_name, value) => {
      const path = somewhere();
      const commit = backend.commit([], [{ path, fields: { value }, expect: 'any' }]);
      await expect(commit).rejects.toMatchObject({ advice: 'stop' });
      expect(await read(path)).toBeUndefined();
    });

    test.each([
      '',
      'tasks',
      'tasks/',
      '/tasks/a',
      'tasks//events/1',
      'tasks/a/events',
      'tasks/.',
      'tasks/../runs/a',
      'tasks/__a__',
      'strangers/a',
      'strangers/a/events/1',
      'sqlite_master/a',
      `tasks/${'x'.repeat(1_501)}`,
      'tasks/\ud800',
    ])('the path %j names no document and is refused by every call', async (path) => {
      const refused = { advice: 'stop' };
      const write = { path, fields: {}, expect: 'any' as const };
      await expect(backend.read([path])).rejects.toMatchObject(refused);
      await expect(backend.commit([], [write])).rejects.toMatchObject(refused);
      await expect(
        backend.commit([{ path, expect: 'absent' }], [{ ...write, path: somewhere() }]),
      ).rejects.toMatchObject(refused);
    });

    test.each(['..', 'a:b', "it's", 'ä\u{1F600}', '%', 'x'.repeat(1_500)])(
      'the id %j is taken literally',
      async (id) => {
        const path = `${somewhere()}/events/${id === '..' ? 'a..b' : id}`;
        expect((await create(path, { id })).path).toBe(path);
      },
    );
  });
}
