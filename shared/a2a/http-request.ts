import type { IncomingMessage } from 'node:http';

/** What a request line says. */
export interface Target {
  /** As it came, its percent-encoding untouched. */
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Never throws: a target that is no URL has a path that nothing lies at. */
export function targetOf({ url = '/' }: IncomingMessage): Target {
  // A proxy may send the absolute form (RFC 9112 section 3.2.2).
  const [path = '/', query = ''] = url.replace(/^https?:\/\/[^/?]*/i, '').split(/\?(.*)/s);
  return { path: path === '' ? '/' : path, query: new URLSearchParams(query) };
}

/** A header that comes once; of several, what Node makes of them. */
export function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

/** One query parameter, its name in any case. */
export function queryValue(query: URLSearchParams, name: string): string | undefined {
  for (const [key, value] of query) if (key.toLowerCase() === name) return value;
  return undefined;
}

/** All of them as one object; an empty value counts as absent, as in ProtoJSON's defaults. */
export function queryObject(query: URLSearchParams): Record<string, string> {
  return Object.fromEntries([...query].filter(([, value]) => value !== ''));
}
