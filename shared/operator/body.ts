import type { IncomingMessage, ServerResponse } from 'node:http';
import { readJson } from '../http/read-json.ts';
import { fail } from './failure.ts';

/** A decision or an edit of one holds far fewer. */
const VALUES = 20_000;

/**
 * Reads the body as JSON. The media type is required on purpose: a form on a foreign page can send
 * any type but that one, with the cookies of an operator who is signed in to the platform's proxy.
 */
export async function readBody(
  req: IncomingMessage,
  res: ServerResponse,
  limit: number,
): Promise<unknown> {
  if (!/^application\/json *(;|$)/i.test(req.headers['content-type'] ?? ''))
    throw fail('MEDIA_TYPE_REFUSED');
  const body = await readJson(req, res, { limit, values: VALUES });
  if (typeof body?.value !== 'object' || body.value === null) throw fail('PARSE_ERROR');
  return body.value;
}
