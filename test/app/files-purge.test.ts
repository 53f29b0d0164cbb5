import { describe, expect, it } from 'vitest';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import {
  contextFiles,
  day,
  foundBy,
  headFiles,
  liesInBucket,
  obeying,
  OnceAfter,
  passedOn,
  told,
} from './files-world.ts';
import { passes } from './waiting.ts';
import { World } from './world.ts';

const gone = async (world: World, taskId: string): Promise<boolean> =>
  (await world.app.store.get(runDoc(taskId))) === undefined;

describe('a purge of one task of a context', () => {
  it('removes every object that only its files had, and leaves what a later task still has', async () => {
    const world = new World(obeying());
    const first = await told(world, 'write canary.txt CANARY-1\nwrite shared.txt SHARED');
    const second = await told(world, 'delete canary.txt\nwrite b.txt CANARY-2');
    const third = await told(world, 'delete b.txt\nwrite c.txt LAST');
    expect(liesInBucket(world, 'CANARY-1')).toBe(true);
    expect(await purgeRun(world.app, second)).toBe('purged');
    expect(liesInBucket(world, 'CANARY-2')).toBe(false);
    expect(liesInBucket(world, second)).toBe(false);
    expect(liesInBucket(world, 'CANARY-1')).toBe(true);
    // Rows are the roots: the second purge must not lose what hangs on the first one's parents.
    expect(await purgeRun(world.app, first)).toBe('purged');
    expect(liesInBucket(world, 'CANARY-1')).toBe(false);
    expect(await headFiles(world)).toEqual({ 'shared.txt': 'SHARED', 'c.txt': 'LAST' });
    const [refs] = world.workspaces.repositories.published.values();
    expect([...(refs?.tasks.keys() ?? [])]).toEqual([third]);
    expect(refs?.shallow).toEqual([refs?.main]);
  });

  it('of the one that completed last: the context goes on from the newest that remains', async () => {
    const world = new World(obeying());
    await told(world, 'write a.txt one');
    const second = await told(world, 'write a.txt CANARY');
    expect(await purgeRun(world.app, second)).toBe('purged');
    expect(liesInBucket(world, 'CANARY')).toBe(false);
    expect(await foundBy(world, await told(world, 'list'))).toEqual({ 'a.txt': 'one' });
  });

  it('that meets a commit of another task leaves no copy that the row does not list', async () => {
    const meanwhile = new OnceAfter();
    const world: World = new World(obeying(), {
      wrapWorkspaces: (below) =>
        passedOn(below, { prune: (...given) => meanwhile.done(below.prune(...given)) }),
    });
    const first = await told(world, 'write canary.txt CANARY\nwrite a.txt one');
    await told(world, 'delete canary.txt');
    meanwhile.act = async () => {
      const other = new World(obeying(), { below: world, seed: 7 });
      await told(other, 'write b.txt two');
    };
    expect(await purgeRun(world.app, first)).toBe('purged');
    expect(liesInBucket(world, 'CANARY')).toBe(false);
    expect(await headFiles(world)).toEqual({ 'a.txt': 'one', 'b.txt': 'two' });
    const files = await contextFiles(world);
    const known = new Set([
      ...(files?.packs.map(({ name }) => name) ?? []),
      ...(files?.doomed.flatMap(({ names }) => names) ?? []),
    ]);
    const packs = [...world.workspaces.repositories.packs.keys()];
    expect(packs.filter((path) => !known.has(path.split('/').at(-1) ?? ''))).toEqual([]);
  });

  it('of the last one leaves nothing of the repository', async () => {
    const world = new World(obeying({ files: { form: 'both' } }));
    const first = await told(world, 'write a.txt one');
    const second = await told(world, 'write a.txt two\nfail');
    for (const taskId of [first, second]) {
      expect(await purgeRun(world.app, taskId)).toBe('purged');
      expect(await gone(world, taskId)).toBe(true);
    }
    expect(world.workspaces.repositories.packs.size).toBe(0);
    expect(world.workspaces.repositories.published.size).toBe(0);
    expect(world.blobs.objects.size).toBe(0);
    expect(await contextFiles(world)).toBeUndefined();
  });

  it('while the next one asks: its files are its own, and the removed ones go', async () => {
    const world = new World(obeying());
    const first = await told(world, 'write canary.txt CANARY');
    const second = await told(world, 'delete canary.txt\nwrite a.txt mine\nask');
    expect(await purgeRun(world.app, first)).toBe('purged');
    expect(liesInBucket(world, 'CANARY')).toBe(false);
    await world.send('write b.txt too', { taskId: second });
    await world.work();
    expect(await headFiles(world)).toEqual({ 'a.txt': 'mine', 'b.txt': 'too' });
  });

  it('by retention: tasks go when they are due, and their files together, an hour later at most', async () => {
    let prunes = 0;
    const world = new World(obeying(), {
      settings: { retention: 2 * day },
      wrapWorkspaces: (below) =>
        passedOn(below, {
          prune(...given) {
            prunes += 1;
            return below.prune(...given);
          },
        }),
    });
    const first = await told(world, 'write a.txt CANARY-1');
    await world.clock.advance(60_000);
    const second = await told(world, 'write a.txt CANARY-2');
    await world.clock.advance(day);
    await told(world, 'write a.txt last');
    await world.clock.advance(day - 120_000);
    await passes(world, 10 * 60_000, 30_000);
    for (const taskId of [first, second])
      expect(await world.code(world.service.get(world.principal, taskId))).toBe('TASK_NOT_FOUND');
    expect(prunes).toBe(0);
    await passes(world, 70 * 60_000, 60_000);
    expect([liesInBucket(world, 'CANARY-1'), liesInBucket(world, 'CANARY-2')]).toEqual([
      false,
      false,
    ]);
    expect([await gone(world, first), await gone(world, second)]).toEqual([true, true]);
    expect(prunes).toBe(1);
    expect(await headFiles(world)).toEqual({ 'a.txt': 'last' });
  });
});

describe('a ceiling that tightens', () => {
  it.each([{ answer: 'redacted' }, { answer: 'none' }, { archive: 'sealed' }] as const)(
    'to %j while a task with files asks ends it FAILED, RESULT_NOT_KEPT, and its files go',
    async (wanted) => {
      const world = new World(obeying());
      await told(world, 'write a.txt fine');
      const taskId = await told(world, 'write a.txt CANARY\nask');
      expect(await tightenCeiling(world.app, taskId, wanted)).toBe('failed');
      await passes(world, 30_000);
      expect(await world.get(taskId)).toMatchObject({
        status: { state: 'FAILED' },
        metadata: { reason: 'RESULT_NOT_KEPT' },
      });
      expect(liesInBucket(world, 'CANARY')).toBe(false);
      expect(await headFiles(world)).toEqual({ 'a.txt': 'fine' });
    },
  );

  it.each([{ answer: 'redacted' }, { answer: 'none' }, { archive: 'sealed' }] as const)(
    'to %j after its end takes its files, and those of later tasks that have them',
    async (wanted) => {
      const world = new World(obeying({ files: { form: 'both' } }));
      await told(world, 'write a.txt before');
      const second = await told(world, 'write canary.txt CANARY');
      const third = await told(world, 'write b.txt later');
      await tightenCeiling(world.app, second, wanted);
      await passes(world, 30_000);
      expect(liesInBucket(world, 'CANARY')).toBe(false);
      expect(await world.state(third)).toBe('COMPLETED');
      expect(await headFiles(world)).toEqual({ 'a.txt': 'before' });
      expect(await foundBy(world, await told(world, 'list'))).toEqual({ 'a.txt': 'before' });
    },
  );

  it('after its end while another works with its files: that one ends RESULT_NOT_KEPT', async () => {
    const world = new World(obeying());
    const first = await told(world, 'write canary.txt CANARY');
    const second = await told(world, 'write b.txt later\nask');
    await tightenCeiling(world.app, first, { answer: 'redacted' });
    await passes(world, 30_000);
    expect(liesInBucket(world, 'CANARY')).toBe(false);
    await world.send('go on', { taskId: second });
    await world.work();
    expect(await world.get(second)).toMatchObject({ metadata: { reason: 'RESULT_NOT_KEPT' } });
  });

  it.each([
    { publication: { task: 'redacted' } },
    { publication: { archive: 'sealed' } },
    { publication: { archive: 'off' } },
  ] as const)('says no before a task exists where %j is declared', async (over) => {
    const world = new World(obeying(over));
    const sent = await world.trySend([{ text: 'go' }]);
    expect(sent).toMatchObject({ code: 'RESULT_NOT_STORABLE' });
    expect(JSON.stringify(sent)).toContain('files');
    expect(world.backend.all('runs')).toEqual([]);
  });
});
