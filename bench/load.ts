import { CONNECTIONS } from './client.ts';
import { workOf } from './machine.ts';

export interface Rate {
  readonly perSecond: number;
  readonly p50: number;
  readonly p99: number;
  /**
   * Milliseconds of the server's processor time for each call: the figure that a busy machine
   * changes least.
   */
  readonly cpu: number;
}

/**
 * A closed loop: so many at once, each sending its next call when the last is answered, until
 * `calls` are done.
 */
export async function load(
  pid: number,
  calls: number,
  call: () => Promise<unknown>,
  concurrency = CONNECTIONS,
): Promise<Rate> {
  const times: number[] = [];
  let left = calls;
  const before = workOf(pid);
  const began = performance.now();
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const sent = performance.now();
      await call();
      times.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: Math.min(calls, concurrency) }, worker));
  const seconds = (performance.now() - began) / 1_000;
  const cpu = (workOf(pid).cpu - before.cpu) / calls;
  const [p50, p99] = [quantile(times, 0.5), quantile(times, 0.99)];
  return { perSecond: calls / seconds, p50, p99, cpu };
}

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  const [low = Number.NaN, high = Number.NaN] = [Math.floor(middle), Math.ceil(middle)].map(
    (at) => sorted[at],
  );
  return (low + high) / 2;
}

/** The rate of a median round: rounds differ more than the calls within one. */
export function medianRate(rates: readonly Rate[]): Rate {
  return {
    perSecond: median(rates.map((rate) => rate.perSecond)),
    p50: median(rates.map((rate) => rate.p50)),
    p99: median(rates.map((rate) => rate.p99)),
    cpu: median(rates.map((rate) => rate.cpu)),
  };
}
