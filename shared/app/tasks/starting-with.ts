/**
 * An iteration with something before it. What was first is let go as soon as it was taken: a
 * generator would hold its whole task for as long as its stream is open.
 */
export function startingWith<T>(first: T, rest: AsyncGenerator<T>): AsyncGenerator<T> {
  return new StartingWith(first, rest);
}

class StartingWith<T> implements AsyncGenerator<T> {
  readonly #first: T[];
  readonly #rest: AsyncGenerator<T>;

  constructor(first: T, rest: AsyncGenerator<T>) {
    this.#first = [first];
    this.#rest = rest;
  }

  next(): Promise<IteratorResult<T>> {
    const value = this.#first.pop();
    return value === undefined ? this.#rest.next() : Promise.resolve({ done: false, value });
  }

  return(): Promise<IteratorResult<T>> {
    this.#first.pop();
    return this.#rest.return(undefined);
  }

  throw(error: unknown): Promise<IteratorResult<T>> {
    this.#first.pop();
    return this.#rest.throw(error);
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.return().then(() => undefined);
  }
}
