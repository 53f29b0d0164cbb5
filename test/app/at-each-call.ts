import { type Break, Breaking } from '../../testing/breaking.ts';

/**
 * A round for each call that a whole run made, with that call broken, and what the rounds found. An
 * error says which call it was.
 */
export async function atEachCall<T>(
  { calls, names }: Pick<Breaking, 'calls' | 'names'>,
  how: Break,
  round: (breaking: Breaking) => T | Promise<T>,
): Promise<readonly T[]> {
  const found: T[] = [];
  for (let at = 1; at <= calls; at += 1) {
    try {
      found.push(await round(new Breaking(at, how)));
    } catch (cause) {
      throw new Error(`${how} call ${at} of ${calls} (${names[at - 1] ?? ''})`, { cause });
    }
  }
  return found;
}
