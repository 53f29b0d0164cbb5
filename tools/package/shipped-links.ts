import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { anchorsOf, withoutCode } from '../checks/links.ts';
import { readSource } from '../checks/sources.ts';

const LINK = /!?\[([^\]]*)\]\(\s*([^()\s]+)(?:\s+"[^"]*")?\s*\)/g;

/** Folders that lie elsewhere in the package than in the repository. */
const MOVED = [['terraform/modules/holdfast/', 'terraform/holdfast/']] as const;

/**
 * A page as the package has it, its links right there. What is in the package is linked where it
 * lies; what is not is named in words, with its place in the repository: the package does not know
 * where that is published.
 */
export function shippedPage(folder: string, file: string, text: string): string {
  const found = [...withoutCode(text).matchAll(LINK)];
  return found.reduceRight((page, { 0: whole, 2: target = '', index }) => {
    const end = index + whole.length;
    const words = page.slice(index + whole.indexOf('[') + 1, index + whole.indexOf(']('));
    return page.slice(0, index) + linked(folder, file, { target, words }) + page.slice(end);
  }, text);
}

interface Link {
  readonly target: string;
  /** As they are written, code among them. */
  readonly words: string;
}

function linked(folder: string, file: string, { target, words }: Link): string {
  if (/^[a-z]+:|^#/i.test(target)) return `[${words}](${target})`;
  const [path = '', anchor] = target.split('#');
  const place = posix.join(posix.dirname(before(file)), path);
  const to = after(place);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (isThere(folder, to, anchor))
    return `[${words}](${posix.relative(posix.dirname(file), to)}${hash})`;
  const named = [place, `\`${place}\``, posix.basename(place)].includes(words);
  return named ? `\`${place}\` of the repository` : `${words} (\`${place}\` of the repository)`;
}

function isThere(folder: string, to: string, anchor: string | undefined): boolean {
  if (to.startsWith('..') || !existsSync(join(folder, to))) return false;
  if (anchor === undefined || !to.endsWith('.md')) return true;
  return anchorsOf(readSource(folder, to)).has(anchor);
}

/** Where a file of the package lies in the repository, and the other way round. */
const before = (file: string): string =>
  MOVED.reduce(
    (place, [from, to]) => (place.startsWith(to) ? place.replace(to, from) : place),
    file,
  );
const after = (file: string): string =>
  MOVED.reduce(
    (place, [from, to]) => (place.startsWith(from) ? place.replace(from, to) : place),
    file,
  );
