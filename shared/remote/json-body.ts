import { isTooDeep } from '../domain/json.ts';

export type JsonBody =
  | { readonly kind: 'json'; readonly text: string; readonly value: unknown }
  | { readonly kind: 'no json' };

/** A body as JSON in UTF-8 that any reader can take. */
export function jsonBodyOf(body: Uint8Array): JsonBody {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = JSON.parse(text);
    return isTooDeep(value) ? { kind: 'no json' } : { kind: 'json', text, value };
  } catch {
    return { kind: 'no json' };
  }
}
