import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CardFields } from '../agent/card-fields.ts';
import { sha256 } from '../domain/digest.ts';
import { type CardAround, cardOf, legacyCardOf } from './card.ts';
import { headerOf } from './http-request.ts';
import { isLegacy, type Version } from './version.ts';

const MAX_AGE_SECONDS = 3_600;

export interface CardResponseOptions extends CardAround {
  readonly fields: CardFields;
  readonly versions: readonly Version[];
  /** When the deployment started: a card changes only with a deployment. */
  readonly modified: Date;
}

/**
 * Answers with the card, or 304 (section 8.6.1). While v0.3 is on, a request without a version gets
 * the v0.3 card, for absent means 0.3; otherwise no v0.3 key appears in it.
 */
export function sendCard(
  req: IncomingMessage,
  res: ServerResponse,
  options: CardResponseOptions,
): void {
  const { fields, versions, modified } = options;
  const legacy = isLegacy(req, versions);
  const body = JSON.stringify(
    legacy ? legacyCardOf(fields, options) : cardOf(fields, options, versions),
  );
  if (versions.includes('0.3')) res.appendHeader('Vary', 'A2A-Version');
  res.setHeader('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
  const etag = `"${sha256(body).slice(0, 32)}"`;
  res.setHeader('ETag', etag);
  res.setHeader('Last-Modified', modified.toUTCString());
  if (unchanged(req, etag, modified)) {
    res.statusCode = 304;
    res.end();
    return;
  }
  res.setHeader('Content-Type', 'application/json; charset=utf-8');
  res.setHeader('Content-Length', Buffer.byteLength(body));
  res.end(body);
}

/**
 * RFC 9110 section 13.1: an entity tag decides if there is one, else the date. Not express's
 * `fresh`, which declines for `Cache-Control: no-cache`: fetch adds that by itself to every
 * conditional request.
 */
function unchanged(req: IncomingMessage, etag: string, modified: Date): boolean {
  const tags = headerOf(req, 'if-none-match');
  if (tags !== undefined) {
    return tags.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim()));
  }
  const since = Date.parse(headerOf(req, 'if-modified-since') ?? '');
  return since >= Math.floor(modified.getTime() / 1_000) * 1_000;
}
