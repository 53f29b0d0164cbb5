import { z } from 'zod';
import type { Buckets } from './buckets.ts';
import { composeObject, copyObject } from './copies.ts';
import type { Exchange } from './exchange.ts';
import { listObjects } from './listing.ts';
import { sendMedia } from './media.ts';
import { parseGiven, resourceOf } from './object.ts';
import { requireConditions, wholeNumber } from './preconditions.ts';
import { Refusal } from './refusal.ts';
import type { ResumableUploads } from './resumable-uploads.ts';
import { upload } from './uploads.ts';

/**
 * The methods of the JSON API that are emulated; the names in the path are percent-encoded, slashes
 * too.
 */
export function route(buckets: Buckets, resumable: ResumableUploads, exchange: Exchange): void {
  const { method, url } = exchange;
  const path = url.pathname.replace(/^\/(?:download\/)?storage\/v1(?=\/)/, '');
  const uploading = /^(?:\/resumable)?\/upload\/storage\/v1\/b\/([^/]+)\/o$/.exec(url.pathname);
  if (uploading !== null) return upload(buckets, resumable, part(uploading, 1), exchange);

  const copy = /^\/b\/([^/]+)\/o\/([^/]+)\/(rewriteTo|copyTo)\/b\/([^/]+)\/o\/([^/]+)$/.exec(path);
  if (copy !== null && method === 'POST') {
    const from = { bucket: part(copy, 1), name: part(copy, 2) };
    const to = { bucket: part(copy, 4), name: part(copy, 5) };
    return copyObject(buckets, from, to, exchange, part(copy, 3));
  }
  const compose = /^\/b\/([^/]+)\/o\/([^/]+)\/compose$/.exec(path);
  if (compose !== null && method === 'POST') {
    const to = { bucket: part(compose, 1), name: part(compose, 2) };
    return composeObject(buckets, to, exchange);
  }
  const object = /^\/b\/([^/]+)\/o\/([^/]+)$/.exec(path);
  if (object !== null) return objectCall(buckets, part(object, 1), part(object, 2), exchange);
  const list = /^\/b\/([^/]+)\/o$/.exec(path);
  if (list !== null && method === 'GET') {
    return exchange.send(200, listObjects(buckets.get(part(list, 1)), exchange.query));
  }
  const bucket = /^\/b(?:\/([^/]+))?$/.exec(path);
  if (bucket !== null) return bucketCall(buckets, bucket[1], exchange);
  throw new Refusal(501, 'notImplemented', `${method} ${url.pathname} is not emulated`);
}

function part(match: RegExpExecArray, index: number): string {
  return decodeURIComponent(match[index] ?? '');
}

function objectCall(buckets: Buckets, bucket: string, name: string, exchange: Exchange): void {
  const { method, query, body, send, url } = exchange;
  const generation = wholeNumber(query.get('generation'));
  const found = buckets.find(bucket, name, generation);
  requireConditions(found, query, method === 'GET' ? 'read' : 'change');
  switch (method) {
    case 'GET': {
      const media = query.get('alt') === 'media' || url.pathname.startsWith('/download/');
      return media ? sendMedia(exchange, found) : send(200, resourceOf(found));
    }
    case 'DELETE':
      buckets.delete(found, generation !== undefined);
      return send(204);
    case 'PATCH':
    case 'PUT': {
      const how = method === 'PUT' ? 'put' : 'patch';
      return send(200, resourceOf(buckets.change(found, parseGiven(body), how)));
    }
    default:
      throw new Refusal(405, 'methodNotAllowed', method);
  }
}

const bucketSchema = z.object({
  name: z.string().optional(),
  versioning: z.object({ enabled: z.boolean() }).optional(),
});

/**
 * https://cloud.google.com/storage/docs/json_api/v1/buckets: insert, get, and patch of
 * `versioning`.
 */
function bucketCall(buckets: Buckets, path: string | undefined, exchange: Exchange): void {
  const { method, body, send } = exchange;
  const given = bucketSchema.parse(body.length === 0 ? {} : JSON.parse(body.toString()));
  const name = path === undefined ? (given.name ?? '') : decodeURIComponent(path);
  if (method === 'POST') buckets.create(name, given.versioning?.enabled);
  const bucket = buckets.get(name);
  if (method === 'PATCH') bucket.versioning = given.versioning?.enabled ?? bucket.versioning;
  const versioning = { enabled: bucket.versioning };
  send(200, { kind: 'storage#bucket', id: name, name, location: 'US', versioning });
}
