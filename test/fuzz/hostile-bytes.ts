import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';

/** What becomes of a body on its way: most arrive as they were. */
export interface Mangled {
  readonly bytes: Uint8Array;
  readonly encoding?: string;
}

type Change = (bytes: Buffer) => Mangled;

const at = fc.nat({ max: 10_000 });
const plain =
  (change: (bytes: Buffer) => Uint8Array): Change =>
  (bytes) => ({
    bytes: change(bytes),
  });

/** Something that JSON text may hold and no serializer writes. */
const ODD_JSON = [
  '1e999999',
  '-0',
  '9'.repeat(1_000),
  'NaN',
  'Infinity',
  'undefined',
  '"\\ud800"',
  '{"a":1,"a":2}',
  '{"__proto__":{"x":1},"constructor":{"prototype":{"x":1}}}',
  '[1,]',
  '/* c */ 1',
  "'single'",
  '"\u0000"',
  '['.repeat(100_000),
  `${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}`,
];

const change: fc.Arbitrary<Change> = fc.oneof(
  { weight: 40, arbitrary: fc.constant(plain((bytes) => bytes)) },
  {
    weight: 1,
    arbitrary: at.map((n) => plain((bytes) => bytes.subarray(0, n % (bytes.length + 1)))),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(at, fc.integer({ min: 0, max: 255 })).map(([n, byte]) =>
      plain((bytes) => {
        const copy = Buffer.from(bytes);
        if (copy.length > 0) copy[n % copy.length] = byte;
        return copy;
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.tuple(at, fc.uint8Array({ maxLength: 30 })).map(([n, more]) =>
      plain((bytes) => {
        const cut = n % (bytes.length + 1);
        return Buffer.concat([bytes.subarray(0, cut), more, bytes.subarray(cut)]);
      }),
    ),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(at, fc.constantFrom(...ODD_JSON)).map(([n, odd]) =>
      plain((bytes) => {
        // In the place of some value.
        const json = bytes.toString();
        const colons = [...json.matchAll(/:/g)].map(({ index }) => index);
        const colon = colons[n % Math.max(1, colons.length)];
        if (colon === undefined) return Buffer.from(odd);
        return Buffer.from(`${json.slice(0, colon + 1)}${odd},"x":${json.slice(colon + 1)}`);
      }),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Change>(
      plain((bytes) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes])),
      plain((bytes) => Buffer.from(bytes.toString(), 'utf16le')),
      plain((bytes) => Buffer.concat([bytes, bytes])),
      plain(() => Buffer.alloc(0)),
      plain(() => Buffer.alloc(70_000, 'x')),
      (bytes) => ({ bytes: gzipSync(bytes), encoding: 'gzip' }),
      (bytes) => ({ bytes: gzipSync(bytes).subarray(0, 20), encoding: 'gzip' }),
      (bytes) => ({ bytes: deflateSync(bytes), encoding: 'deflate' }),
      (bytes) => ({ bytes: brotliCompressSync(bytes), encoding: 'br' }),
      (bytes) => ({ bytes, encoding: 'gzip' }),
      (bytes) => ({ bytes, encoding: 'zstd' }),
    ),
  },
);

/** A body as it is sent. */
export function mangled(body: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Mangled> {
  return fc.tuple(body, change).map(([bytes, apply]) => apply(Buffer.from(bytes)));
}
