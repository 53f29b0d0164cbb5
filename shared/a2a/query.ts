import type { Request } from 'express';

function parametersOf(req: Request): URLSearchParams {
  // Not by way of URL, which throws for a request target that is none.
  const [, query = ''] = req.originalUrl.split(/\?(.*)/s);
  return new URLSearchParams(query);
}

/** One query parameter, its name in any case. */
export function queryValue(req: Request, name: string): string | undefined {
  for (const [key, value] of parametersOf(req)) if (key.toLowerCase() === name) return value;
  return undefined;
}

/** All of them as one object; an empty value counts as absent, as in ProtoJSON's defaults. */
export function queryObject(req: Request): Record<string, string> {
  return Object.fromEntries([...parametersOf(req)].filter(([, value]) => value !== ''));
}
