/**
 * Does work in a process that nothing else keeps alive: the clock's timers do not
 * (system-clock.ts), so a wait in the midst of it would end the process without an error. Rejects
 * as the work does.
 */
export async function toTheEnd<T>(work: () => Promise<T>): Promise<T> {
  const held = setInterval(() => undefined, 60_000);
  try {
    return await work();
  } finally {
    clearInterval(held);
  }
}
