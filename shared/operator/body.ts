import express from 'express';
import type { Request, Response } from 'express';
import { isTooDeep } from '../domain/json.ts';
import { fail } from './failure.ts';

/**
 * Reads the body as JSON. The media type is asked for on purpose: a form on a foreign page can send anything but that, with the
 * cookies of an operator who is signed in to the platform's proxy.
 */
export async function readBody(req: Request, res: Response, limit: number): Promise<unknown> {
  if (!/^application\/json *(;|$)/i.test(req.get('content-type') ?? ''))
    throw fail('MEDIA_TYPE_REFUSED');
  const read = express.raw({ limit, type: () => true });
  await new Promise<void>((resolve, reject) => {
    read(req, res, (error: unknown) => {
      if (error === undefined) resolve();
      else reject(bodyError(error, limit));
    });
  });
  const body: unknown = req.body;
  if (!(body instanceof Uint8Array)) throw fail('PARSE_ERROR');
  return parse(body);
}

function parse(bytes: Uint8Array): unknown {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw fail('PARSE_ERROR');
  }
  if (typeof value !== 'object' || value === null || isTooDeep(value)) throw fail('PARSE_ERROR');
  return value;
}

function bodyError(error: unknown, limit: number): Error {
  const type = typeof error === 'object' && error !== null && 'type' in error ? error.type : '';
  if (type === 'entity.too.large')
    return fail('BODY_TOO_LARGE', `The body is larger than ${limit} bytes.`);
  if (type === 'encoding.unsupported')
    return fail('MEDIA_TYPE_REFUSED', 'The Content-Encoding is not supported.');
  return fail('PARSE_ERROR');
}
