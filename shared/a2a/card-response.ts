import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CardFields } from '../agent/card-fields.ts';
import { sha256 } from '../domain/digest.ts';
import { type CardAround, cardOf, legacyCardOf } from './card.ts';
import { headerOf } from './http-request.ts';
import type { SignedCards } from './signed-cards.ts';
import { isLegacy, type Version } from './version.ts';

const MAX_AGE_SECONDS = 3_600;

export interface CardResponseOptions extends CardAround {
  readonly fields: CardFields;
  readonly versions: readonly Version[];
  /** When the deployment started: a card changes only with a deployment. */
  readonly modified: Date;
  readonly signed?: SignedCards;
}

/**
 * Answers with the card, or 304 (section 8.6.1). While v0.3 is on, a request without a version gets
 * the v0.3 card, for absent means 0.3; otherwise no v0.3 key appears in it. Either is signed, where
 * there are keys. Throws a fault where one of them can't be reached.
 */
export async function sendCard(
  req: IncomingMessage,
  res: ServerResponse,
  options: CardResponseOptions,
): Promise<void> {
  const { fields, versions, modified, signed } = options;
  const legacy = isLegacy(req, versions);
  const card = legacy ? legacyCardOf(fields, options) : cardOf(fields, options, versions);
  if (versions.includes('0.3')) res.appendHeader('Vary', 'A2A-Version');
  if (signed === undefined) {
    sendPublicJson(req, res, { document: card, modified });
    return;
  }
  // Two signatures of one card are two texts that say the same.
  const version = `${JSON.stringify(card)} ${JSON.stringify(await signed.keys())}`;
  sendPublicJson(req, res, { document: await signed.signed(card), modified, version });
}

export interface PublicJson {
  readonly document: object;
  readonly modified: Date;
  /** What the document says, where its text may differ from process to process. */
  readonly version?: string;
}

/** Answers with what is the same for every caller, or 304. */
export function sendPublicJson(
  req: IncomingMessage,
  res: ServerResponse,
  { document, modified, version }: PublicJson,
): void {
  const body = JSON.stringify(document);
  res.setHeader('Cache-Control', `public, max-age=${MAX_AGE_SECONDS}`);
  const etag = `"${sha256(version ?? body).slice(0, 32)}"`;
  res.setHeader('ETag', version === undefined ? etag : `W/${etag}`);
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
