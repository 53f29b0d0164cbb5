import { Unreadable } from '../ports/faults.ts';
import type { CommitWords } from '../ports/workspaces.ts';

/** What stands in a commit, without the random line. */
export interface CommitText {
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: string;
  readonly message: string;
  /** Seconds since the epoch. */
  readonly at: number;
}

const NONCE = '\nNonce: ';

/**
 * `nonce` (hexadecimal) makes the id unguessable: a commit that outlives its purged parent names
 * it, and no guess of what the parent said can be tested against that name.
 */
export function encodeCommit(tree: string, words: CommitWords, nonce: string): Buffer {
  const { author, message, parents, at } = clean(words);
  const when = `${at} +0000`;
  const lines = [
    `tree ${tree}`,
    ...parents.map((parent) => `parent ${parent}`),
    `author ${author} <> ${when}`,
    `committer ${author} <> ${when}`,
    '',
    message,
    '',
  ];
  return Buffer.from(`${lines.join('\n')}${NONCE}${nonce}\n`);
}

/** Reads what `encodeCommit` has written. Throws Unreadable for anything else. */
export function decodeCommit(body: Buffer): CommitText {
  const text = body.toString();
  const head =
    /^tree ([0-9a-f]{40})\n((?:parent [0-9a-f]{40}\n)*)author (.+) <> (\d+) \+0000\n/.exec(text);
  const start = text.indexOf('\n\n');
  const end = text.lastIndexOf(`\n${NONCE}`);
  if (head === null || start < 0 || end < start) throw new Unreadable('a commit');
  const [, tree = '', parents = '', author = '', at = ''] = head;
  return {
    tree,
    parents: parents.split('\n').flatMap((line) => (line === '' ? [] : [line.slice(7)])),
    author,
    message: text.slice(start + 2, end),
    at: Number(at),
  };
}

/** Whether a commit of that tree and those words would say what this one says, but for its time. */
export function saysTheSame(commit: CommitText, tree: string, words: CommitWords): boolean {
  const { author, message, parents } = clean(words);
  return (
    commit.tree === tree &&
    commit.author === author &&
    commit.message === message &&
    commit.parents.join() === parents.join()
  );
}

/** Without the characters that end a field of the format. */
function clean({ author, message, parents, at }: CommitWords): Omit<CommitText, 'tree'> {
  const name = author.replace(/[\s<>\p{Cc}]+/gu, ' ').trim();
  return {
    author: name === '' ? 'agent' : name.toWellFormed(),
    message: message.replaceAll('\0', ' ').trim().toWellFormed(),
    parents,
    at: Math.max(0, Math.floor(at / 1_000)),
  };
}
