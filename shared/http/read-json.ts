import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { isTooDeep, MAX_DEPTH } from '../domain/json.ts';
import type { BodyAccount } from './body-budget.ts';
import { countValues } from './count-values.ts';
import { type HttpCode, type HttpFailure, RefusedRequest } from './refused-request.ts';
import { sendContinue } from './server.ts';

export interface BodyOptions {
  /** Bytes, of what is left when it is decompressed. */
  readonly limit: number;
  /** Values that it may hold: members, elements, objects and arrays. */
  readonly values: number;
  /** Where its bytes are counted; it stays the caller's to release. */
  readonly account?: BodyAccount;
}

/** A JSON body, and its text for those who need a number as it was written. */
export interface JsonBody {
  readonly text: string;
  readonly value: unknown;
}

/**
 * Reads the body of a request; undefined when it is empty.
 *
 * @throws RefusedRequest when it is too large, too deep, of too many values, encoded in a way that
 * is not known, no JSON in UTF-8, or more than the process can hold at the moment. Where bytes of
 * it are left, the failure says `close`.
 */
export async function readJson(
  req: IncomingMessage,
  res: ServerResponse,
  options: BodyOptions,
): Promise<JsonBody | undefined> {
  const bytes = await readBytes(req, res, options);
  if (bytes.length === 0) return undefined;
  if (countValues(bytes) > options.values) {
    const message = `The body holds more than ${options.values} values; send a table as a file (raw).`;
    throw refused('TOO_MANY_VALUES', message);
  }
  const turn = await options.account?.turn();
  if (turn === 'over') throw refused('PARSE_ERROR', 'The client left.', { close: true });
  if (turn === 'full') throw tooManyAtOnce();
  let body: JsonBody;
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    body = { text, value: JSON.parse(text) };
  } catch {
    throw refused('PARSE_ERROR', 'The body is not JSON in UTF-8.');
  }
  if (isTooDeep(body.value)) {
    throw refused('TOO_DEEP', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  return body;
}

async function readBytes(
  req: IncomingMessage,
  res: ServerResponse,
  { account, limit }: BodyOptions,
): Promise<Uint8Array> {
  const tooLarge = (): RefusedRequest =>
    refused('BODY_TOO_LARGE', `The body is larger than ${limit} bytes.`, { close: true });
  const source = decoded(req);
  // Compressed, it may be longer than what it says.
  if (source === req && Number(req.headers['content-length']) > limit) throw tooLarge();
  sendContinue(res);
  let size = 0;
  return collect(req, source, account, (chunk) => {
    size += chunk.length;
    if (size > limit) return tooLarge();
    if (account === undefined || account.take(chunk.length)) return undefined;
    return tooManyAtOnce();
  });
}

function tooManyAtOnce(): RefusedRequest {
  const message = 'Too many large requests at once; try again in a moment.';
  return refused('UNAVAILABLE', message, { close: true, retryAfter: 2 });
}

function decoded(req: IncomingMessage): Readable {
  switch ((req.headers['content-encoding'] ?? 'identity').trim().toLowerCase()) {
    case 'identity':
      return req;
    case 'gzip':
      return req.pipe(createGunzip());
    case 'deflate':
      return req.pipe(createInflate());
    case 'br':
      return req.pipe(createBrotliDecompress());
    default:
      throw refused('MEDIA_TYPE_REFUSED', 'The Content-Encoding is not supported.', {
        close: true,
      });
  }
}

/** All of a body, until `objection` has one to a chunk of it. */
function collect(
  req: IncomingMessage,
  source: Readable,
  account: BodyAccount | undefined,
  objection: (chunk: Uint8Array) => RefusedRequest | undefined,
): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const stop = (error: RefusedRequest): void => {
      source.off('data', take);
      // Given back at once, so that of many large bodies at a time some come to their end.
      chunks.length = 0;
      account?.release();
      if (source !== req) {
        req.unpipe();
        source.destroy();
      }
      req.pause();
      reject(error);
    };
    const take = (chunk: Uint8Array): void => {
      const error = objection(chunk);
      if (error === undefined) chunks.push(chunk);
      else stop(error);
    };
    const broken = (): void =>
      stop(refused('PARSE_ERROR', 'The body could not be read.', { close: !req.complete }));
    // The client left, or its last chunk never came.
    const left = (): void => {
      if (!req.complete) broken();
    };
    source.on('data', take);
    source.on('error', broken);
    source.once('end', () => {
      // A stream that is open for long must not hold what asked for it. What comes compressed may
      // still break behind its end.
      source.off('data', take);
      if (source === req) source.off('error', broken);
      req.off('close', left);
      const [first] = chunks;
      resolve(first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks));
    });
    req.on('close', left);
  });
}

function refused(
  code: HttpCode,
  message: string,
  more: Pick<HttpFailure, 'close' | 'retryAfter'> = {},
): RefusedRequest {
  return new RefusedRequest({ code, message, ...more });
}
