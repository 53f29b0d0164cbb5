import {
  isBlocked,
  type Queued,
  type Run,
  type WaitingForDependency,
  type WaitingForPerson,
  waitsForPerson,
} from '../../domain/run.ts';
import type { Query } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { type Asked, askedOf } from './asked.ts';
import { waitsForUnknownSend } from './run-filter.ts';
import { stateOfSend } from './unresolved-send.ts';
import type { Rights } from './operator-rights.ts';
import { type SendDoc, sendDoc } from '../records/work-documents.ts';
import { BLOCKED, readableRunCodec, UNKNOWN_SEND } from '../records/run-document.ts';

/**
 * At most this many rows of each shard and kind are read: the longest waits for a person, and the
 * newest of the unknown sends, which are few.
 */
const SCAN = 100;

/** A run that waits for a person, with what it asks where that may be seen. */
export interface Pending {
  readonly run: WaitingForPerson;
  readonly asked?: Asked;
}

/** A run that waits for a remote agent that may or may not have got its message. */
export interface PendingSend {
  readonly run: WaitingForDependency;
  readonly send: SendDoc;
  readonly state: SendDoc['state'];
}

export type BlockedRun = Queued | WaitingForDependency;

export interface Inbox {
  readonly decisions: readonly Pending[];
  readonly sends: readonly PendingSend[];
  /** Runs that go on when an operator says so, or what is gone or changed is as it was. */
  readonly blocked: readonly BlockedRun[];
  /** There are more than were read. */
  readonly more: boolean;
}

/**
 * What waits for this operator, longest first: pauses that they may decide about, and sends that
 * they may resolve. A run that waits for a remote agent is not among the pauses: no person can
 * decide that (G10).
 */
export async function inbox(app: App, rights: Rights, limit: number): Promise<Inbox> {
  const oldest = { field: 'statusAt', direction: 'asc' } as const;
  const [approvals, inputs, sends, blocked] = await Promise.all([
    rowsOf(app, 'status', 'waiting_for_approval', oldest),
    rowsOf(app, 'status', 'waiting_for_input', oldest),
    rowsOf(app, 'attention', UNKNOWN_SEND, { ...oldest, direction: 'desc' }),
    rowsOf(app, 'attention', BLOCKED, { ...oldest, direction: 'desc' }),
  ]);
  const pauses = [...approvals.runs, ...inputs.runs].filter(waitsForPerson);
  const unknown = sends.runs.filter(isUnknownSend);
  const decidable = await first(pauses, limit, async ({ agent }) =>
    (await rights(agent)).has('decide'),
  );
  const sendable = await first(unknown, limit, async ({ agent }) =>
    (await rights(agent)).has('send'),
  );
  const continuable = await first(blocked.runs.filter(isBlockedRun), limit, async ({ agent }) =>
    (await rights(agent)).has('decide'),
  );
  return {
    decisions: await Promise.all(
      decidable.taken.map(async (run) => {
        const asked = (await rights(run.agent)).has('view') ? await askedOf(app, run) : undefined;
        return { run, ...(asked !== undefined && { asked }) };
      }),
    ),
    sends: (await Promise.all(sendable.taken.map((run) => pendingSend(app, run)))).flat(),
    blocked: continuable.taken,
    more: [approvals, inputs, sends, blocked, decidable, sendable, continuable].some(
      ({ more }) => more,
    ),
  };
}

async function rowsOf(
  app: App,
  field: string,
  equals: string,
  order: NonNullable<Query<Run>['order']>,
): Promise<{ readonly runs: readonly Run[]; readonly more: boolean }> {
  const { runs } = await app.shards.toRead();
  const pages = await Promise.all(
    Array.from({ length: runs }, (_, shard) =>
      app.store.page({
        collection: 'runs',
        codec: readableRunCodec,
        filters: [
          { field: 'shard', equals: shard },
          { field, equals },
        ],
        order,
        limit: SCAN,
      }),
    ),
  );
  return {
    runs: pages.flat().flatMap(({ value }) => value ?? []),
    more: pages.some((page) => page.length === SCAN),
  };
}

const isUnknownSend = (run: Run): run is WaitingForDependency => waitsForUnknownSend(run);

const isBlockedRun = (run: Run): run is BlockedRun => isBlocked(run);

/** Since when it waits, as far as its row says. */
const sinceOf = (run: WaitingForPerson | BlockedRun): number =>
  'pausedAt' in run ? run.pausedAt : (run.blocked?.since ?? run.statusAt);

async function first<R extends WaitingForPerson | BlockedRun>(
  runs: readonly R[],
  limit: number,
  may: (run: R) => Promise<boolean>,
): Promise<{ readonly taken: readonly R[]; readonly more: boolean }> {
  const taken: R[] = [];
  for (const run of runs.toSorted((a, b) => sinceOf(a) - sinceOf(b))) {
    if (!(await may(run))) continue;
    if (taken.length === limit) return { taken, more: true };
    taken.push(run);
  }
  return { taken, more: false };
}

async function pendingSend(app: App, run: WaitingForDependency): Promise<readonly PendingSend[]> {
  const send = await app.store.get(sendDoc(run.taskId, run.dependency.sendId));
  if (send === undefined) return [];
  return [{ run, send, state: stateOfSend(app, run, send, app.clock.now()) }];
}
