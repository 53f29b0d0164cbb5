import type { AgentName } from '../../domain/ids.ts';
import { READS } from '../../domain/format.ts';
import { allCollections } from '../../domain/collections.ts';
import { dueAt } from '../../domain/obligations.ts';
import type { RemoteTaskRef } from '../../domain/remote.ts';
import { Unavailable } from '../../ports/faults.ts';
import type { RowQuery } from '../../ports/backend.ts';
import type { App } from '../app.ts';
import { keysProblem } from '../privacy/check-keys.ts';
import { keysDoc } from '../records/keys-document.ts';
import { readableRunCodec } from '../records/run-document.ts';
import { isTimeSteady } from '../records/steady-time.ts';
import { formatDoc } from '../records/write-format.ts';
import { faultName } from '../wake-up.ts';
import { changedWaits } from './changed-waits.ts';
import { operatorStatus } from './operator-status.ts';
import type { Rights } from './operator-rights.ts';

export type Health = 'ok' | 'warn' | 'fail';

/** What one look at the installation found. No content, no secret. */
export interface Finding {
  readonly name: string;
  readonly health: Health;
  readonly words: string;
  /** What to do; absent where all is well. */
  readonly remedy?: string;
}

type Look = () => Promise<Finding | readonly Finding[]>;

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** An answer of the store that takes longer is slow, in milliseconds. */
const SLOW = SECOND;
/** Work that is due for longer waits; for longer than the second, nothing does it. */
const LATE = MINUTE;
const STUCK = 10 * MINUTE;
/** A remote that takes longer is as good as away. */
const REMOTE = 5 * SECOND;

/**
 * Looks at everything that work needs, as far as this process reaches it. A look that fails is a
 * finding, too; the remotes are those of agents that this operator may `view`.
 */
export async function examine(
  app: App,
  rights: Rights,
  agents: readonly AgentName[],
): Promise<readonly Finding[]> {
  const looks: readonly (readonly [string, Look])[] = [
    ['store', () => lookAtStore(app)],
    ['indexes', () => lookAtIndexes(app)],
    ['formats', () => lookAtFormats(app)],
    ['clock', () => lookAtClock(app)],
    ['queue', () => lookAtQueue(app)],
    ['keys', () => lookAtKeys(app)],
    ['waits', () => lookAtWaits(app, rights)],
    ['remotes', () => lookAtRemotes(app, rights, agents)],
  ];
  const found = await Promise.all(looks.map(([name, look]) => looked(name, look)));
  return found.flat();
}

async function looked(name: string, look: Look): Promise<Finding | readonly Finding[]> {
  try {
    return await look();
  } catch (error) {
    const words = `could not be looked at (${faultName(error)})`;
    return { name, health: 'fail', words, remedy: 'see `store`, and the log of this function' };
  }
}

async function lookAtStore({ clock, store }: App): Promise<Finding> {
  const began = clock.now();
  await store.get(formatDoc);
  const took = clock.now() - began;
  const words = `answers in ${took} ms`;
  if (took <= SLOW) return { name: 'store', health: 'ok', words };
  const remedy = 'is the database in the region of the functions, and the machine not overloaded?';
  return { name: 'store', health: 'warn', words, remedy };
}

/** Each composite index is asked for a row: Firestore refuses a query that none serves. */
async function lookAtIndexes({ store }: App): Promise<Finding> {
  const queries = allCollections.flatMap(({ indexes, name }) =>
    indexes.map((fields): RowQuery => {
      const last = fields.at(-1);
      return {
        collection: name,
        filters: fields.slice(0, -1).map(({ field }) => ({
          field,
          equals: field === 'shard' ? 0 : 'none',
        })),
        order: last && { field: last.field, direction: last.direction },
        limit: 1,
      };
    }),
  );
  const missing: string[] = [];
  for (const query of queries) {
    try {
      await store.count(query);
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      const { collection, filters, order } = query;
      const fields = [...filters.map(({ field }) => field), order?.field ?? ''].join(', ');
      missing.push(`${collection} (${fields})`);
    }
  }
  if (missing.length === 0)
    return { name: 'indexes', health: 'ok', words: `all ${queries.length} serve their queries` };
  const words = `no index for ${missing.join('; ')}`;
  const remedy = 'apply the Terraform module, and wait until the indexes are built';
  return { name: 'indexes', health: 'fail', words, remedy };
}

async function lookAtFormats({ format, store }: App): Promise<Finding> {
  const name = 'formats';
  if (format === undefined)
    return { name, health: 'ok', words: `one process reads and writes format ${READS}` };
  const known = await store.get(formatDoc);
  const writes = known?.writes ?? 0;
  const reads = Object.entries(known?.reads ?? {});
  const others = reads.filter(([, read]) => read !== READS);
  if (others.length > 0) {
    const words = `this release reads format ${READS}, others: ${others.map(([each, read]) => `${each} ${read}`).join(', ')}`;
    const remedy = 'deploy the same release to all functions';
    return { name, health: 'warn', words, remedy };
  }
  if (writes >= READS) return { name, health: 'ok', words: `format ${writes} is written and read` };
  const words = `every function reads format ${READS}, and ${writes} is written`;
  return { name, health: 'warn', words, remedy: 'holdfast raise-format' };
}

async function lookAtClock(app: App): Promise<Finding> {
  const name = 'clock';
  if (await isTimeSteady(app)) return { name, health: 'ok', words: 'goes steadily' };
  const words = 'leapt a short while ago: nothing is removed, and no deadline ends anything';
  return {
    name,
    health: 'warn',
    words,
    remedy: "check the machine's time; it counts again after ten minutes",
  };
}

async function lookAtQueue(app: App): Promise<Finding> {
  const { clock, shards, store } = app;
  const { runs } = await shards.toRead();
  const each = Array.from({ length: runs }, (_, shard) => ({ field: 'shard', equals: shard }));
  const [counts, due] = await Promise.all([
    Promise.all(
      each.map((shard) =>
        store.count({
          collection: 'runs',
          filters: [shard, { field: 'status', equals: 'queued' }],
          order: undefined,
          limit: 100_000,
        }),
      ),
    ),
    Promise.all(
      each.map((shard) =>
        store.page({
          collection: 'runs',
          codec: readableRunCodec,
          filters: [shard],
          order: { field: 'dueAt', direction: 'asc' },
          limit: 1,
        }),
      ),
    ),
  ]);
  const queued = counts.reduce((sum, count) => sum + count, 0);
  const now = clock.now();
  const oldest = Math.min(now, ...due.flat().map(({ value: run }) => (run && dueAt(run)) ?? now));
  const late = now - oldest;
  const words = `${queued} queued; the oldest work is due for ${Math.round(late / SECOND)} s`;
  if (late < LATE) return { name: 'queue', health: 'ok', words };
  const remedy =
    'does the worker run, is its queue not paused, does the sweeper run? docs/runbook.md';
  return { name: 'queue', health: late < STUCK ? 'warn' : 'fail', words, remedy };
}

async function lookAtKeys({ sealer, store }: App): Promise<Finding> {
  const name = 'keys';
  const problem = await keysProblem({ sealer, store });
  if (problem !== undefined)
    return {
      name,
      health: 'fail',
      words: problem,
      remedy: 'docs/operating.md says where keys are',
    };
  const [names, known] = await Promise.all([sealer.keyNames(), store.get(keysDoc)]);
  const [newest = '', ...older] = names;
  if (older.length === 0) return { name, health: 'ok', words: `${newest} is at hand` };
  const words = `${newest} wraps; ${older.length} older at hand, of ${known?.names.length ?? 0} that rows may need`;
  return { name, health: 'ok', words };
}

async function lookAtWaits(app: App, rights: Rights): Promise<readonly Finding[]> {
  const [status, changed] = await Promise.all([operatorStatus(app, rights), changedWaits(app)]);
  const { deadLettered, parkedWebhooks, pausedAgents, waiting } = status;
  const counted = (name: string, count: number, what: string, remedy: string): Finding =>
    count === 0
      ? { name, health: 'ok', words: 'none' }
      : { name, health: 'warn', words: `${count} ${what}`, remedy };
  const paused = pausedAgents.map(({ agent }) => agent).join(', ');
  return [
    counted(
      'paused',
      pausedAgents.length,
      `that begin nothing new: ${paused}`,
      'holdfast resume <agent>',
    ),
    counted(
      'blocked',
      changed.length,
      'that could not go on: a tool, remote or agent is gone or changed',
      'holdfast status names them; deploy what is gone, or holdfast continue|cancel <run>',
    ),
    counted('sends', waiting.unknownSend, 'with an unknown outcome', 'holdfast inbox'),
    counted('webhooks', parkedWebhooks.count, 'are parked', 'holdfast webhooks'),
    counted(
      'dead-lettered',
      deadLettered.attemptsExhausted + deadLettered.effectUnknown,
      'failed, and could not safely be tried again',
      'holdfast runs --reason ATTEMPTS_EXHAUSTED, and EFFECT_UNKNOWN',
    ),
  ];
}

/** A task that no remote has: one that says so has shown its card and taken the credential. */
const NO_TASK: RemoteTaskRef = {
  taskId: '00000000-0000-0000-0000-000000000000',
  contextId: '00000000-0000-0000-0000-000000000000',
};

async function lookAtRemotes(
  app: App,
  rights: Rights,
  agents: readonly AgentName[],
): Promise<readonly Finding[]> {
  const declared = await Promise.all(
    agents.map(async (agent) => {
      const may = await rights(agent);
      return may.has('view') ? (app.agents.get(agent)?.remotes ?? []) : [];
    }),
  );
  const remotes = new Map(
    declared.flat().map((remote) => [`${remote.name} ${remote.card}`, remote]),
  );
  return Promise.all(
    [...remotes.values()].map(async (remote): Promise<Finding> => {
      const name = `remote ${remote.name}`;
      const over = new AbortController();
      const cancel = app.clock.after(REMOTE, () => over.abort('it takes too long'));
      const answer = await app.remotes.poll(remote, NO_TASK, over.signal);
      cancel();
      const { origin } = new URL(remote.card);
      if (answer.kind === 'gone' || answer.kind === 'task')
        return { name, health: 'ok', words: `${origin} answers, by a card that is taken here` };
      const remedy = answer.advice ?? `is ${remote.card} up, and its card one of A2A 1.0?`;
      return { name, health: 'fail', words: `${origin}: ${answer.reason}`, remedy };
    }),
  );
}
