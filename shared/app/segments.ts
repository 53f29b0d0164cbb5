/**
 * Why a segment's work must stop now. `refused`: one of our own services takes nothing from us for
 * the time being. `unstorable`: what it made can't be stored, however often it is tried.
 */
export type StopReason = 'cancelled' | 'lost' | 'deadline' | 'shutdown' | 'refused' | 'unstorable';

/**
 * The segments that run in this process, so that a cancel that arrives here stops the agent at
 * once. In another process its lease's watch on the row does that: the row decides.
 */
export interface Segments {
  add(taskId: string, stop: (reason: StopReason) => void): () => void;
  has(taskId: string): boolean;
  stop(taskId: string, reason: StopReason): void;
  /** The process is about to go: every segment hands its run back. */
  stopAll(reason: StopReason): void;
  readonly size: number;
  /** Polls that are under way, by task and due time. */
  readonly polls: Set<string>;
}

export function createSegments(): Segments {
  const running = new Map<string, Set<(reason: StopReason) => void>>();
  return {
    add(taskId, stop) {
      const stops = running.get(taskId) ?? new Set();
      running.set(taskId, stops.add(stop));
      return () => {
        stops.delete(stop);
        if (stops.size === 0) running.delete(taskId);
      };
    },
    has: (taskId) => running.has(taskId),
    stop(taskId, reason) {
      for (const stop of running.get(taskId) ?? []) stop(reason);
    },
    stopAll(reason) {
      for (const stops of running.values()) for (const stop of stops) stop(reason);
    },
    get size() {
      return running.size;
    },
    polls: new Set(),
  };
}

/**
 * Thrown to an agent that goes on after its segment is over; nothing that it says is heard any
 * more.
 */
export class SegmentOver extends Error {
  constructor(reason: unknown) {
    super(`this segment is over: ${String(reason)}`);
    this.name = 'SegmentOver';
  }
}
