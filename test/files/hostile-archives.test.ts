import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { extractArchive } from '../../shared/files/extract-archive.ts';
import { END, entry, folder, gnuLong, link, packed, pax, summed } from './crafted-archive.ts';
import { temporary } from './repository.ts';
import { snapshot } from './snapshot.ts';

const LIMITS = { count: 20, bytes: 1024 * 1024, fileBytes: 600_000, depth: 20, ratio: 200 };
const zeros = (bytes: number): Buffer => Buffer.alloc(bytes);
const many = (count: number, each: (n: number) => Buffer): Buffer[] =>
  Array.from({ length: count }, (_, n) => each(n));
const good = entry({ path: 'good', body: 'good' });
const damagedSum = (): Buffer => {
  const block = entry({ path: 'b' });
  block[0] = 0x63;
  return block;
};

/** What it is called, the archive, the path that is refused, and the words for it. */
const HOSTILE: readonly (readonly [string, Buffer, string, RegExp])[] = [
  ['a path that climbs out', packed(entry({ path: '../out' })), '../out', /leads out/],
  [
    'one that climbs out late',
    packed(entry({ path: 'a/b/../../../out' })),
    'a/b/../../../out',
    /leads out/,
  ],
  [
    'one that climbs within',
    packed(entry({ path: 'a/../b' })),
    'a/../b',
    /leads out of the folder, or about/,
  ],
  ['a folder that climbs out', packed(folder('../out/')), '../out/', /leads out/],
  ['an absolute path', packed(entry({ path: '/etc/out' })), '/etc/out', /absolute/],
  ['an absolute path after ./', packed(entry({ path: './/etc/out' })), './/etc/out', /leads out/],
  ['two slashes', packed(entry({ path: 'a//b' })), 'a//b', /leads out of the folder, or about/],
  ['a dot within', packed(entry({ path: 'a/./b' })), 'a/./b', /leads out of the folder, or about/],
  ['no name at all', packed(entry({ path: '' })), '', /leads out/],
  [
    'a path that climbs out by a pax header',
    packed(pax({ path: '../out' }), good),
    '../out',
    /leads out/,
  ],
  [
    'an absolute path by a long name of GNU tar',
    packed(gnuLong('/etc/out'), good),
    '/etc/out',
    /absolute/,
  ],
  ['a path from the prefix field', packed(prefixed('../x', 'out')), '../x/out', /leads out/],
  ['a backslash', packed(entry({ path: 'a\\..\\out' })), 'a\\..\\out', /backslash/],
  ['a control character', packed(entry({ path: 'a\nb' })), 'a\nb', /control character/],
  [
    'a name that is not UTF-8',
    packed(entry({ path: Buffer.from([0x61, 0xff]) })),
    '',
    /UTF-8 \(61ff\)/,
  ],
  ['a NUL in a pax header', packed(pax({ path: 'a\0b' }), good), '', /path that it can't have/],
  ['a long name', packed(gnuLong('x'.repeat(256)), good), 'x'.repeat(256), /255 bytes/],
  [
    'a long path',
    packed(gnuLong(Array(17).fill('y'.repeat(250)).join('/')), good),
    Array(17).fill('y'.repeat(250)).join('/'),
    /4096 bytes/,
  ],
  ['too deep', packed(entry({ path: 'a/'.repeat(20) + 'b' })), 'a/'.repeat(20) + 'b', /20 levels/],
  ["git's folder", packed(entry({ path: 'sub/.git/config' })), 'sub/.git', /git's own/],
  ["git's folder in capitals", packed(entry({ path: '.GIT/config' })), '.GIT', /git's own/],
  ["git's folder as Windows has it", packed(entry({ path: 'GIT~1' })), 'GIT~1', /git's own/],
  ["git's folder with an end that Windows drops", packed(folder('.git. ')), '.git. ', /git's own/],
  [
    "a stream of git's folder",
    packed(entry({ path: '.git::$INDEX_ALLOCATION' })),
    '.git::$INDEX_ALLOCATION',
    /git's own/,
  ],
  [
    "git's folder with a letter that is not seen",
    packed(folder('.g\u200cit')),
    '.g\u200cit',
    /git's own/,
  ],
  ["git's list of submodules", packed(entry({ path: '.gitmodules' })), '.gitmodules', /git's own/],
  [
    'names that differ by case',
    packed(entry({ path: 'README' }), entry({ path: 'readme' })),
    'readme',
    /differs from README/,
  ],
  [
    'folders that differ by case',
    packed(entry({ path: 'A/x' }), entry({ path: 'a/y' })),
    'a',
    /differs from A/,
  ],
  [
    'names that differ by how an accent is written',
    packed(entry({ path: '\u00e9' }), entry({ path: 'e\u0301' })),
    'e\u0301',
    /differs/,
  ],
  ['a file that comes twice', packed(good, good), 'good', /twice/],
  ['a folder that comes twice', packed(folder('a/'), folder('a')), 'a', /twice/],
  [
    'a file that is a folder later',
    packed(entry({ path: 'a' }), entry({ path: 'a/b' })),
    'a',
    /a file and a folder/,
  ],
  [
    'a folder that is a file later',
    packed(entry({ path: 'a/b' }), entry({ path: 'a' })),
    'a',
    /a folder and a file/,
  ],
  ['a link out', packed(link('a', '../out')), 'a', /leaves the folder/],
  ['an absolute link', packed(link('a', '/etc/passwd')), 'a', /leaves the folder/],
  [
    'a link out by way of a folder',
    packed(link('a/b', 'c/../../../out')),
    'a/b',
    /leaves the folder/,
  ],
  ['a link to nothing', packed(link('a', '')), 'a', /leaves the folder/],
  [
    'a long target out by GNU tar',
    packed(gnuLong('../'.repeat(40) + 'out', 'K'), link('a', 'b')),
    'a',
    /leaves/,
  ],
  [
    'a target out by a pax header',
    packed(pax({ linkpath: '../out' }), link('a', 'b')),
    'a',
    /leaves the folder/,
  ],
  [
    'a link, then a file through it',
    packed(link('a', 'b'), entry({ path: 'a/x' })),
    'a',
    /a link and a folder/,
  ],
  [
    'a link, then a file in its place',
    packed(link('a', 'b'), entry({ path: 'a' })),
    'a',
    /a link and a file/,
  ],
  [
    'a folder, then a link in its place',
    packed(folder('a'), link('a', 'b')),
    'a',
    /a folder and a link/,
  ],
  [
    'a file in place of all',
    packed(entry({ path: '.', body: entry({ path: 'b' }) })),
    '.',
    /the folder itself/,
  ],
  ['a link in place of all', packed(link('./', '/etc')), './', /the folder itself/],
  ['a long target', packed(gnuLong('b'.repeat(4_097), 'K'), link('a', 'b')), 'a', /4096 bytes/],
  [
    'a hard link out',
    packed(entry({ path: 'a', type: '1', target: '/etc/passwd' })),
    'a',
    /hard link/,
  ],
  [
    'a hard link within',
    packed(good, entry({ path: 'a', type: '1', target: 'good' })),
    'a',
    /hard link/,
  ],
  ['a character device', packed(entry({ type: '3' })), 'a', /device/],
  ['a block device', packed(entry({ type: '4' })), 'a', /device/],
  ['a pipe', packed(entry({ type: '6' })), 'a', /pipe/],
  ['a kind of its own', packed(entry({ type: 'V' })), 'a', /not known \("V"\)/],
  ['set-uid', packed(entry({ mode: 0o4755 })), 'a', /another user/],
  ['set-gid', packed(entry({ mode: 0o2755 })), 'a', /another user/],
  ['a sparse file of GNU tar', packed(entry({ type: 'S' })), 'a', /sparse/],
  ['a sparse file in a pax header', packed(pax({ 'GNU.sparse.major': '1' }), good), '', /sparse/],
  ['a path for all entries', packed(pax({ path: 'x' }, 'g'), good), '', /path that it can't have/],
  [
    'two paths in a pax header',
    packed(Buffer.concat([twoPaths(), good])),
    '',
    /path that it can't have/,
  ],
  ['a pax path and a long name', packed(pax({ path: 'x' }), gnuLong('y'), good), 'y', /two names/],
  ['a size of its own in a pax header', packed(pax({ size: '0' }), good), 'good', /two sizes/],
  [
    'a pax header that is none',
    packed(entry({ type: 'x', body: '99 path=x\n' }), good),
    '',
    /pax header/,
  ],
  ['a pax header without an entry', packed(pax({ path: 'x' })), '', /ends behind a long name/],
  [
    'a pax header that fills memory',
    packed(entry({ type: 'x', size: 900_000 })),
    '',
    /header of over/,
  ],
  ['a folder with a body', packed(entry({ path: 'a', type: '5', body: 'x' })), 'a', /has a body/],
  [
    'a link with a body',
    packed(entry({ path: 'a', type: '2', target: 'b', body: 'x' })),
    'a',
    /has a body/,
  ],
  [
    'a file over its limit',
    packed(entry({ body: zeros(600_001) })),
    'a',
    /600001 bytes; the limit is 600000/,
  ],
  ['a size that is a lie, and no body', packed(entry({ size: 500_000 })), 'a', /cut off/],
  ['a size beyond all numbers', packed(hugeSize()), '', /number that is none/],
  ['a negative size', packed(negativeSize()), '', /number that is none/],
  [
    'too many bytes together',
    packed(...many(3, (n) => entry({ path: `f${n}`, body: noise(500_000) }))),
    '',
    /1048576 bytes/,
  ],
  [
    'too many files',
    packed(...many(21, (n) => entry({ path: `f${n}` }))),
    '',
    /more than 20 files/,
  ],
  ['too many folders', packed(...many(22, (n) => folder(`d${n}`))), '', /more than 20 folders/],
  [
    'a bomb behind the last entry',
    gzipSync(Buffer.concat([good, zeros(8 * 1024 * 1024)])),
    '',
    /200 times its size/,
  ],
  ['a header with another sum', packed(damagedSum()), '', /damaged/],
  ['no tar file', gzipSync(Buffer.alloc(1024, 'x')), '', /no tar file/],
  ['no gzip file', Buffer.concat([good, END]), '', /no gzip file/],
  ['nothing', Buffer.alloc(0), '', /cut off/],
  ['a gzip file that is cut off', packed(good).subarray(0, -20), '', /cut off/],
  ['a gzip file that lacks its sum', packed(good).subarray(0, -8), '', /cut off/],
  ['a tar file that is cut off', gzipSync(good), '', /cut off/],
  ['a tar file that is cut off in a body', gzipSync(good.subarray(0, 514)), 'good', /cut off/],
  [
    'garbage behind the tar file',
    gzipSync(Buffer.concat([good, END, Buffer.from('x')])),
    '',
    /goes on/,
  ],
  [
    'a file behind the end',
    gzipSync(Buffer.concat([good, END, entry({ path: 'late' }), END])),
    '',
    /goes on/,
  ],
  [
    'garbage behind the gzip file',
    Buffer.concat([packed(good), Buffer.from('garbage')]),
    '',
    /damaged|goes on/,
  ],
  ['zeros behind the gzip file', Buffer.concat([packed(good), zeros(64)]), '', /goes on/],
  ['a damaged sum of the gzip file', flipped(packed(good), -6), '', /damaged/],
];

test.each(HOSTILE)(
  '%s is refused by name, and nothing is left or touched',
  async (_, archive, path, rule) => {
    const { outside, target } = place();
    const before = snapshot(outside);
    for (const piece of [archive.length || 1, archive.length < 10_000 ? 7 : 997]) {
      const refused = extractArchive(piecesOf(archive, piece), target, LIMITS);
      const error: unknown = await refused.then(
        () => 'extracted',
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({
        name: 'ArchiveRefused',
        advice: 'stop',
        path,
        rule: expect.stringMatching(rule),
      });
      expect(existsSync(target)).toBe(false);
      expect(snapshot(outside)).toEqual(before);
    }
  },
);

test('a source that breaks off is thrown as it is, and nothing is left', async () => {
  const { target } = place();
  const failure = Object.assign(new Error('the network'), { code: 'ECONNRESET' });
  async function* broken(): AsyncGenerator<Uint8Array> {
    yield packed(good, entry({ path: 'b', body: noise(100_000) })).subarray(0, 50_000);
    throw failure;
  }
  await expect(extractArchive(broken(), target, LIMITS)).rejects.toBe(failure);
  expect(existsSync(target)).toBe(false);
});

test('what is in the place already stays, be it a folder or a link to one', async () => {
  const { outside, target } = place();
  mkdirSync(target);
  writeFileSync(join(target, 'mine'), 'mine');
  await expect(extractArchive(piecesOf(packed(good), 9), target, LIMITS)).rejects.toThrow('EEXIST');
  expect(readFileSync(join(target, 'mine'), 'utf8')).toBe('mine');
  const linked = `${target}-link`;
  symlinkSync(outside, linked);
  const before = snapshot(outside);
  await expect(extractArchive(piecesOf(packed(good), 9), linked, LIMITS)).rejects.toThrow('EEXIST');
  expect(snapshot(outside)).toEqual(before);
});

test('a bomb is noticed before it is unpacked: of 1 GiB about a megabyte is', async () => {
  const { target } = place();
  const member = gzipSync(zeros(2 ** 24));
  const head = gzipSync(entry({ path: 'a', size: 2 ** 30 }));
  const bomb = Buffer.concat([head, ...Array.from({ length: 64 }, () => member)]);
  const limits = { ...LIMITS, bytes: 2 ** 31, fileBytes: 2 ** 31 };
  const taken: number[] = [];
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const piece of piecesOf(bomb, 512)) {
      taken.push(piece.byteLength);
      yield piece;
    }
  }
  await expect(extractArchive(counted(), target, limits)).rejects.toMatchObject({
    rule: 'unpacks to more than 200 times its size',
  });
  expect(taken.length * 512).toBeLessThan(100_000);
});

function place() {
  const home = temporary();
  const outside = join(home, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'out'), 'untouched');
  return { outside: home, target: join(outside, 'target') };
}

async function* piecesOf(bytes: Buffer, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Does not compress, and is the same each time. */
function noise(bytes: number): Buffer {
  let state = 1;
  return Buffer.from(
    Array.from({ length: bytes }, () => (state = (state * 48_271) % 2_147_483_647) & 255),
  );
}

function prefixed(prefix: string, path: string): Buffer {
  const block = entry({ path });
  block.write(prefix, 345);
  return summed(block);
}

function twoPaths(): Buffer {
  return entry({ path: 'PaxHeader', type: 'x', body: '10 path=a\n10 path=b\n' });
}

function hugeSize(): Buffer {
  const block = entry({});
  block.fill(0xff, 124, 136);
  block[124] = 0x80;
  return summed(block);
}

function negativeSize(): Buffer {
  const block = entry({});
  block.fill(0xff, 124, 136);
  return summed(block);
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  const index = copy.length + at;
  copy[index] = (copy[index] ?? 0) ^ 1;
  return copy;
}
