import type { Response } from 'express';
import { isJsonObject } from '../domain/json.ts';
import { codeOfSdkError } from './error-table.ts';
import type { Exchange } from './exchange.ts';
import type { Failure } from './failure.ts';

/** Gives every JSON body that the SDK sends the form that we answer in: media type, notification, and our error bodies. */
export function shapeReplies(exchange: Exchange): void {
  const { res } = exchange;
  const json = res.json.bind(res);
  const shaped = (body: unknown): Response => {
    const failure = sdkFailure(body);
    if (failure !== undefined) {
      exchange.fail(failure);
      return res;
    }
    if (exchange.notification) {
      exchange.acknowledge();
      return res;
    }
    res.setHeader('Content-Type', `${exchange.jsonType}; charset=utf-8`);
    return json(body);
  };
  Object.assign(res, { json: shaped });
}

/** An error that the SDK found itself. Almost all of its checks have been made before it is asked; v0.3's translation has not. */
function sdkFailure(body: unknown): Failure | undefined {
  if (!isJsonObject(body)) return undefined;
  // v0.3 over HTTP+JSON sends the error object bare.
  const error = isJsonObject(body['error']) ? body['error'] : body;
  const { code, message, details } = error;
  if (typeof code !== 'number' || typeof message !== 'string') return undefined;
  const info: unknown = Array.isArray(details) ? details[0] : undefined;
  const reason = isJsonObject(info) ? info['reason'] : undefined;
  const known = codeOfSdkError(reason, code);
  return known === 'INTERNAL'
    ? { code: known, message: 'The server failed to process the request.' }
    : { code: known, message };
}
