import type { Millis } from './brand.ts';
import type { Json } from './json.ts';
import type { DeciderKind } from './step.ts';

/** Signals of one run, over all its names: as many as it may have operations. */
export const MOST_SIGNALS = 1_000;
/** Of the data of one, as JSON. */
export const SIGNAL_BYTES = 64 * 1024;
/** Of the A2A extension by which a message to a task is an event (docs/steps.md#events). */
export const EVENTS_EXTENSION = 'urn:holdfast:extension:events:1';

/** What was delivered to a run, without its data. */
export interface SignalFacts {
  /** From 1 on, in the order of arrival. */
  readonly number: number;
  readonly name: string;
  readonly at: Millis;
  readonly by: DeciderKind;
}

export interface Signal extends SignalFacts {
  readonly data: Json;
}

/** What a run takes by a name, as its agent declares it. */
export interface DeclaredSignal {
  readonly name: string;
  /** The owner of the task may deliver it; operators with the right may in any case. */
  readonly owner: boolean;
  /** JSON Schema of its data. */
  readonly schema: Json;
  /** What of this data does not fit: the path within it, and why. Undefined: it fits. */
  objection(data: Json): { readonly path: string; readonly message: string } | undefined;
}

/** What a sleeping run would be woken by. */
export interface Awaited {
  readonly names: readonly string[];
  /** So many had been delivered when the function last looked. */
  readonly seen: number;
}
