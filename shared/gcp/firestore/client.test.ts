import { expect, onTestFinished, test } from 'vitest';
import { useFirestoreEmulator } from '../../../test/emulator/firestore.ts';
import { openClient } from './client.ts';

/** Tells when a client's pool is asked for a connection. */
function poolAsked(firestore: object): Promise<void> {
  const asked = Promise.withResolvers<void>();
  const pool: unknown = Reflect.get(firestore, '_clientPool');
  if (typeof pool !== 'object' || pool === null) throw new Error('no pool');
  const run: unknown = Reflect.get(pool, 'run');
  if (typeof run !== 'function') throw new Error('no run');
  Reflect.set(pool, 'run', (...parts: readonly unknown[]): unknown => {
    asked.resolve();
    return Reflect.apply(run, pool, parts);
  });
  return asked.promise;
}

test.each(['a read', 'a listener'] as const)(
  '%s that meets a terminated client leaves no rejection unhandled',
  async (kind) => {
    await useFirestoreEmulator();
    const unhandled: unknown[] = [];
    const note = (error: unknown): void => void unhandled.push(error);
    process.on('unhandledRejection', note);
    onTestFinished(() => void process.off('unhandledRejection', note));
    const { firestore } = await openClient({
      projectId: 'unused',
      databaseId: '(default)',
      deadline: 1_000,
    });
    await firestore.terminate();
    const asked = poolAsked(firestore);
    const document = firestore.doc('tasks/one');
    if (kind === 'a read') document.get().catch(note);
    else document.onSnapshot(() => {}, note);
    await asked;
    // Node tells of a rejection when the microtasks after it have run.
    await new Promise((resolve) => setImmediate(resolve));
    expect(unhandled).toEqual([]);
  },
);
