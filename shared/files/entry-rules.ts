import type { BigIntStats } from 'node:fs';

const LONGEST_NAME = 255;
const LONGEST_PATH = 4_096;
const SET_ID = 0o6000n;
/**
 * What git takes for its own folder or for its list of submodules, on some system: short names of
 * Windows are among them.
 */
const GITS_OWN = /^(?:\.git|git~[0-9]+|\.gitmodules|gitmod~[0-9]|gi7eba~[0-9])$/;
/** On Windows no part of a name: what ends it, and streams beside a file's content. */
const NO_PART = /[ .]*(?::.*)?$/;
const INVISIBLE = /[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu;

/** Why a file of that path can't be kept or restored, in words that follow the path. */
export function refusalOfPath(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (Buffer.byteLength(name) > LONGEST_NAME) return `has a name of over ${LONGEST_NAME} bytes`;
  if (Buffer.byteLength(path) > LONGEST_PATH) return `has a path of over ${LONGEST_PATH} bytes`;
  if (/[\p{Cc}\\]/u.test(name)) return 'has a control character or a backslash in its name';
  const plain = foldedName(name).replace(INVISIBLE, '');
  return GITS_OWN.test(plain.replace(NO_PART, '')) ? "has a name that is git's own" : undefined;
}

/** The same for what it is on the disk. */
export function refusalOfKind(stats: BigIntStats): string | undefined {
  if (stats.isFile()) return (stats.mode & SET_ID) === 0n ? undefined : 'would run as another user';
  if (stats.isDirectory() || stats.isSymbolicLink()) return undefined;
  return 'is a device, a socket or a pipe';
}

/** Two names that are one on some disk. */
export function refusalOfNames(
  names: readonly string[],
): { readonly name: string; readonly rule: string } | undefined {
  const seen = new Map<string, string>();
  for (const name of names) {
    const key = foldedName(name);
    const other = seen.get(key);
    if (other !== undefined) return { name, rule: `differs from ${other} by case or accents only` };
    seen.set(key, name);
  }
  return undefined;
}

/** Letters that are one in capitals only, like s and the long s, are one, too. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/**
 * `..` is taken only in front, where it is counted from the link's own folder: further back it
 * could follow another link, and what it means would depend on that.
 */
export function refusalOfLink(path: string, target: string): string | undefined {
  if (Buffer.byteLength(target) > LONGEST_PATH) {
    return `is a link to a path of over ${LONGEST_PATH} bytes`;
  }
  const parts = target.split('/');
  const ups = parts.findIndex((part) => part !== '..');
  const up = ups < 0 ? parts.length : ups;
  const inside =
    target !== '' &&
    !target.startsWith('/') &&
    !target.includes('\\') &&
    up < path.split('/').length &&
    !parts.slice(up).includes('..');
  return inside ? undefined : 'is a link that leaves the folder, or may';
}
