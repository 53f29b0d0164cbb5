import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composeApp } from '../../functions/compose.ts';
import { publish } from '../../functions/load-agents.ts';
import { makeOperatorsFile, openOperatorsFile } from '../../functions/operators-file.ts';
import type { App } from '../../shared/app/app.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { type Embedded, openEmbedded } from '../../shared/embedded/index.ts';
import { createPatternRedactor } from '../../shared/redaction/pattern-redactor.ts';
import { modelAgent, type Ran } from '../app/turn-loop-world.ts';
import { holdfast } from '../cli/terminal.ts';
import { noOutgoing, noRemotes } from '../../testing/no-remotes.ts';
import { noToolServers } from '../../functions/no-tool-servers.ts';
import { noWorkspaces } from '../../testing/no-workspaces.ts';
import { call } from '../../testing/scripted-model.ts';
import { Api } from './api.ts';

const ran: Ran[] = [];
/** `ask` is held until an operator has approved; all else is done at once. */
const agent = modelAgent(
  {
    name: 'asks',
    turn({ transcript }) {
      const asks = JSON.stringify(transcript[0]).includes('ask');
      const calls = asks && transcript.length === 1 ? [call('erase', { at: 'disk 1' })] : undefined;
      return Promise.resolve(calls === undefined ? { text: 'done' } : { calls });
    },
  },
  ran,
);
const log = { write: () => undefined };
const folder = mkdtempSync(join(tmpdir(), 'holdfast-operator-'));
let embedded: Embedded;
let app: App;
let api: Api;

beforeAll(async () => {
  embedded = openEmbedded({ folder, settings: defaults, log });
  const operators = openOperatorsFile(makeOperatorsFile(folder, embedded.ports.ids), log);
  const ports = {
    ...embedded.ports,
    redactor: createPatternRedactor(),
    remotes: noRemotes,
    outgoing: noOutgoing,
    toolServers: noToolServers,
    workspaces: noWorkspaces,
    grants: { allows: () => operators.grants.allows('local', 'view', agent.name) },
  };
  const installation = { answer: 'metadata', audit: 'metadata' } as const;
  app = composeApp(ports, publish([agent], 'test'), { idempotency: 'always', installation });
  embedded.queue.start((wakeUp) => handleWakeUp(app, wakeUp));
  api = await Api.over(app, agent.name);
});

afterAll(async () => {
  api.close();
  await embedded.close(500);
  rmSync(folder, { recursive: true });
});

async function send(text: string): Promise<string> {
  const principal = { agent: agent.name, tenant: '', owner: '', authenticated: false };
  const message = { messageId: app.ids.uuid(), role: 'user', parts: [{ text }] } as const;
  const sent = await createTaskService(app).send(principal, { message });
  if (sent.kind !== 'accepted') throw new Error(sent.kind);
  return sent.taskId;
}

const rest = (id: string, status: string) =>
  expect.poll(async () => (await api.get(`/runs/${id}`)).body.status).toBe(status);

describe('over SQLite, with time and wake-ups as they are', () => {
  it('the list goes on over all shards, each run once', async () => {
    const ids: string[] = [];
    for (let at = 0; at < 25; at += 1) ids.push(await send('hello'));
    for (const id of ids) await rest(id, 'completed');
    const seen: string[] = [];
    for (let cursor = ''; ; ) {
      const { body } = await api.get(`/runs?status=completed&limit=4${cursor}`);
      seen.push(...body.runs.map(({ id }: { id: string }) => id));
      if (body.cursor === undefined) break;
      cursor = `&cursor=${body.cursor}`;
    }
    expect(seen.toSorted()).toEqual(ids.toSorted());
    expect((await api.get('/status')).body).toMatchObject({ queued: 0, running: 0 });
  });

  it('a decision of the command line is carried out, by a worker and at once', async () => {
    const [stored, direct] = [await send('ask'), await send('ask')];
    await rest(stored, 'waiting_for_approval');
    await rest(direct, 'waiting_for_approval');
    expect((await api.get('/inbox')).body.decisions).toHaveLength(2);
    expect((await api.get('/status')).body.waiting).toMatchObject({ approval: 2 });
    expect((await holdfast({ api }, ['approve', stored, '--yes'])).exit).toBe(0);
    await rest(stored, 'completed');
    const shown = await holdfast({ api }, ['approve', direct, '--direct', '--yes']);
    expect(shown.out).toContain('status  completed');
    expect(ran.map(({ tool }) => tool)).toEqual(['erase', 'erase']);
    expect((await api.get('/inbox')).body.decisions).toEqual([]);
  });

  it('an open run is cancelled', async () => {
    const id = await send('ask');
    await rest(id, 'waiting_for_approval');
    expect((await holdfast({ api }, ['cancel', id, '--yes'])).out).toContain('status  cancelled');
  });
});
