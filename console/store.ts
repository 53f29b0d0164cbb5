import { useEffect, useState } from 'preact/hooks';

/** A value that components follow. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  /** Calls back after each change; the answer ends that. */
  follow(callback: () => void): () => void;
}

export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const followers = new Set<() => void>();
  return {
    get: () => value,
    set(next) {
      if (Object.is(value, next)) return;
      value = next;
      for (const callback of followers) callback();
    },
    follow(callback) {
      followers.add(callback);
      return () => void followers.delete(callback);
    },
  };
}

/** The value of a store, in a component that is drawn again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [value, setValue] = useState(() => store.get());
  useEffect(() => {
    const take = (): void => setValue(() => store.get());
    take();
    return store.follow(take);
  }, [store]);
  return value;
}
