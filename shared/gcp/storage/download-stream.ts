import { createHash } from 'node:crypto';
import type { Bucket } from '@google-cloud/storage';
import type { Millis } from '../../domain/brand.ts';
import type { BlobStream, ByteRange } from '../../ports/blobs.ts';
import { Unavailable } from '../../ports/faults.ts';
import { answered } from '../answered.ts';
import { answerOf, faultOf } from './outcome.ts';
import { metadataOf, unlessGone } from './present-object.ts';

/** A body on its way, and what the headers of its answer tell of the object. */
interface Download {
  readonly size: number;
  readonly generation: string;
  readonly md5?: string;
  readonly first: IteratorResult<Uint8Array>;
  readonly rest: AsyncIterator<Uint8Array>;
  close(): void;
}

interface Wanted {
  readonly from: number;
  /** Behind the last byte; Infinity = to the end. */
  readonly end: number;
  readonly generation?: string;
}

/** How often a body that breaks off is gone on with where nothing came in between. */
const ATTEMPTS = 4;
const UNSATISFIABLE = 416;
const WHAT = 'Cloud Storage';

/**
 * One request for the object or the range, whose answer is waited for `opening` milliseconds. A
 * body that breaks off is gone on with in the same generation; it has broken off where nothing
 * comes for `silence` milliseconds.
 */
export async function downloadStream(
  bucket: Bucket,
  name: string,
  range: ByteRange | undefined,
  { opening, silence }: { readonly opening: Millis; readonly silence: Millis },
): Promise<BlobStream | undefined> {
  const { offset, length = Infinity } = range ?? { offset: 0 };
  const wanted = { from: offset, end: offset + length };
  try {
    const opened = await unlessGone(() => download(bucket, name, wanted, opening));
    if (opened === undefined) return undefined;
    const { size, generation } = opened;
    const rest = { ...wanted, end: Math.min(wanted.end, size), generation };
    return { size, body: wholeBody(bucket, name, opened, rest, silence) };
  } catch (error) {
    if (answerOf(error) !== UNSATISFIABLE) throw error;
    // The range begins beyond the end.
    const metadata = await metadataOf(bucket, name);
    return metadata && { size: Number(metadata.size), body: nothing() };
  }
}

/** The first piece is waited for: headers come with it, and errors instead of it. */
async function download(
  bucket: Bucket,
  name: string,
  { from, end, generation }: Wanted,
  allowed: Millis,
): Promise<Download> {
  const file = bucket.file(name, generation === undefined ? {} : { generation });
  const stream = file.createReadStream({
    validation: false,
    decompress: false,
    ...((from > 0 || end < Infinity) && { start: from }),
    ...(end < Infinity && { end: end - 1 }),
  });
  const told = new Map<string, string>();
  stream.on('response', ({ headers }: { headers: Readonly<Record<string, unknown>> }) => {
    for (const [key, value] of Object.entries(headers)) told.set(key, String(value));
  });
  const rest: AsyncIterator<Uint8Array> = stream[Symbol.asyncIterator]();
  const close = (): void => void stream.destroy();
  try {
    const first = await answered(WHAT, rest.next(), allowed);
    const md5 = /md5=([^,]+)/.exec(told.get('x-goog-hash') ?? '')?.[1];
    return {
      size: Number(told.get('x-goog-stored-content-length')),
      generation: told.get('x-goog-generation') ?? '',
      ...(md5 !== undefined && { md5 }),
      first,
      rest,
      close,
    };
  } catch (error) {
    close();
    throw error;
  }
}

async function* wholeBody(
  bucket: Bucket,
  name: string,
  opened: Download,
  wanted: Wanted,
  silence: Millis,
): AsyncGenerator<Uint8Array> {
  const { size, md5 } = opened;
  const { from, end } = wanted;
  const hash = createHash('md5');
  let at = from;
  let current: Download | undefined = opened;
  for (let fruitless = 1; ; fruitless += 1) {
    try {
      current ??= await download(bucket, name, { ...wanted, from: at }, silence);
      for (let next = current.first; next.done !== true; ) {
        fruitless = 1;
        hash.update(next.value);
        at += next.value.byteLength;
        yield next.value;
        next = await answered(WHAT, current.rest.next(), silence);
      }
      if (at >= end) break;
    } catch (error) {
      // Deleted while it was read: the caller asks again, and is told.
      const fault = answerOf(error) === 404 ? new Unavailable(WHAT, error) : faultOf(error);
      if (fault.advice !== 'retry' || fruitless === ATTEMPTS) throw fault;
    } finally {
      current?.close();
    }
    if (fruitless === ATTEMPTS) throw new Unavailable(WHAT, new Error('a body broke off'));
    current = undefined;
  }
  const whole = from === 0 && end === size && md5 !== undefined;
  if (whole && hash.digest('base64') !== md5) {
    throw new Unavailable(WHAT, new Error('a body arrived damaged'));
  }
}

async function* nothing(): AsyncGenerator<never> {}
