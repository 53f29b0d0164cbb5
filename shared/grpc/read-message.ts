import type { ServerHttp2Stream } from 'node:http2';
import { promisify } from 'node:util';
import { gunzip, inflate } from 'node:zlib';
import { fail } from '../a2a/failure.ts';
import type { BodyAccount } from '../http/body-budget.ts';
import type { Clock } from '../ports/clock.ts';

export interface ReadOptions {
  /** Bytes, of what is left when it is decompressed. */
  readonly limit: number;
  readonly account: BodyAccount;
  readonly clock: Clock;
}

/** A flag, and the length of the message in four bytes. */
const PREFIX = 5;
/** As long as Node gives an HTTP/1.1 request. */
const READING = 300_000;
const DECOMPRESS = { gzip: promisify(gunzip), deflate: promisify(inflate) };
/** What may be said in `grpc-encoding`. */
export const ENCODINGS = 'identity,deflate,gzip';

/**
 * The one message of a request (gRPC over HTTP/2, Length-Prefixed-Message). Its bytes count as they
 * arrive, and a large one waits for its turn.
 *
 * @throws EdgeError when it is too large, compressed in an unknown way, cut, slow, or more than the
 * process can hold at the moment.
 */
export async function readMessage(
  stream: ServerHttp2Stream,
  encoding: string,
  options: ReadOptions,
): Promise<Uint8Array> {
  const whole = await collect(stream, options);
  const packed = whole.subarray(PREFIX);
  const message = whole[0] === 0 ? packed : await decompressed(packed, encoding, options);
  const turn = await options.account.turn();
  if (turn === 'over') throw fail('PARSE_ERROR', 'The client left.');
  if (turn === 'full') throw tooMany();
  return message;
}

async function decompressed(
  message: Uint8Array,
  encoding: string,
  { account, limit }: ReadOptions,
): Promise<Uint8Array> {
  if (encoding !== 'gzip' && encoding !== 'deflate') {
    throw fail('ENCODING_UNKNOWN', `A message may be encoded as ${ENCODINGS}.`);
  }
  let bytes: Uint8Array;
  try {
    bytes = await DECOMPRESS[encoding](message, { maxOutputLength: limit });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge(limit);
    throw fail('PARSE_ERROR', `The message is no ${encoding}.`);
  }
  if (!account.take(bytes.length)) throw tooMany();
  return bytes;
}

function collect(stream: ServerHttp2Stream, options: ReadOptions): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const { account, clock, limit } = options;
    const chunks: Uint8Array[] = [];
    let size = 0;
    const finish = (): void => {
      cancel();
      stream.off('data', take).off('end', end).off('close', cut);
    };
    const stop = (error: Error): void => {
      finish();
      chunks.length = 0;
      account.release();
      stream.pause();
      reject(error);
    };
    const cut = (): void => stop(fail('PARSE_ERROR', 'The request ended in the middle.'));
    const take = (chunk: Uint8Array): void => {
      chunks.push(chunk);
      size += chunk.length;
      const length = lengthOf(chunks);
      if (length === undefined ? size > limit : length > limit) stop(tooLarge(limit));
      else if (length !== undefined && size > PREFIX + length) {
        stop(fail('INVALID_REQUEST', 'A request holds one message.'));
      } else if (!account.take(chunk.length)) stop(tooMany());
    };
    const end = (): void => {
      const length = lengthOf(chunks);
      if (length === undefined || size !== PREFIX + length) return cut();
      finish();
      resolve(Buffer.concat(chunks));
    };
    const cancel = clock.after(READING, () => {
      stop(fail('PARSE_ERROR', 'The request took too long to arrive.'));
    });
    stream.on('data', take).once('end', end).once('close', cut);
  });
}

/** Of the message, as its prefix says; undefined while that is not there. */
function lengthOf(chunks: readonly Uint8Array[]): number | undefined {
  const [first] = chunks;
  if (first === undefined) return undefined;
  const prefix = first.length >= PREFIX ? first : Buffer.concat(chunks);
  if (prefix.length < PREFIX) return undefined;
  return new DataView(prefix.buffer, prefix.byteOffset).getUint32(1);
}

function tooLarge(limit: number): Error {
  return fail('BODY_TOO_LARGE', `The message is larger than ${limit} bytes.`);
}

function tooMany(): Error {
  return fail('UNAVAILABLE', 'Too many large requests at once; try again in a moment.', {
    retryAfter: 2,
    close: true,
  });
}
