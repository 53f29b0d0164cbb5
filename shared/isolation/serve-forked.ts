import { AsyncLocalStorage } from 'node:async_hooks';
import { Worker } from 'node:worker_threads';
import type { Agent } from '../app/agents.ts';
import type { Clock } from '../ports/clock.ts';
import type { Strays } from '../ports/strays.ts';
import type { FromProcess, ToProcess } from './messages.ts';
import { SentErrors } from './sent-errors.ts';
import { serveAgent } from './serve-agent.ts';
import { AT_WORK, BEAT, type Watched } from './watch.ts';

export interface ForkedOptions extends Omit<Watched, 'beats'> {
  /** The script of the process, which watches it when it is run as a worker. */
  readonly script: string;
  readonly load: () => Promise<Pick<Agent, 'run' | 'reply'>>;
  readonly clock: Clock;
  /** `end` is called with an error that belongs to no run. */
  readonly strays: (end: (error: unknown) => void) => Strays;
}

/** Serves an agent in this process, for the one that forked it. */
export function serveForked({ clock, load, script, strays, ...watched }: ForkedOptions): void {
  const runs = new AsyncLocalStorage<number>();
  Object.assign(globalThis, { [Symbol.for(AT_WORK)]: () => runs.getStore() });
  const broken = (error: unknown): void => {
    process.send?.({ kind: 'broken', error: new SentErrors().send(error) }, () => process.exit(1));
  };
  const beats = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT);
  beat(new Int32Array(beats), clock);
  // Without what others have each of their threads load, whose faults would end it.
  const watcher = new Worker(script, { workerData: { ...watched, beats }, execArgv: [] });
  watcher.unref();
  // Unwatched, it serves nothing.
  const unwatched = (): void => broken(new Error('what watches the process of the agent ended'));
  watcher.once('error', unwatched).once('exit', unwatched);
  // The other process ends this one when it ends: the terminal tells both.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => undefined);
  process.on('disconnect', () => process.exit(0));
  const send = (message: FromProcess): void => {
    if (process.connected) process.send?.(message);
  };
  const agent = load();
  agent.catch(broken);
  const serve = serveAgent({
    agent,
    send,
    clock,
    strays: strays(broken),
    within: (run, work) => runs.run(run, work),
  });
  process.on('message', (message) => serve(message as ToProcess));
}

function beat(beats: Int32Array, clock: Clock): void {
  Atomics.add(beats, 0, 1);
  clock.after(BEAT, () => beat(beats, clock));
}
