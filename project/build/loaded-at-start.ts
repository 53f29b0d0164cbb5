import type { Metafile } from 'esbuild';

/**
 * The source files whose code runs when the entry point is loaded: what only a dynamic import leads
 * to is not among them.
 */
export function loadedAtStart(metafile: Metafile): ReadonlySet<string> {
  const inputs = new Set<string>();
  for (const path of chunksAtStart(metafile)) {
    const { inputs: found = {} } = metafile.outputs[path] ?? {};
    for (const input of Object.keys(found)) inputs.add(input);
  }
  return inputs;
}

/** The entry point and the chunks that it can't run without. */
export function chunksAtStart({ outputs }: Metafile): ReadonlySet<string> {
  const [entry] = Object.keys(outputs).filter(
    (path) => path.endsWith('/index.js') && !path.includes('/chunks/'),
  );
  const chunks = new Set<string>();
  const queue = entry === undefined ? [] : [entry];
  for (let path = queue.pop(); path !== undefined; path = queue.pop()) {
    if (chunks.has(path)) continue;
    chunks.add(path);
    for (const { kind, path: next, external } of outputs[path]?.imports ?? []) {
      if (kind === 'import-statement' && external !== true) queue.push(next);
    }
  }
  return chunks;
}
