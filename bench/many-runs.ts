// Fills a store with the runs of a week, for measurements of what operators see; as a module of
// agents it publishes those that they are of.
import { type DefinedAgent, defineAgent } from '../shared/agent/index.ts';
import { runCodec } from '../shared/app/records/run-document.ts';
import { dayOf } from '../shared/domain/model-use.ts';
import { type AgentName, scopeOf } from '../shared/domain/ids.ts';
import { defaults } from '../shared/domain/settings.ts';
import type { Backend, Fields } from '../shared/ports/backend.ts';

const HOUR = 3_600_000;
export const NAMES = ['reader', 'writer', 'payer', 'sorter'].map((name) => name as AgentName);

export default NAMES.map(
  (name): DefinedAgent => defineAgent({ name, description: 'x', run: () => 'x' }),
);

/** Most have completed; one in fifty failed, one in a thousand is open, a third has a model. */
function rowOf(at: number, count: number, now: number): readonly [string, Fields, Fields] {
  const taskId = `${at.toString(16).padStart(8, '0')}-0000-4000-8000-${'0'.repeat(12)}`;
  const agent = NAMES[at % NAMES.length] ?? 'reader';
  const owner = `caller-${at % 200}`;
  const scope = scopeOf({ agent: agent as AgentName, tenant: '', owner });
  const createdAt = now - ((count - at) * 7 * 24 * HOUR) / count;
  const statusAt = Math.floor(createdAt + (at % 100) * 300);
  const open = at % 1_000 === 7;
  const failed = at % 50 === 3;
  const cost = at % 3 === 0 ? (at * 7_919) % 100_000 : 0;
  const use = { turns: 1, input: 900, output: 100, cached: 0, reasoning: 0, cost, unpriced: 0 };
  const model = at % 2 === 0 ? 'a large model' : 'a small model';
  const uncounted = [{ ...use, model, day: dayOf(statusAt) }];
  const fields: Fields = {
    v: 1,
    taskId,
    contextId: `context-${Math.floor(at / 5)}`,
    agent,
    tenant: '',
    owner,
    scope,
    shard: at % defaults.shards,
    listShard: 0,
    status: open ? 'waiting_for_approval' : failed ? 'failed' : 'completed',
    ...(failed && { reason: at % 100 === 3 ? 'AGENT_FAILED' : 'ATTEMPTS_EXHAUSTED' }),
    revision: 3,
    projectedRevision: 3,
    fence: 1,
    attempts: 0,
    pauseGeneration: 0,
    inputRevision: 1,
    createdAt: Math.floor(createdAt),
    statusAt,
    deadlineAt: statusAt + 24 * HOUR,
    answerCeiling: 'full',
    auditCeiling: 'full',
    wrappedKey: new Uint8Array(60),
    commitId: 'a'.repeat(32),
    spent: { rounds: 1, tokens: 1_000, cost, delegations: 0, bytes: 0 },
    steps: 2,
    purgeAt: statusAt + 30 * 24 * HOUR,
    dueAt: statusAt + 30 * 24 * HOUR,
    ...(cost > 0 && { cost, models: [{ ...use, model }], uncounted, countAt: statusAt }),
  };
  const view: Fields = { ...fields, state: 'COMPLETED', lastSeq: 3, pages: [] };
  // As the code writes it, so that rows are as long as they would be.
  return [taskId, runCodec.encode(runCodec.decode(fields, taskId)), view];
}

/** So many runs that ended or changed in the last week, and their tasks. */
export async function fillWithRuns(
  backend: Pick<Backend, 'commit'>,
  count: number,
  now: number,
): Promise<void> {
  for (let from = 0; from < count; from += 500) {
    const rows = Array.from({ length: Math.min(500, count - from) }, (_, at) =>
      rowOf(from + at, count, now),
    );
    await backend.commit(
      [],
      rows.flatMap(([id, run, view]) => [
        { path: `runs/${id}`, fields: run, expect: 'any' as const },
        { path: `tasks/${id}`, fields: view, expect: 'any' as const },
      ]),
    );
  }
}
