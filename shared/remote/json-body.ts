/** protobuf's own limit; deeper values would only serve to exhaust a recursive reader. */
const MAX_DEPTH = 100;

export type JsonBody =
  | { readonly kind: 'json'; readonly text: string; readonly value: unknown }
  | { readonly kind: 'no json' };

/** A body as JSON in UTF-8 that any reader can take. */
export function jsonBodyOf(body: Uint8Array): JsonBody {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(body);
    const value: unknown = JSON.parse(text);
    return depthExceeds(value, MAX_DEPTH) ? { kind: 'no json' } : { kind: 'json', text, value };
  } catch {
    return { kind: 'no json' };
  }
}

function depthExceeds(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > limit) return true;
    level = level.flatMap((each): unknown[] =>
      typeof each === 'object' && each !== null ? Object.values(each) : [],
    );
  }
  return false;
}
