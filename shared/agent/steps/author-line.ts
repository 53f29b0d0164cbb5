/** Of what runs here; what is beside `shared` and `functions` is authors' code. */
const ROOT = new URL('../../..', import.meta.url).href;
const OURS = ['shared/', 'functions/'].map((folder) => ROOT + folder);
const PLACE = /(file:\/\/[^\s()]+|\/[^\s()]+):(\d+):(\d+)\)?$/;

/**
 * The first line of a stack that is its author's, `file:line:column`; undefined if there is none.
 */
export function authorLine(thrown: unknown): string | undefined {
  const stack = thrown instanceof Error ? (thrown.stack ?? '') : '';
  for (const line of stack.split('\n')) {
    const [, file, row, column] = (/^\s+at /.test(line) && PLACE.exec(line)) || [];
    if (file === undefined || file.includes('/node_modules/')) continue;
    const url = file.startsWith('/') ? `file://${file}` : file;
    if (!OURS.some((ours) => url.startsWith(ours)))
      return `${decodeURI(new URL(url).pathname)}:${row}:${column}`;
  }
  return undefined;
}
