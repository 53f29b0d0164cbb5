import type { Transcript } from '../../app/transcript.ts';
import type { Signal, SignalFacts } from '../../domain/signal.ts';

/** What there was when it was looked for. */
export interface Looked {
  readonly signal?: Signal;
  /** So many had come by then. */
  readonly seen: number;
}

/**
 * The events of a run that its function has not taken yet. Each is taken by one branch, and the
 * transcript says which are gone: what a lost segment took is there again.
 */
export class EventInbox {
  readonly #transcript: Pick<Transcript, 'signals' | 'signal'>;
  readonly #taken: Set<number>;
  readonly #known = new Map<number, SignalFacts>();
  #next = 1;
  #looking: Promise<unknown> = Promise.resolve();

  /** `taken`: the numbers of those that are gone. */
  constructor(transcript: Pick<Transcript, 'signals' | 'signal'>, taken: Set<number>) {
    this.#transcript = transcript;
    this.#taken = taken;
    while (taken.has(this.#next)) this.#next += 1;
  }

  /** Takes the first of this name that came by then. */
  async take(name: string, until: number): Promise<Looked> {
    const look = this.#looking.then(() => this.#look());
    this.#looking = look.catch(() => undefined);
    const seen = await look;
    for (const each of this.#known.values()) {
      if (each.name !== name || each.at > until || this.#taken.has(each.number)) continue;
      this.#taken.add(each.number);
      return { seen, signal: await this.#transcript.signal(each.number) };
    }
    return { seen };
  }

  async #look(): Promise<number> {
    const { count, signals } = await this.#transcript.signals(this.#next);
    for (const each of signals) this.#known.set(each.number, each);
    this.#next = Math.max(this.#next, count + 1);
    return count;
  }
}
