import { describe, expect, it } from 'vitest';
import type { Finding } from '../../shared/app/operators/examine.ts';
import { noteKeys } from '../../shared/app/privacy/check-keys.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { approvalWorld, apiOver, type Asking, parkedWorld, unknownWorld } from './worlds.ts';

async function findingsOf(
  { api }: Pick<Asking, 'api'>,
  as = 'all',
): Promise<ReadonlyMap<string, Finding>> {
  const { body } = await api.get('/doctor', as);
  const { findings } = body as unknown as { findings: readonly Finding[] };
  return new Map(findings.map((each) => [each.name, each]));
}

describe('doctor', () => {
  it('finds nothing wrong with an installation that works', async () => {
    const made = await approvalWorld();
    const { sealer } = made.world.app;
    await noteKeys(made.world.app, await sealer.keyNames(), 'more');
    const found = await findingsOf(made);
    for (const name of ['store', 'indexes', 'formats', 'queue', 'keys', 'blocked', 'webhooks'])
      expect(found.get(name)).toMatchObject({ health: 'ok' });
    // Of a world whose remotes are none, and that is a finding.
    expect([...found.values()].filter(({ health }) => health !== 'ok')).toMatchObject([
      { name: 'remote peer', health: 'fail' },
    ]);
  });

  it('says that work is due for too long, and how long', async () => {
    const made = await approvalWorld();
    await made.world.send('more');
    await made.world.clock.advance(120_000);
    expect((await findingsOf(made)).get('queue')).toMatchObject({
      health: 'warn',
      words: '1 queued; the oldest work is due for 120 s',
    });
    await made.world.clock.advance(600_000);
    expect((await findingsOf(made)).get('queue')).toMatchObject({ health: 'fail' });
  });

  it('counts what waits for an operator, and names the command that shows it', async () => {
    expect((await findingsOf(await unknownWorld())).get('sends')).toMatchObject({
      health: 'warn',
      remedy: 'holdfast inbox',
    });
    expect((await findingsOf(await parkedWorld())).get('webhooks')).toMatchObject({
      health: 'warn',
      remedy: 'holdfast webhooks',
    });
  });

  it('asks each remote, for those who may see what the agent does', async () => {
    const made = await unknownWorld();
    expect((await findingsOf(made)).get('remote peer')).toMatchObject({ health: 'ok' });
    made.peer.script('look', { kind: 'error', code: 503 });
    expect((await findingsOf(made)).get('remote peer')).toMatchObject({
      health: 'fail',
      words: expect.stringContaining('503') as string,
      remedy: expect.any(String) as string,
    });
    expect((await findingsOf(made, 'not-view')).has('remote peer')).toBe(false);
  });

  it('goes on where one look fails', async () => {
    const made = await approvalWorld();
    const { app } = made.world;
    const sealer = { ...app.sealer, keyNames: () => Promise.reject(new Unavailable('kms')) };
    const world = Object.assign(Object.create(made.world) as typeof made.world, {
      app: { ...app, sealer },
    });
    const found = await findingsOf({ api: await apiOver(world) });
    expect(found.get('keys')).toMatchObject({ health: 'fail' });
    expect(found.get('store')).toMatchObject({ health: 'ok' });
  });

  it('tells no content', async () => {
    const made = await approvalWorld();
    const { body } = await made.api.get('/doctor');
    expect(JSON.stringify(body)).not.toContain('a-secret-word');
  });
});
