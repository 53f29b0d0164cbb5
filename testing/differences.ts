import type { Json } from '../shared/domain/json.ts';

/** A place at which two values differ, in words. */
export interface Difference {
  /** `transcript[2].value.sum`. */
  readonly path: string;
  readonly words: string;
}

/** Where the second value differs from the first, in the order of the first. */
export function differencesOf(recorded: Json, asked: Json, path = ''): readonly Difference[] {
  if (Array.isArray(recorded) && Array.isArray(asked))
    return between(recorded.entries(), asked.entries(), (at) => `${path}[${at}]`);
  if (isObject(recorded) && isObject(asked))
    return between(Object.entries(recorded), Object.entries(asked), (key) =>
      path === '' ? key : `${path}.${key}`,
    );
  if (Object.is(recorded, asked)) return [];
  const texts = typeof recorded === 'string' && typeof asked === 'string';
  const [was, is] = texts
    ? [excerpt(recorded, asked), excerpt(asked, recorded)]
    : [shortened(recorded), shortened(asked)];
  return [{ path, words: `recorded ${was}, asked ${is}` }];
}

function between<K>(
  recorded: Iterable<readonly [K, Json]>,
  asked: Iterable<readonly [K, Json]>,
  pathOf: (key: K) => string,
): readonly Difference[] {
  const left = new Map(asked);
  const found = [...recorded].flatMap(([key, value]): readonly Difference[] => {
    const other = left.get(key);
    left.delete(key);
    if (other !== undefined) return differencesOf(value, other, pathOf(key));
    return [{ path: pathOf(key), words: `recorded ${shortened(value)}, not asked` }];
  });
  const more = [...left].map(([key, value]) => ({
    path: pathOf(key),
    words: `not recorded, asked ${shortened(value)}`,
  }));
  return [...found, ...more];
}

const AROUND = 40;

/** The text around the first character at which it differs from another. */
function excerpt(text: string, other: string): string {
  let at = 0;
  while (at < text.length && text[at] === other[at]) at += 1;
  const [from, to] = [Math.max(0, at - AROUND), at + AROUND];
  const cut = text.slice(from, to);
  return `${from > 0 ? '…' : ''}${JSON.stringify(cut)}${to < text.length ? '…' : ''}`;
}

function shortened(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > 2 * AROUND ? `${text.slice(0, 2 * AROUND)}…` : text;
}

const isObject = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
