import type { Run } from '../../domain/run.ts';
import type { Signal, SignalFacts } from '../../domain/signal.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { workKeyOf } from '../content/work-key.ts';
import { runDoc } from '../records/documents.ts';
import { signalDoc } from '../records/work-documents.ts';
import { unsealSignal } from './signal-content.ts';

/** Rows that are read at once. */
const PAGE = 50;

/**
 * What was delivered from that number on, oldest first, and how many there are: the row is read
 * anew, as others deliver while a worker holds it. Throws Unreadable, Unavailable.
 */
export async function signalsFrom(
  app: App,
  taskId: string,
  from: number,
): Promise<{ readonly count: number; readonly signals: readonly SignalFacts[] }> {
  const count = (await app.store.get(runDoc(taskId)))?.signals ?? 0;
  const signals: SignalFacts[] = [];
  for (let first = from; first <= count; first += PAGE) {
    const many = Math.min(PAGE, count - first + 1);
    const docs = Array.from({ length: many }, (_, at) => signalDoc(taskId, first + at));
    for (const doc of await app.store.getAll(docs)) {
      if (doc === undefined) throw new Unreadable(`events of ${taskId}`);
      const { at, by, name, number } = doc;
      signals.push({ at, by, name, number });
    }
  }
  return { count, signals };
}

/** One of them, with its data. Throws Unreadable, Unavailable. */
export async function readSignal(app: App, run: Run, number: number): Promise<Signal> {
  const doc = await app.store.get(signalDoc(run.taskId, number));
  if (doc === undefined) throw new Unreadable(`event ${number} of ${run.taskId}`);
  const { at, by, data, name } = await unsealSignal(app, (await workKeyOf(app, run)).key, doc);
  return { at, by, data, name, number };
}
