import { get, isPassing, Refusal } from './api.ts';
import { after } from './browser.ts';

export type Heard<T> =
  | { readonly kind: 'asked' }
  | { readonly kind: 'answered'; readonly value: T }
  | { readonly kind: 'refused'; readonly error: Refusal };

/** After a fault that may pass. */
const RETRY = 3_000;

/** Asks the server the same again and again, one request at a time. */
export class Asking<T> {
  readonly #path: string;
  readonly #calm: number;
  readonly #tell: (heard: Heard<T>) => void;
  #request: AbortController | undefined;
  #cancel: (() => void) | undefined;
  #changed = false;

  /** `calm`: what changes is asked for once in so many milliseconds at most. */
  constructor(path: string, calm: number, tell: (heard: Heard<T>) => void) {
    this.#path = path;
    this.#calm = calm;
    this.#tell = tell;
  }

  /** Asks now, whatever was asked before. */
  now(): void {
    this.#request?.abort();
    const request = new AbortController();
    this.#request = request;
    this.#changed = false;
    this.#tell({ kind: 'asked' });
    get<T>(this.#path, request.signal)
      .then((value) => this.#take(request, { kind: 'answered', value }))
      .catch((error: unknown) => this.#take(request, { kind: 'refused', error: refusalOf(error) }));
  }

  /**
   * Something changed. A slow answer is waited for: changes that come faster than answers would
   * never show one.
   */
  later(wait = this.#calm): void {
    this.#cancel ??= after(wait, () => {
      this.#cancel = undefined;
      if (this.#request === undefined) this.now();
      else this.#changed = true;
    });
  }

  stop(): void {
    this.#request?.abort();
    this.#request = undefined;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #take(request: AbortController, heard: Heard<T>): void {
    if (this.#request !== request) return;
    this.#request = undefined;
    this.#tell(heard);
    if (heard.kind === 'refused' && isPassing(heard.error)) this.later(RETRY);
    else if (this.#changed) this.later();
  }
}

export function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  const words = error instanceof Error ? error.message : String(error);
  return new Refusal(0, 'FAILED', `The page failed: ${words}`);
}
