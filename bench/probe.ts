/**
 * Loaded into a measured server by `--import`, the same way into both, so that neither has to know
 * that it is measured: answers the message `memory` with its memory, after a full collection.
 */
export interface Memory {
  readonly rss: number;
  readonly heap: number;
}

process.on('message', (asked) => {
  if (asked !== 'memory') return;
  // Twice: what the first one finalises the second one frees.
  globalThis.gc?.();
  globalThis.gc?.();
  const { rss, heapUsed } = process.memoryUsage();
  process.send?.({ rss, heap: heapUsed } satisfies Memory);
});
process.channel?.unref();
