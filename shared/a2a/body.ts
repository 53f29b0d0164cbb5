import express from 'express';
import type { Request, Response } from 'express';
import { isTooDeep, MAX_DEPTH } from '../domain/json.ts';
import { fail } from './failure.ts';

/** Reads the body as JSON; undefined when there is none. */
export async function readJson(req: Request, res: Response, limit: number): Promise<unknown> {
  const bytes = await readBytes(req, res, limit);
  if (bytes === undefined || bytes.length === 0) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw fail('PARSE_ERROR', 'The body is not JSON in UTF-8.');
  }
  if (isTooDeep(value)) {
    throw fail('INVALID_REQUEST', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  }
  return value;
}

async function readBytes(
  req: Request,
  res: Response,
  limit: number,
): Promise<Uint8Array | undefined> {
  const read = express.raw({ limit, type: () => true });
  await new Promise<void>((resolve, reject) => {
    read(req, res, (error: unknown) => {
      if (error === undefined) resolve();
      else reject(bodyError(error, limit));
    });
  });
  const body: unknown = req.body;
  return body instanceof Uint8Array ? body : undefined;
}

function bodyError(error: unknown, limit: number): Error {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : '';
  if (type === 'entity.too.large') {
    return fail('BODY_TOO_LARGE', `The body is larger than ${limit} bytes.`);
  }
  if (type === 'encoding.unsupported') {
    return fail('MEDIA_TYPE_REFUSED', 'The Content-Encoding is not supported.');
  }
  return fail('PARSE_ERROR', 'The body could not be read.');
}
