/** Lines of one stack: the author's own stand first. */
const LINES = 12;
/** Lines of one that is ours alone. */
const FEW = 3;
/** Characters of one message, of which a provider's answer can be all. */
const MESSAGE = 4_000;
const CAUSES = 5;

/**
 * An error with its stack and its causes, for its author: several lines. What others wrote could
 * rewrite a terminal, so that it has no control characters.
 */
export function errorWords(error: unknown): string {
  try {
    return wordsOf(error, CAUSES);
  } catch {
    // Not even asked for its message does it hold still.
    return 'an error that can not be shown';
  }
}

function wordsOf(error: unknown, depth: number): string {
  if (!(error instanceof Error)) return printable(`thrown: ${show(error)}`);
  const { cause, message, name, stack = '' } = error;
  const head = `${name}: ${message}`.slice(0, MESSAGE);
  const own = [head, ...framesOf(String(stack))].map(printable).join('\n');
  if (cause === undefined || depth === 0) return own;
  return `${own}\ncaused by ${wordsOf(cause, depth - 1)}`;
}

/** This system's own sources say nothing to an author, unless the stack is theirs alone. */
const OURS = new URL('..', import.meta.url).href;

function framesOf(stack: string): readonly string[] {
  const frames = stack.split('\n').filter((line) => /^\s+at /.test(line));
  const authors = frames.filter((line) => !line.includes(OURS) && !line.includes('(node:'));
  return authors.length > 0 ? authors.slice(0, LINES) : frames.slice(0, FEW);
}

function show(value: unknown): string {
  try {
    return (typeof value === 'string' ? value : JSON.stringify(value)).slice(0, MESSAGE);
  } catch {
    return typeof value;
  }
}

/** Cc, Cf, Zl, Zp: what is not seen, and could move the cursor or turn the text; breaks stay. */
const UNSEEN = /(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

function printable(text: string): string {
  return text.replaceAll('\t', '  ').replaceAll(UNSEEN, '\ufffd');
}
