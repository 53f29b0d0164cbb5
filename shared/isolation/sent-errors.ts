import { Fault, isFault, type Advice } from '../ports/faults.ts';

/** An error on its way to the other process. */
export type SentError =
  /** One that came from there. */
  | { readonly kind: 'yours'; readonly id: number }
  | ErrorFacts
  /** What was thrown is no error. */
  | { readonly kind: 'value'; readonly value: unknown };

interface ErrorFacts {
  readonly kind: 'mine';
  readonly id: number;
  readonly name: string;
  readonly message: string;
  readonly stack: string;
  /** Of a fault of our own. */
  readonly advice?: Advice;
  /** What programs read of it, as far as it is a word or a number. */
  readonly fields: Readonly<Record<string, string | number>>;
  readonly cause?: SentError;
}

/** What is read of errors besides: codes of the system, and the status of a provider's answer. */
const FIELDS = ['code', 'errcode', 'status', 'statusCode'] as const;
/** Causes that are taken along. */
const DEPTH = 5;

/**
 * The errors that one process has sent to another, and got from there. One that comes back is the
 * object that it was: its class is known again where it is looked at.
 */
export class SentErrors {
  readonly #ours = new Map<number, object>();
  readonly #numbers = new WeakMap<object, number>();
  readonly #theirs = new Map<number, Error>();
  readonly #origins = new WeakMap<object, number>();

  send(error: unknown, depth = DEPTH): SentError {
    if (!(error instanceof Error)) return { kind: 'value', value: plain(error) };
    const origin = this.#origins.get(error);
    if (origin !== undefined) return { kind: 'yours', id: origin };
    const id = this.#numbers.get(error) ?? this.#ours.size + 1;
    this.#numbers.set(error, id);
    this.#ours.set(id, error);
    const cause = depth > 0 ? read(() => error.cause) : undefined;
    return {
      kind: 'mine',
      id,
      name: String(read(() => error.name) ?? 'Error'),
      message: String(read(() => error.message) ?? ''),
      stack: String(read(() => error.stack) ?? ''),
      ...(isFault(error) && { advice: error.advice }),
      fields: fieldsOf(error),
      ...(cause !== undefined && { cause: this.send(cause, depth - 1) }),
    };
  }

  take(sent: SentError): unknown {
    if (sent.kind === 'value') return sent.value;
    if (sent.kind === 'yours') return this.#ours.get(sent.id) ?? new Error('an error of before');
    const known = this.#theirs.get(sent.id);
    if (known !== undefined) return known;
    const error = this.#rebuilt(sent);
    this.#theirs.set(sent.id, error);
    this.#origins.set(error, sent.id);
    return error;
  }

  #rebuilt({ advice, cause, fields, message, name, stack }: ErrorFacts): Error {
    const because = cause && this.take(cause);
    const error =
      advice === undefined
        ? new Error(message, cause && { cause: because })
        : new Fault(name, advice, message, because);
    const hidden = { writable: true, configurable: true, enumerable: false };
    Object.defineProperty(error, 'name', { ...hidden, value: name });
    Object.defineProperty(error, 'stack', { ...hidden, value: stack });
    return Object.assign(error, fields);
  }
}

function fieldsOf(error: Error): ErrorFacts['fields'] {
  const places = [error, read<unknown>(() => Reflect.get(error, 'response'))];
  return Object.fromEntries(
    FIELDS.flatMap((name) => {
      const found = places.map((place) => fieldOf(place, name)).find((each) => each !== undefined);
      return found === undefined ? [] : [[name, found]];
    }),
  );
}

function fieldOf(place: unknown, name: string): string | number | undefined {
  if (typeof place !== 'object' || place === null) return undefined;
  const value = read<unknown>(() => Reflect.get(place, name));
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** Of what an author threw, whose getters may throw, too. */
function read<T>(get: () => T): T | undefined {
  try {
    return get();
  } catch {
    return undefined;
  }
}

/** What can cross, or a word for it. */
function plain(value: unknown): unknown {
  try {
    return structuredClone(value);
  } catch {
    return typeof value;
  }
}
