import { SegmentOver } from '../app/segments.ts';
import type { Answer, Asked, FromProcess, Method, Methods } from './messages.ts';
import { SentErrors } from './sent-errors.ts';

/** What one run asks of the other process, and the answers that are not here yet. */
export class Asking {
  readonly errors = new SentErrors();
  readonly #run: number;
  readonly #send: (message: FromProcess) => void;
  readonly #asked = new Map<number, (answer: Answer | 'over') => void>();
  #calls = 0;
  #over = false;

  constructor(run: number, send: (message: FromProcess) => void) {
    this.#run = run;
    this.#send = send;
  }

  /** Rejects with what was thrown there; throws SegmentOver when the run is over. */
  async ask<M extends Method>(
    method: M,
    args: Methods[M]['args'],
    signal?: AbortSignal,
  ): Promise<Methods[M]['value']> {
    if (this.#over) throw new SegmentOver('lost');
    const call = (this.#calls += 1);
    const run = this.#run;
    const cancel = (): void => this.#send({ kind: 'cancel', run, call });
    const answered = new Promise<Answer | 'over'>((resolve) => this.#asked.set(call, resolve));
    const asked: Asked<M> = { method, args };
    this.#send({ kind: 'call', run, call, asked });
    if (signal?.aborted === true) cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    const answer = await answered;
    signal?.removeEventListener('abort', cancel);
    if (answer === 'over') throw new SegmentOver('lost');
    if ('error' in answer) throw this.errors.take(answer.error);
    // The other end answers each method with its own value (`Answers` in messages.ts).
    return answer.value as Methods[M]['value'];
  }

  answered(call: number, answer: Answer): void {
    this.#asked.get(call)?.(answer);
    this.#asked.delete(call);
  }

  /** Nothing is answered any more. */
  close(): void {
    this.#over = true;
    for (const answer of this.#asked.values()) answer('over');
    this.#asked.clear();
  }
}
