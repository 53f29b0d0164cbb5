import { RequestMalformedError } from '@a2a-js/sdk/errors';

/** The place of a task in a list: newest status first, of one time the greater id first. */
export interface ListPlace {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly id: string;
}

/** As the SDK's stores write it, so that a token outlives a change of the store. */
export function encodeToken({ time, id }: ListPlace): string {
  const timestamp = time === 0 ? '' : new Date(time).toISOString();
  return Buffer.from(`${timestamp}|${id}`).toString('base64');
}

/** Throws RequestMalformedError. */
export function decodeToken(token: string): ListPlace {
  const [, timestamp, id] = /^([^|]*)\|(.*)$/s.exec(Buffer.from(token, 'base64').toString()) ?? [];
  const time = timestamp === '' ? 0 : Date.parse(timestamp ?? '');
  if (id === undefined || Number.isNaN(time)) {
    throw new RequestMalformedError('pageToken: not a token of this list');
  }
  return { time, id };
}

/** Negative: `a` comes first. */
export function comparePlaces(a: ListPlace, b: ListPlace): number {
  if (a.time !== b.time) return b.time - a.time;
  if (a.id === b.id) return 0;
  return a.id > b.id ? -1 : 1;
}
