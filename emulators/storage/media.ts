import type { Exchange } from './exchange.ts';
import type { StoredObject } from './object.ts';

/**
 * The body, or a range of it (https://cloud.google.com/storage/docs/json_api/v1/objects/get,
 * alt=media). Custom metadata is not among the headers of this API, as it is in the XML one.
 */
export function sendMedia({ headers, send }: Exchange, object: StoredObject): void {
  const { body, settable, crc32c, md5Hash, components } = object;
  const hashes = components === undefined ? `crc32c=${crc32c},md5=${md5Hash}` : `crc32c=${crc32c}`;
  const encoding = settable.contentEncoding;
  const common = {
    'content-type': settable.contentType ?? 'application/octet-stream',
    ...(encoding !== undefined && { 'content-encoding': encoding }),
    'x-goog-hash': hashes,
    'x-goog-generation': String(object.generation),
    'x-goog-metageneration': String(object.metageneration),
    'x-goog-stored-content-encoding': encoding ?? 'identity',
    'x-goog-stored-content-length': String(body.length),
    'accept-ranges': 'bytes',
  };
  const range = rangeOf(headers.range, body.length);
  if (range === undefined) return send(200, body, common);
  const [from, to] = range;
  if (from > to) return send(416, undefined, { 'content-range': `bytes */${body.length}` });
  const part = { 'content-range': `bytes ${from}-${to}/${body.length}` };
  send(206, body.subarray(from, to + 1), { ...common, ...part });
}

/**
 * First and last byte of `bytes=2-5`, `bytes=2-` or `bytes=-5` (RFC 9110, 14.1.2); others are
 * ignored.
 */
function rangeOf(header: string | undefined, length: number): [number, number] | undefined {
  const [, first, last] = /^bytes=([0-9]*)-([0-9]*)$/.exec(header ?? '') ?? [];
  if (first === undefined || last === undefined || first + last === '') return undefined;
  if (first === '') return [Math.max(0, length - Number(last)), length - 1];
  return [Number(first), last === '' ? length - 1 : Math.min(Number(last), length - 1)];
}
