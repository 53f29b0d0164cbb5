import type { WorldOptions } from './world.ts';
import { wrapped, wrappedBlobs } from './wrapped.ts';

/** Lets another process act just before one call to the store or to the objects. */
export class Meanwhile {
  calls = 0;
  act: (() => Promise<unknown>) | undefined;
  #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  async before<T>(run: () => Promise<T>): Promise<T> {
    this.calls += 1;
    if (this.calls === this.#at) await this.act?.();
    return run();
  }

  get options(): WorldOptions {
    return {
      wrap: (below) =>
        wrapped(below, {
          read: (paths) => this.before(() => below.read(paths)),
          commit: (...given) => this.before(() => below.commit(...given)),
        }),
      wrapBlobs: (below) =>
        wrappedBlobs(below, {
          get: (name) => this.before(() => below.get(name)),
          put: (...given) => this.before(() => below.put(...given)),
          delete: (name) => this.before(() => below.delete(name)),
        }),
    };
  }
}
