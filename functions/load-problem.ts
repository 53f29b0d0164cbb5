/** Lines of a stack that an author is shown. */
const LINES = 5;

const OURS = new URL('..', import.meta.url).href;
const ERASABLE =
  'Node runs the sources as they are and only takes types out: write it without enum, namespace with values, or parameter properties.';

/**
 * What was thrown when a module was loaded: file, line and the code where Node knows them, else the
 * lines of the stack that are the author's.
 */
export function loadProblem(error: unknown): string {
  if (!(error instanceof Error)) return `it threw ${JSON.stringify(error) ?? typeof error}`;
  const { cause, message, stack = '' } = error;
  const lines = stack.split('\n');
  const first = lines.findIndex((line) => /^\s+at /.test(line));
  const head = (first < 0 ? lines : lines.slice(0, first)).join('\n').trim();
  const own = lines
    .slice(Math.max(0, first))
    .filter((line) => /^\s+at /.test(line) && !/\(?node:/.test(line) && !isOurs(line));
  const place = head.includes(message) ? head : `${error.name}: ${message}`;
  return [
    place,
    ...own.slice(0, LINES),
    ...(codeOf(error) === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX' ? [ERASABLE] : []),
    ...(cause === undefined ? [] : [`caused by ${loadProblem(cause)}`]),
  ].join('\n');
}

/** Frames of what loads; examples and agents beside it are authors' code. */
const isOurs = (line: string): boolean =>
  line.includes(`${OURS}functions/`) || line.includes(`${OURS}shared/`);

const codeOf = (error: Error): unknown => ('code' in error ? error.code : undefined);
