import { describe, expect, it, onTestFinished } from 'vitest';
import type { Finding } from '../../shared/app/operators/examine.ts';
import { formatDoc, type FormatDoc } from '../../shared/app/records/write-format.ts';
import { READS } from '../../shared/domain/format.ts';
import type { Store } from '../../shared/ports/store.ts';
import { Api } from './api.ts';
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

  it('names the indexes that are missing, and a store that is away is not taken for one', async () => {
    const made = await approvalWorld();
    const store: { fails: Error } = { fails: new Error('The query requires an index.') };
    const count: Store['count'] = (query) =>
      query.collection === 'runs' && query.order?.field === 'dueAt'
        ? Promise.reject(store.fails)
        : made.world.app.store.count(query);
    const app = { ...made.world.app, store: { ...made.world.app.store, count } };
    const api = await Api.over(app, made.world.principal.agent);
    onTestFinished(() => api.close());
    expect((await findingsOf({ api })).get('indexes')).toMatchObject({
      health: 'fail',
      words: expect.stringMatching(/^no index for runs \([a-zA-Z, ]*dueAt\)/) as string,
      remedy: expect.any(String) as string,
    });
    store.fails = new Unavailable('the store');
    const words = (await findingsOf({ api })).get('indexes')?.words;
    expect(words).not.toContain('no index');
  });

  it('compares what the functions of a deployment read and write', async () => {
    const made = await approvalWorld();
    const { world } = made;
    const app = { ...world.app, format: { allows: () => Promise.resolve(true) } };
    const api = await Api.over(app, world.principal.agent);
    onTestFinished(() => api.close());
    const found = async (doc?: Omit<FormatDoc, 'v'>) => {
      if (doc !== undefined)
        await world.app.store.transact(async (tx) => tx.set(formatDoc, { v: 1, ...doc }));
      return (await findingsOf({ api })).get('formats');
    };
    const raise = { health: 'warn', remedy: 'holdfast raise-format' };
    expect(await found()).toMatchObject(raise);
    expect(await found({ writes: READS - 1, reads: { a2a: READS } })).toMatchObject(raise);
    expect(await found({ writes: READS, reads: { a2a: READS, worker: READS } })).toMatchObject({
      health: 'ok',
      words: `format ${READS} is written and read`,
    });
    expect(await found({ writes: READS, reads: { a2a: READS, worker: READS - 1 } })).toMatchObject({
      health: 'warn',
      words: `this release reads format ${READS}, others: worker ${READS - 1}`,
    });
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
