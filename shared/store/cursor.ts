import type { Position, Row, RowQuery } from '../ports/backend.ts';
import type { Cursor } from '../ports/store.ts';

const separator = '/';

/** The id of a document is the last segment of its path. */
export function idOf(path: string): string {
  return path.slice(path.lastIndexOf(separator) + 1);
}

/** The position right behind a row in that query's order. */
export function positionOf(query: RowQuery, row: Row): Position {
  const value = query.order === undefined ? undefined : row.fields[query.order.field];
  const id = idOf(row.path);
  return typeof value === 'string' || typeof value === 'number'
    ? { value, id }
    : { value: undefined, id };
}

export function encodeCursor(position: Position): Cursor {
  const parts = position.value === undefined ? [position.id] : [position.id, position.value];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Undefined if it is no cursor: it may come from a client. */
/**
 * What a token of ours says; empty for what is none. Node takes base64 with anything behind it:
 * only what we would have written ourselves is ours.
 */
export function tokenText(token: string): string {
  const text = Buffer.from(token, 'base64url').toString('utf8');
  return Buffer.from(text).toString('base64url') === token ? text : '';
}

export function decodeCursor(cursor: Cursor): Position | undefined {
  try {
    const parts: unknown = JSON.parse(tokenText(cursor));
    if (!Array.isArray(parts)) return undefined;
    const [id, value] = parts as readonly unknown[];
    if (typeof id !== 'string' || id === '' || parts.length > 2) return undefined;
    if (parts.length === 1) return { id, value: undefined };
    return typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value))
      ? { id, value }
      : undefined;
  } catch {
    return undefined;
  }
}
