import type { Change } from '../../domain/blocked.ts';
import { changesFor, limitsOf } from '../agents.ts';
import type { OperatorAction } from '../../domain/operator-action.ts';
import type { Limits } from '../../domain/budget.ts';
import type { Json } from '../../domain/json.ts';
import type { RemoteTaskRef } from '../../domain/remote.ts';
import { isEnded, type Run, waitsForPerson } from '../../domain/run.ts';
import type { Doc, Query } from '../../ports/store.ts';
import { operatorOf } from '../content/operator-actions.ts';
import { knownRemote } from '../agents.ts';
import type { App } from '../app.ts';
import { type DecisionFate, fateOf } from '../decisions/decision-record.ts';
import { pad } from '../records/documents.ts';
import { tolerantCodec, undefinedIfUnreadable } from '../records/unreadable.ts';
import { unsealRemoteTask } from '../content/remote-task-ref.ts';
import { type Asked, askedOf } from './asked.ts';
import type { OperatorRefused } from './operator-refusal.ts';
import type { Rights, Seen } from './operator-rights.ts';
import {
  type DecisionDoc,
  decisionDoc,
  type PauseDoc,
  pauseDoc,
  type SendDoc,
  sendDoc,
  type SignalDoc,
  signalDoc,
  type StepDoc,
  stepDoc,
} from '../records/work-documents.ts';
import { type SealingKey, runKeyOf } from '../content/sealing-key.ts';
import { workReader } from './read-work.ts';
import { type ShownError, shownErrors } from './run-trail.ts';
import { type RunWords, wordsOf } from './run-words.ts';
import { seenRun } from './seen-run.ts';
import { newestRevisions, type RevisionFact } from './shown-revisions.ts';
import { stateOfSend } from './unresolved-send.ts';

/** The newest of each kind; older ones are there, and not shown. */
const SHOWN = 200;

export interface Timeline extends Seen {
  readonly kind: 'timeline';
  readonly limits: Limits;
  /** What is gone or changed of what it would go on with. */
  readonly changes: readonly Change[];
  /** What it asks a person now, for operators who may see content. */
  readonly asked?: Asked;
  readonly revisions: readonly RevisionFact[];
  readonly steps: readonly WithContent<StepDoc>[];
  readonly sends: readonly ShownSend[];
  readonly pauses: readonly WithContent<PauseDoc>[];
  readonly decisions: readonly (WithContent<DecisionDoc> & { readonly fate: DecisionFate })[];
  /** Events that were delivered to it. */
  readonly signals: readonly WithContent<SignalDoc>[];
  readonly acts: readonly ShownAct[];
  readonly errors: readonly ShownError[];
  readonly words: RunWords;
  /** The remote task that it waits for, for operators who may see content. */
  readonly remoteTask?: RemoteTaskRef;
}

/**
 * A send with its state as far as it is known, and where its remote's card is, while that is
 * declared.
 */
export interface ShownSend extends WithContent<SendDoc> {
  readonly known: SendDoc['state'];
  readonly card: string | undefined;
}

/** What an operator did, and who it was if its reader may see that. */
export interface ShownAct {
  readonly act: OperatorAction;
  readonly operator: string | undefined;
}

/** A document, and what it holds if its reader may see that. */
export interface WithContent<T> {
  readonly doc: T;
  readonly content: Json | undefined;
}

/**
 * Everything that is kept of how a run came to be where it is, oldest first. Content only with the
 * right `view`.
 */
export async function runTimeline(
  app: App,
  rights: Rights,
  id: string,
): Promise<Timeline | OperatorRefused> {
  const seen = await seenRun(app, rights, id);
  if ('kind' in seen) return seen;
  const { may, run } = seen;
  const { taskId } = run;
  const [revisions, steps, sends, pauses, decisions, signals] = await Promise.all([
    newestRevisions(app, run, SHOWN),
    newest(app, stepDoc(taskId, 0), run.steps),
    // By id, which says nothing: all of them, and a run has few.
    newest(app, sendDoc(taskId, ''), 0),
    newest(app, pauseDoc(taskId, 0), run.pauseGeneration),
    newest(app, decisionDoc(taskId, 0), run.pauseGeneration),
    run.signals === undefined ? [] : newest(app, signalDoc(taskId, 0), run.signals),
  ]);
  const view = may.has('view');
  const reader = await workReader(app, run, view);
  const runKey = view ? await undefinedIfUnreadable(() => runKeyOf(app, run)) : undefined;
  const remoteTask = runKey && (await operationOf(runKey, run));
  const asked = view && waitsForPerson(run) ? await askedOf(app, run) : undefined;
  const agent = app.agents.get(run.agent);
  const now = app.clock.now();
  // Of two of one moment, the one that was replaced was first.
  const rank = ({ replacedBy }: SendDoc): number => (replacedBy === null ? 1 : 0);
  sends.sort((a, b) => a.preparedAt - b.preparedAt || rank(a) - rank(b));
  return {
    kind: 'timeline',
    run,
    may,
    changes: run.pauseGeneration === 0 || isEnded(run) ? [] : changesFor(app.agents, run),
    limits: agent === undefined ? {} : limitsOf(app.settings, agent),
    revisions,
    // A run of which nothing may be kept does not say either what it did.
    steps: keepsNothing(run) ? [] : await withContent(steps, (doc) => reader.step(doc)),
    sends: (await withContent(sends, (doc) => reader.send(doc))).map((each) => ({
      ...each,
      known: stateOfSend(app, run, each.doc, now),
      card: knownRemote(app.agents, run, each.doc.remote)?.card,
    })),
    pauses: await withContent(pauses, (doc) => reader.pause(doc)),
    decisions: (await withContent(decisions, (doc) => reader.decision(doc))).map((each) => ({
      ...each,
      fate: fateOf(run, each.doc),
    })),
    signals: keepsNothing(run) ? [] : await withContent(signals, (doc) => reader.signal(doc)),
    acts: (run.acts ?? []).map((act) => ({ act, operator: runKey && operatorOf(runKey, act) })),
    errors: await shownErrors(app, run, view),
    words: (await wordsOf(app, [seen])).get(taskId) ?? {},
    ...(remoteTask !== undefined && { remoteTask }),
    ...(asked !== undefined && { asked }),
  };
}

const keepsNothing = (run: Run): boolean => isEnded(run) && run.auditCeiling === 'none';

/** The newest first: what is most wanted has its content, if all is too much. */
async function withContent<T>(
  docs: readonly T[],
  unseal: (doc: T) => Promise<Json | undefined>,
): Promise<readonly WithContent<T>[]> {
  const unsealed: WithContent<T>[] = [];
  for (const doc of docs.toReversed()) unsealed.unshift({ doc, content: await unseal(doc) });
  return unsealed;
}

async function operationOf(runKey: SealingKey, run: Run): Promise<RemoteTaskRef | undefined> {
  if (run.status !== 'waiting_for_dependency' || run.dependency.operation === null)
    return undefined;
  const { operation, sendId } = run.dependency;
  return undefinedIfUnreadable(() => unsealRemoteTask(runKey, sendId, operation));
}

/** Documents beside that one, up to the number `last`; one that can't be read is left out. */
async function newest<T>(app: App, { codec, path }: Doc<T>, last: number): Promise<T[]> {
  const collection = path.slice(0, path.lastIndexOf('/'));
  const first = Math.max(0, last - SHOWN + 1);
  const query: Query<T | undefined> = {
    collection,
    codec: tolerantCodec(codec),
    filters: [],
    order: undefined,
    ...(first > 0 && { from: { value: pad(first), inclusive: true } }),
    limit: SHOWN,
  };
  const rows = await app.store.page(query);
  return rows.flatMap(({ id, value }) => {
    if (value === undefined) app.log.write('error', 'row not readable', { collection, id });
    return value === undefined ? [] : [value];
  });
}
