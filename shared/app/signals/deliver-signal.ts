import { canonicalJson } from '../../domain/json.ts';
import { invalid, type Refused, refused } from '../../domain/refusal.ts';
import type { Run } from '../../domain/run.ts';
import { MOST_SIGNALS } from '../../domain/signal.ts';
import { signalled } from '../../domain/sleeping.ts';
import type { App } from '../app.ts';
import { changeRun } from '../change/change-run.ts';
import type { Keys, Reads, Writes } from '../change/run-change.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import { type SignalDoc, signalDoc, signalIdDoc } from '../records/work-documents.ts';
import { wakeUp } from '../wake-up.ts';
import {
  type Deliverer,
  type NewSignal,
  notNow,
  objectionTo,
  type SignalFields,
} from './check-signal.ts';
import { sealSignal } from './signal-content.ts';

export interface SignalTaken {
  readonly kind: 'delivered';
  readonly run: Run;
  readonly number: number;
  readonly at: number;
  /** It was delivered before, under the same id. */
  readonly repeated: boolean;
}

/** What else comes with it, in the same commit. */
export interface Along<S extends object, F extends object> {
  seal(keys: Keys): S;
  read(tx: Reads, run: Run, sealed: S): Promise<F>;
  stale(found: F): boolean;
  addTo(run: Run, sealed: S): Run | undefined;
  write(tx: Writes, found: S & F): void;
}

/**
 * Delivers an event to a run: its row, the count of them, and the time at which the run is due are
 * one transaction, so it is kept as soon as its deliverer hears so, and wakes a run that waits for
 * it. One that does not wait for it yet finds it when it does. Refuses a run that has ended, a name
 * that its agent does not declare for this deliverer, data that does not fit what it declares, and
 * what is too much. Throws Unreadable, Unavailable, Contention.
 */
export async function deliverSignal<S extends object, F extends object>(
  app: App,
  known: Run,
  signal: NewSignal,
  by: Deliverer,
  { along, fields }: { readonly fields: SignalFields; readonly along?: Along<S, F> },
): Promise<SignalTaken | Refused> {
  const { data, id, name } = signal;
  const idAt = id === undefined ? undefined : signalIdDoc(known.taskId, id);
  // What came before is answered as it was, whatever has become of the run.
  const wrong = (await objectionTo(app, known, signal, by, fields)) ?? notNow(known);
  if (wrong !== undefined && (idAt === undefined || (await app.store.get(idAt)) === undefined))
    return wrong;
  const operator = by.kind === 'operator' ? { operator: by.operator } : {};
  const outcome = await changeRun(app, known, {
    ...(by.kind === 'operator' && {
      audit: { act: 'event', operator: by.operator, subject: name },
    }),
    seal: async (keys) => {
      const number = (keys.run.signals ?? 0) + 1;
      const facts = { number, name, at: app.clock.now(), by: by.kind };
      const doc = await sealSignal(app, keys.workKey, facts, { data, ...operator });
      return { doc, digest: digestOf(keys.workKey, signal), more: along?.seal(keys) };
    },
    read: async (tx, run, { digest, doc, more }) => {
      const earlier = idAt && (await tx.get(idAt));
      return {
        earlier,
        // A run that has ended has no key any more that would tell another one.
        other: notNow(run) === undefined && earlier !== undefined && earlier.digest !== digest,
        // Sealed for a number that another one has by now.
        taken: (run.signals ?? 0) >= doc.number,
        found: more && (await along?.read(tx, run, more)),
      };
    },
    stale: ({ found, taken }) => taken || (found !== undefined && along?.stale(found) === true),
    decide(run, now, { earlier, more }) {
      const full = (run.signals ?? 0) >= MOST_SIGNALS;
      const next = earlier === undefined && !full ? signalled(run, name, now) : undefined;
      return next && more ? along?.addTo(next, more) : next;
    },
    write(tx, { taskId }, { digest, doc, found, more }) {
      const { at, number } = doc;
      tx.create(signalDoc(taskId, number), doc);
      if (idAt !== undefined) tx.create(idAt, { v: SCHEMA_VERSION, number, at, digest });
      if (found !== undefined && more !== undefined) along?.write(tx, { ...more, ...found });
    },
  });
  if (outcome.kind === 'changed') return delivered(app, outcome.run, outcome.sealed.doc);
  const { read, run } = outcome;
  if (run === undefined) return refused('TASK_NOT_FOUND', 'task not found');
  const { earlier, other } = read ?? {};
  if (other === true) return invalid(fields.id, 'was used for an event with another name or data');
  if (earlier === undefined) return notNow(run) ?? tooMany();
  const { at, number } = earlier;
  return { kind: 'delivered', run, number, at, repeated: true };
}

async function delivered(
  app: App,
  run: Run,
  { at, by, name, number }: SignalDoc,
): Promise<SignalTaken> {
  app.log.write('info', 'event delivered', { task: run.taskId, event: name, by, number });
  await wakeUp(app, run);
  return { kind: 'delivered', run, number, at, repeated: false };
}

function tooMany(): Refused {
  const message = `the task has had ${MOST_SIGNALS} events, and may have no more`;
  return refused('TASK_TOO_LARGE', message, { metadata: { limit: 'events' } });
}

/** What tells it from another under the same id; it says nothing without the key. */
const digestOf = ({ keys }: SealingKey, { data, name }: NewSignal): string =>
  keys.mac('signals', canonicalJson([name, data])).toString('base64url');
