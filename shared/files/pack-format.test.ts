import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { seededIds } from '../../testing/seeded-ids.ts';
import { decodeCommit, encodeCommit, saysTheSame } from './commit-text.ts';
import { EMPTY_TREE, objectId } from './object-id.ts';
import { decodeEntryHeader, encodeEntryHeader } from './pack-entry.ts';
import { encodeIndex, PackIndex } from './pack-index.ts';
import { decodeTree, encodeTree, FILE, FOLDER, LINK, PROGRAM } from './tree.ts';

const ids = seededIds(3);
const bytes = (count: number) => ids.bytes(count);
const random = () => ids.random();
const hex = (count: number) => Buffer.from(bytes(count)).toString('hex');

test('an index finds every object of a pack of more than 4 GiB, and none that is not in it', () => {
  let offset = 12;
  const entries = Array.from({ length: 3_000 }, () => {
    const entry = { id: hex(20), offset, crc: crc32(bytes(4)) };
    offset += 100 + Math.floor(random() * 4_000_000);
    return entry;
  });
  expect(offset).toBeGreaterThan(2 ** 32);
  const index = new PackIndex(encodeIndex(entries, bytes(20)));
  expect([...index.entries()]).toEqual(entries.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  for (const [at, entry] of entries.entries()) {
    expect(index.find(entry.id)).toBe(entry.offset);
    const end = entries[at + 1]?.offset ?? offset;
    expect(index.endOf(entry.offset, offset + 20)).toBe(end);
  }
  for (let at = 0; at < 1_000; at += 1) expect(index.find(hex(20))).toBeUndefined();
});

test('an index that is cut off or changed in one bit is refused', () => {
  const index = encodeIndex([{ id: hex(20), offset: 12, crc: 1 }], bytes(20));
  for (const length of [0, 8, 1_000, index.length - 1]) {
    expect(() => new PackIndex(index.subarray(0, length))).toThrow("can't be read");
  }
  for (let at = 0; at < index.length; at += 1) {
    const changed = Buffer.from(index);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(() => new PackIndex(changed), `byte ${at}`).toThrow("can't be read");
  }
});

test('the header of an entry keeps kind and size, also over 32 bits', () => {
  for (const kind of ['commit', 'tree', 'blob'] as const) {
    for (const size of [0, 1, 15, 16, 2_047, 2_048, 2 ** 31, 2 ** 32 + 5, 2 ** 45 + 1]) {
      const header = encodeEntryHeader(kind, size);
      const more = Buffer.concat([header, bytes(5)]);
      expect(decodeEntryHeader(more)).toEqual({ kind, size, length: header.length });
    }
  }
});

test('deltas, tags and a header without end are refused', () => {
  for (const first of [0x00, 0x40, 0x50, 0x60, 0x70]) {
    expect(() => decodeEntryHeader(Buffer.from([first]))).toThrow("can't be read");
  }
  expect(() => decodeEntryHeader(Buffer.alloc(12, 0xbf))).toThrow("can't be read");
  expect(() => decodeEntryHeader(Buffer.from([0xb0]))).toThrow("can't be read");
});

test("a tree stands in git's order: by bytes, a folder as if its name ended in a slash", () => {
  const id = objectId('blob', Buffer.from('x'));
  const entries = [
    { name: 'a', mode: FOLDER, id: EMPTY_TREE },
    { name: 'a.b', mode: PROGRAM, id },
    { name: 'a-b', mode: FILE, id },
    { name: 'a0', mode: LINK, id },
    { name: '\uffee', mode: FILE, id },
    { name: '\u{1d49c}', mode: FILE, id },
  ] as const;
  const names = decodeTree(encodeTree(entries)).map(({ name }) => name);
  expect(names).toEqual(['a-b', 'a.b', 'a', 'a0', '\uffee', '\u{1d49c}']);
  expect(objectId('tree', encodeTree([]))).toBe(EMPTY_TREE);
});

test('a tree with an entry that our writer never makes is refused', () => {
  const entry = (text: string) => Buffer.concat([Buffer.from(`${text}\0`), Buffer.alloc(20, 7)]);
  for (const name of ['', '.', '..', 'a/b', '../x']) {
    expect(() => decodeTree(entry(`100644 ${name}`)), name).toThrow("can't be read");
  }
  for (const mode of ['100664', '160000', '040000', '120755', '']) {
    expect(() => decodeTree(entry(`${mode} a`)), mode).toThrow("can't be read");
  }
  const [a, b] = [entry('100644 a'), entry('100644 b')];
  for (const body of [
    Buffer.concat([b, a]),
    Buffer.concat([a, a]),
    a.subarray(0, -1),
    a.subarray(0, 5),
  ]) {
    expect(() => decodeTree(body)).toThrow("can't be read");
  }
  expect(decodeTree(Buffer.concat([a, b]))).toHaveLength(2);
});

test('what the words of a commit hold can end no field of it', () => {
  const words = {
    author: 'eve <root@host> 1 +0000\ncommitter x',
    message: '\nline\0one\n\nNonce: 00\ntwo ',
    at: 1_800_000_123_456,
    parents: [hex(20), hex(20)],
  };
  const text = encodeCommit(EMPTY_TREE, words, 'abcd');
  const lines = text.toString().split('\n');
  expect(lines[3]).toBe('author eve root@host 1 +0000 committer x <> 1800000123 +0000');
  expect(text.includes(0)).toBe(false);
  const read = decodeCommit(text);
  expect(read).toMatchObject({ tree: EMPTY_TREE, parents: words.parents });
  expect(read.message).toBe('line one\n\nNonce: 00\ntwo');
  expect(saysTheSame(read, EMPTY_TREE, words)).toBe(true);
  expect(saysTheSame(read, EMPTY_TREE, { ...words, message: 'other' })).toBe(false);
  expect(saysTheSame(read, EMPTY_TREE, { ...words, parents: [] })).toBe(false);
});
