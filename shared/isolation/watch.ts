import { writeSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';
import { REPORT, type Report } from './forked-agent.ts';
import { lookAtMain } from './look-at-main.ts';

/** Where a process says which run the code at hand belongs to. */
export const AT_WORK = 'holdfast.run-at-work';
/** The thread of the agent says this often that it is free. */
export const BEAT: Millis = 100;
const ROUND: Millis = 200;
/** A process has this much besides what its agent may have on the heap. */
const BESIDE = 256 * 2 ** 20;

const watchedSchema = z.object({
  silence: z.number(),
  memory: z.number(),
  /** The process that it serves. */
  parent: z.number(),
  beats: z.instanceof(SharedArrayBuffer),
});
export type Watched = z.infer<typeof watchedSchema>;

/**
 * Watches the process that this worker is in, and ends it with a word why: when its thread was not
 * free for too long, when it takes too much memory, and when the process that it serves is gone.
 * Time is counted in rounds, so that a machine that stood still ends no agent.
 */
export async function watch(clock: Clock): Promise<never> {
  const { beats, memory, parent, silence } = watchedSchema.parse(workerData);
  const view = new Int32Array(beats);
  // Timers of the clock keep no thread alive.
  parentPort?.on('message', () => undefined);
  let last = -1;
  let still = 0;
  for (;;) {
    await clock.sleep(ROUND);
    const now = Atomics.load(view, 0);
    still = now === last ? still + 1 : 0;
    last = now;
    if (process.ppid !== parent) kill();
    if (process.memoryUsage.rss() > memory + BESIDE) await end('memory', clock);
    if (silence > 0 && still * ROUND >= silence) await end('stalled', clock);
  }
}

async function end(kind: Report['kind'], clock: Clock): Promise<void> {
  try {
    const seen = await lookAtMain(clock, AT_WORK);
    writeSync(REPORT, JSON.stringify({ kind, ...seen }));
  } finally {
    // Also when the process that would read it is gone: the write fails then.
    kill();
  }
}

function kill(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('a killed process goes on');
}
