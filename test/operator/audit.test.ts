import { describe, expect, it } from 'vitest';
import { jsonLine } from '../../functions/cli/table.ts';
import { endAudit } from '../../shared/app/privacy/end-audit.ts';
import { notePolicy } from '../../shared/app/privacy/note-policy.ts';
import { purgeDue } from '../../shared/app/privacy/purge-due.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { taskId as taskIdOfText, type TaskId } from '../../shared/domain/ids.ts';
import { purge } from '../../shared/domain/transitions.ts';
import { passes } from '../app/waiting.ts';
import { finish } from '../app/turn-loop-world.ts';
import { type Asking, approvalWorld } from './worlds.ts';

const DAY = 86_400_000;

interface Entry {
  readonly act: string;
  readonly at: string;
  readonly operator?: string;
  readonly run?: string;
  readonly agent?: string;
  readonly subject?: string;
  readonly outcome?: string;
}

function taskIdOf({ taskId }: Pick<Asking, 'taskId'>): TaskId {
  const known = taskIdOfText(taskId);
  if (known === undefined) throw new Error('no id of a task');
  return known;
}

async function recordOf({ api }: Pick<Asking, 'api'>, query = '', as = 'all') {
  const { body, status } = await api.get(`/audit${query}`, as);
  const { cursor, entries } = body as unknown as { entries: readonly Entry[]; cursor?: string };
  return { status, body, entries, cursor };
}

describe('the audit record', () => {
  it('has who did what to which run, and what came of it, also when the run is removed', async () => {
    const made = await approvalWorld();
    const { api, taskId, world } = made;
    await api.post(`/runs/${taskId}/cancel`, {}, 'cancel');
    await finish(world);
    const noted = {
      act: 'cancel',
      operator: 'cancel',
      run: taskId,
      agent: 'modelled',
      outcome: 'cancelled',
      at: '2027-01-15T08:00:00.000Z',
    };
    expect((await recordOf(made)).entries).toMatchObject([noted]);
    await passes(world, 1_000);
    await purgeRun(world.app, taskId, purge, 'at-once', { act: 'purge', operator: 'operate:ada' });
    expect((await api.get(`/runs/${taskId}`)).status).toBe(404);
    expect((await recordOf(made)).entries).toMatchObject([
      noted,
      { act: 'purge', operator: 'operate:ada', run: taskId, agent: 'modelled' },
    ]);
  });

  it('counts what is removed because its time is over: one entry for an hour, each run once', async () => {
    const made = await approvalWorld();
    const { api, world } = made;
    await api.post(`/runs/${made.taskId}/cancel`);
    for (let n = 0; n < 4; n += 1) {
      const { taskId } = await world.send('go');
      await finish(world);
      await api.post(`/runs/${taskId}/cancel`);
    }
    await finish(world);
    await world.clock.advance(31 * DAY);
    await passes(world, 60_000);
    const purges = async () => (await recordOf(made, '?act=purge&limit=1000')).entries;
    expect(await purges()).toMatchObject([
      { operator: 'retention', outcome: '5 runs within the hour' },
    ]);
    // A purge that is repeated removes nothing more.
    await handleWakeUp(world.app, { kind: 'purge', taskId: taskIdOf(made), revision: 1, at: 0 });
    expect(await purges()).toHaveLength(1);
  });

  it('has what an operator removed because its time was over, as one act', async () => {
    const made = await approvalWorld();
    await made.api.post(`/runs/${made.taskId}/cancel`);
    await finish(made.world);
    await made.world.clock.advance(31 * DAY);
    await purgeDue(made.world.app, false, () => undefined, 'operate:ada');
    expect((await recordOf(made, '?act=purge')).entries).toMatchObject([
      { operator: 'operate:ada', outcome: '1 of 1 runs removed, 0 waits ended' },
    ]);
  });

  it('has one entry for an act that is repeated, or whose answer was lost', async () => {
    const made = await approvalWorld();
    const { api, taskId, world } = made;
    await api.post(`/runs/${taskId}/cancel`);
    await api.post(`/runs/${taskId}/cancel`);
    await finish(world);
    expect((await recordOf(made)).entries).toHaveLength(1);
  });

  it('names operators nowhere in clear', async () => {
    const made = await approvalWorld();
    made.team.members.set('heron-the-operator', { may: ['cancel'] });
    await made.api.post(`/runs/${made.taskId}/cancel`, {}, 'heron-the-operator');
    expect((await recordOf(made)).entries).toMatchObject([{ operator: 'heron-the-operator' }]);
    const rows = made.world.backend.everything().map(({ fields, path }) => {
      const bytes = Object.values(fields).filter((value) => value instanceof Uint8Array);
      return [path, jsonLine(fields), ...bytes.map((each) => Buffer.from(each).toString('latin1'))];
    });
    expect(rows.length).toBeGreaterThan(3);
    expect(JSON.stringify(rows)).not.toContain('heron-the-operator');
  });

  it('has keys, pauses of agents and tightenings', async () => {
    const made = await approvalWorld();
    const { api, taskId, world } = made;
    const key = (await api.post('/keys', { owner: 'ada' })).body as unknown as {
      key: { id: string };
    };
    await api.post(`/keys/${key.key.id}/revoke`);
    await api.post(`/keys/${key.key.id}/revoke`);
    await api.post('/agents/modelled/pause');
    await api.post('/agents/modelled/pause');
    await api.post('/agents/modelled/resume');
    await tightenCeiling(world.app, taskId, { audit: 'none' }, 'operate:ada');
    await tightenCeiling(world.app, taskId, { audit: 'none' }, 'operate:ada');
    await tightenCeiling(world.app, taskId, { answer: 'none' }, 'operate:ada');
    const acts = (await recordOf(made)).entries.map(({ act }) => act);
    expect(acts.toSorted()).toEqual([
      'make-key',
      'pause-agent',
      'resume-agent',
      'revoke-key',
      'tighten',
      'tighten',
    ]);
    const { entries } = await recordOf(made, '?act=tighten');
    expect(entries.map(({ outcome = '' }) => outcome).toSorted()).toEqual([
      'answer full, audit none, archive standard',
      'answer none, audit none, archive standard',
    ]);
    expect((await recordOf(made, '?act=make-key')).entries).toMatchObject([
      { subject: key.key.id, operator: 'all' },
    ]);
  });

  it('is filtered by time, operator, act and run, and comes in pages', async () => {
    const made = await approvalWorld();
    const { api, taskId, world } = made;
    await api.post('/agents/modelled/pause', {}, 'pause');
    await passes(world, 60_000);
    await api.post('/agents/modelled/resume', {}, 'all');
    await api.post(`/runs/${taskId}/cancel`, {}, 'cancel');
    const [first] = (await recordOf(made)).entries;
    const actsOf = async (query: string) =>
      (await recordOf(made, query)).entries.map(({ act }) => act);
    expect(await actsOf(`?until=${first?.at}`)).toEqual([]);
    expect(await actsOf('?operator=pause')).toEqual(['pause-agent']);
    expect(await actsOf(`?run=${taskId}`)).toEqual(['cancel']);
    expect(await actsOf('?since=2027-01-15T08:00:30Z')).not.toContain('pause-agent');
    const page = await recordOf(made, '?limit=2');
    expect(page.entries).toHaveLength(2);
    expect(await actsOf(`?cursor=${page.cursor}`)).toHaveLength(1);
    expect((await recordOf(made, '?act=sing')).body.error).toMatchObject({ field: 'act' });
    for (const path of ['/audit', '/keys', '/webhooks', '/runs'])
      expect((await api.get(`${path}?cursor=zzz`)).body.error, path).toMatchObject({
        code: 'INVALID_PARAMS',
        field: 'cursor',
      });
  });

  it('needs the right `audit`, and says so to an operator from before there was one', async () => {
    const made = await approvalWorld();
    await made.api.post(`/runs/${made.taskId}/cancel`);
    const refused = await recordOf(made, '', 'not-audit');
    expect(refused.status).toBe(403);
    expect(refused.body.error.message).toContain('right audit');
    expect((await recordOf(made, '', 'audit')).entries).toHaveLength(1);
  });

  it('is kept as long as the setting says, and for ever at 0', async () => {
    for (const [auditRetention, left] of [
      [DAY, 0],
      [0, 1],
    ] as const) {
      const made = await approvalWorld({ settings: { auditRetention } });
      await made.api.post(`/runs/${made.taskId}/cancel`);
      await finish(made.world);
      const { app, clock } = made.world;
      await clock.advance(DAY / 2);
      expect(await endAudit(app)).toBe(0);
      expect((await recordOf(made)).entries).toHaveLength(1);
      await clock.advance(DAY);
      expect(await endAudit(app)).toBe(1 - left);
      expect((await recordOf(made)).entries).toHaveLength(left);
    }
  });

  it('notes a configuration that says something else of what may be kept, once', async () => {
    const made = await approvalWorld();
    const { app } = made.world;
    const agents = [made.world.principal.agent];
    await notePolicy(app, agents);
    await notePolicy(app, agents);
    expect((await recordOf(made)).entries).toEqual([]);
    const stricter = { ...app, installation: { answer: 'metadata', audit: 'none' } as const };
    await notePolicy(stricter, agents);
    await notePolicy(stricter, agents);
    const { entries } = await recordOf(made);
    expect(entries).toMatchObject([{ act: 'policy', operator: 'configuration' }]);
    expect(entries[0]?.outcome).toContain(
      'audit metadata, archive standard -> answer full, audit none',
    );
  });

  it('shows an entry whose name can not be read any more without it', async () => {
    const made = await approvalWorld();
    await made.api.post(`/runs/${made.taskId}/cancel`);
    const { backend } = made.world;
    const key = backend.peek('installation/audit');
    await backend.commit(
      [],
      [
        {
          path: 'installation/audit',
          fields: { ...key?.fields, wrappedKey: new Uint8Array() },
          expect: 'any',
        },
      ],
    );
    const { entries } = await recordOf(made);
    expect(entries).toMatchObject([{ act: 'cancel' }]);
    expect(entries[0]).not.toHaveProperty('operator');
  });
});
