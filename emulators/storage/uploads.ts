import type { Buckets } from './buckets.ts';
import type { Exchange } from './exchange.ts';
import { type Given, parseGiven, resourceOf } from './object.ts';
import { invalid } from './refusal.ts';
import type { ResumableUploads } from './resumable-uploads.ts';

/**
 * The three kinds of upload (https://cloud.google.com/storage/docs/json_api/v1/objects/insert,
 * uploadType).
 */
export function upload(
  buckets: Buckets,
  resumable: ResumableUploads,
  bucket: string,
  exchange: Exchange,
): void {
  const { query, headers, body, send } = exchange;
  const write = (bytes: Buffer, given: Given): void => {
    const name = given.name ?? query.get('name') ?? '';
    send(200, resourceOf(buckets.write(bucket, name, bytes, given, query)));
  };
  switch (query.get('uploadType') ?? '') {
    case 'resumable':
      return resumable.answer(bucket, exchange);
    case 'media':
      return write(body, { contentType: headers['content-type'] ?? 'application/octet-stream' });
    case 'multipart': {
      const { given, type, bytes } = partsOf(headers['content-type'] ?? '', body);
      return write(bytes, { contentType: type, ...given });
    }
    default:
      throw invalid('Unknown uploadType');
  }
}

/**
 * RFC 2387 with two parts: the resource, then the body, whose type holds unless the resource names
 * one.
 */
function partsOf(contentType: string, body: Buffer): { given: Given; type: string; bytes: Buffer } {
  const boundary = /boundary=(?:"([^"]+)"|([^;]+))/.exec(contentType);
  const mark = `--${boundary?.[1] ?? boundary?.[2] ?? ''}`;
  if (mark === '--') throw invalid('No boundary');
  const parts: { head: string; content: Buffer }[] = [];
  let start = body.indexOf(mark);
  for (;;) {
    const headEnd = body.indexOf('\r\n\r\n', start);
    const end = body.indexOf(`\r\n${mark}`, headEnd);
    if (start < 0 || headEnd < 0 || end < 0) break;
    parts.push({
      head: body.subarray(start, headEnd).toString(),
      content: body.subarray(headEnd + 4, end),
    });
    start = end + 2;
  }
  const [resource, media] = parts;
  if (resource === undefined || media === undefined || parts.length !== 2) {
    throw invalid('Multipart upload must have exactly two parts');
  }
  const type = /^content-type: *(.+)$/im.exec(media.head)?.[1] ?? 'application/octet-stream';
  return {
    given: parseGiven(resource.content),
    type: type.trim(),
    bytes: Buffer.from(media.content),
  };
}
