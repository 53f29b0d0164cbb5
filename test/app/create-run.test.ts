import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { composeApp } from '../../functions/compose.ts';
import { publish } from '../../functions/load-agents.ts';
import { noToolServers } from '../../functions/no-tool-servers.ts';
import { defineAgent } from '../../shared/agent/index.ts';
import type { App } from '../../shared/app/app.ts';
import { createRun } from '../../shared/app/change/create-run.ts';
import { NOTHING_SHOWN } from '../../shared/app/change/projection.ts';
import { ceilingsOf } from '../../shared/app/privacy/policy.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { placeIn } from '../../shared/app/records/shards.ts';
import { firstRun } from '../../shared/app/tasks/first-run.ts';
import { type ContextId, type Principal, scopeOf } from '../../shared/domain/ids.ts';
import { tickTask } from '../../shared/domain/schedule.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { openEmbedded } from '../../shared/embedded/index.ts';
import { createPatternRedactor } from '../../shared/redaction/pattern-redactor.ts';
import { noGrants, noOutgoing, noRemotes } from '../../testing/no-remotes.ts';
import { noWorkspaces } from '../../testing/no-workspaces.ts';
import { World } from './world.ts';

const agent = defineAgent({ name: 'digest', description: 'Sums up.', run: () => 'done' });

async function overMemory(test: (app: App) => Promise<void>): Promise<void> {
  await test(new World(agent).app);
}

async function overSqlite(test: (app: App) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-create-'));
  const embedded = openEmbedded({ folder, settings: defaults, log: { write: () => undefined } });
  const ports = {
    ...embedded.ports,
    redactor: createPatternRedactor(),
    remotes: noRemotes,
    outgoing: noOutgoing,
    toolServers: noToolServers,
    workspaces: noWorkspaces,
    grants: noGrants,
  };
  const installation = { answer: 'metadata', audit: 'metadata' } as const;
  try {
    await test(
      composeApp(ports, publish([agent], 'test'), { idempotency: 'always', installation }),
    );
  } finally {
    await embedded.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** One of the calls that make the run of that id, each with a row of its own. */
async function make(app: App) {
  const taskId = tickTask(agent.name, 1);
  const principal: Principal = { agent: agent.name, tenant: '', owner: '', authenticated: false };
  const place = placeIn(await app.shards.toWrite(), taskId);
  const { wrapped } = await app.keys.create(taskId);
  const context = 'the-context' as ContextId;
  const at = { taskId, context, scope: scopeOf(principal), place, wrapped };
  const run = firstRun(app, principal, at, ceilingsOf(app, agent), {});
  const change = {
    publish: { items: [], status: {} },
    decide: () => run,
    held: NOTHING_SHOWN,
  };
  return createRun(app, run, change, { isDerived: true });
}

describe.each([
  ['memory', overMemory],
  ['SQLite', overSqlite],
] as const)('over %s', (_, over) => {
  it('of several calls at once for one derived id one makes the run, and each answers with that', () =>
    over(async (app) => {
      const outcomes = await Promise.all([make(app), make(app), make(app)]);
      const stored = await app.store.get(runDoc(tickTask(agent.name, 1)));
      expect(stored).toBeDefined();
      expect(outcomes.filter(({ kind }) => kind === 'changed')).toHaveLength(1);
      for (const { run } of outcomes) {
        expect(run?.wrappedKey).toEqual(stored?.wrappedKey);
        expect(run?.commitId).toBe(stored?.commitId);
      }
    }));
});
