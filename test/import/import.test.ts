import { randomBytes } from 'node:crypto';
import { readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { sourceOf } from '../../shared/app/restore/own-source.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { scopeOf } from '../../shared/domain/ids.ts';
import { taskToProtoJson } from '../../shared/domain/proto-json.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { openPlainFolder } from '../../shared/embedded/plain-folder.ts';
import { workspaceCheck } from '../../shared/import/checked-workspace.ts';
import type { ImportProblem } from '../../shared/import/import-problem.ts';
import { type ImportOptions, importTasks } from '../../shared/import/import-tasks.ts';
import type { PublicationProfile } from '../../shared/app/agents.ts';
import type { ArchiveSource } from '../../shared/ports/archive-source.ts';
import { image } from '../app/restoring.ts';
import { World, type WorldOptions } from '../app/world.ts';
import { wrapped, wrappedBlobs } from '../app/wrapped.ts';
import { id, metadata, OldLayout, scratch } from './old-layout.ts';

const limits = { count: 1_000, bytes: 8 * 1024 * 1024, fileBytes: 4 * 1024 * 1024, depth: 16 };
const counted = {
  seen: 0,
  imported: 0,
  unfinished: 0,
  renamed: 0,
  workspaces: 0,
  present: 0,
  problems: 0,
};

function coder(publication?: PublicationProfile) {
  return defineAgent({
    name: 'coder',
    description: 'Edits code.',
    ...(publication && { publication }),
    run: () => 'done',
  });
}

const here = (options: WorldOptions = {}): World => new World(coder(), options);

async function imported(
  world: World,
  from: OldLayout | ArchiveSource,
  over: Partial<ImportOptions> = {},
) {
  const source = from instanceof OldLayout ? openPlainFolder(from.folder) : from;
  const { agent } = world.principal;
  const problems: ImportProblem[] = [];
  const counts = await importTasks(world.app, source, {
    dryRun: false,
    whose: { agent, scope: scopeOf(world.principal) },
    check: workspaceCheck(limits),
    report: (problem) => problems.push(problem),
    ...over,
  });
  const { bytes, ...rest } = counts;
  return { counts: rest, bytes, problems };
}

/** Three tasks in two contexts, two of them with a workspace. */
async function layout(): Promise<OldLayout> {
  const old = new OldLayout(await scratch());
  await old.metadata(id(1), metadata('completed', 'ctx-1'));
  await old.workspace(id(1), {
    'src/main.ts': 'export {}',
    'big.bin': randomBytes(300_000).toString('hex'),
  });
  await old.metadata(id(2), metadata('failed', 'ctx-1'));
  await old.metadata(id(3), metadata('input-required', 'ctx-2'));
  await old.workspace(id(3), { README: 'three' });
  return old;
}

describe('tasks of the old layout', () => {
  it('are seen by GetTask and ListTasks, and stand in the new layout with their files', async () => {
    const old = await layout();
    const before = await old.print();
    const world = here();
    const { counts, problems } = await imported(world, old);
    expect(problems).toEqual([]);
    expect(counts).toEqual({ ...counted, seen: 3, imported: 3, unfinished: 1, workspaces: 2 });
    expect(await old.print()).toBe(before);
    expect(await world.get(id(1))).toMatchObject({
      contextId: 'ctx-1',
      status: { state: 'COMPLETED' },
      history: [],
      artifacts: [],
      metadata: metadata('completed', 'ctx-1'),
    });
    expect(await world.get(id(3))).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'WORK_LOST', _contextId: 'ctx-2' },
    });
    const page = await world.service.list(world.principal, {
      includeArtifacts: false,
      contextId: 'ctx-1',
    });
    if (isRefused(page)) throw new Error(page.code);
    expect(page.tasks.map(({ taskId }) => taskId).toSorted((a, b) => a.localeCompare(b))).toEqual([
      id(1),
      id(2),
    ]);
    const text = (name: string) =>
      Buffer.from(world.blobs.objects.get(name)?.body ?? []).toString();
    expect(text(`tasks/${id(1)}/contextId.txt`)).toBe('ctx-1');
    expect(text(`contexts/ctx-1/${id(1)}/task.json`)).toBe(
      JSON.stringify(taskToProtoJson(await world.get(id(1)))),
    );
    for (const [n, context] of [
      [1, 'ctx-1'],
      [3, 'ctx-2'],
    ] as const) {
      const original = await readFile(join(old.folder, 'tasks', id(n), 'workspace.tar.gz'));
      const copy = world.blobs.objects.get(`contexts/${context}/${id(n)}/workspace.tar.gz`);
      expect(Buffer.compare(original, copy?.body ?? new Uint8Array())).toBe(0);
      expect(copy?.contentType).toBe('application/gzip');
    }
    // Nothing is left to do, and the context is free.
    await world.clock.advance(60_000);
    expect(await sweep(world.app)).toBe(0);
    expect((await world.send('go', { contextId: 'ctx-2' })).kind).toBe('accepted');
  });

  it('have the time when they were written, and are kept from the import on', async () => {
    const old = await layout();
    const world = here();
    await imported(world, old);
    const task = await world.get(id(1));
    // The files were made by a real clock, which is behind the virtual one.
    expect(task.status.at).toBeLessThan(world.clock.now());
    await world.clock.advance(defaults.retention - 60_000);
    await sweep(world.app);
    await world.work();
    expect(await world.state(id(1))).toBe('COMPLETED');
    await world.clock.advance(120_000);
    await sweep(world.app);
    await world.work();
    expect(await world.code(world.service.get(world.principal, id(1)))).toBe('TASK_NOT_FOUND');
    expect([...world.blobs.objects.keys()].filter((name) => name.includes(id(1)))).toEqual([]);
  });

  it('get another id where theirs is none here, the same each time, and say what it was', async () => {
    const old = new OldLayout(await scratch());
    await old.metadata('task-01', metadata('completed', 'a/b'));
    await old.metadata('task-02', metadata('completed', 'a/b'));
    await old.metadata(id(3), metadata('completed'));
    const world = here();
    const { counts } = await imported(world, old);
    expect(counts).toEqual({ ...counted, seen: 3, imported: 3, renamed: 2 });
    const page = await world.service.list(world.principal, { includeArtifacts: false });
    if (isRefused(page)) throw new Error(page.code);
    const named = page.tasks.filter(({ metadata: said }) => said?.['importedTaskId'] !== undefined);
    expect(named.map((task) => task.metadata)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ importedTaskId: 'task-01', importedContextId: 'a/b' }),
        expect.objectContaining({ importedTaskId: 'task-02', importedContextId: 'a/b' }),
      ]),
    );
    // One context was one, and is one.
    expect(new Set(named.map(({ contextId }) => contextId)).size).toBe(1);
    expect((await imported(world, old)).counts).toEqual({ ...counted, seen: 3, present: 3 });
  });
});

describe('an import', () => {
  it('changes nothing in a dry run, and says the same', async () => {
    const old = await layout();
    await old.metadata(id(4), { no: 'state' });
    await old.workspace(id(2), { x: 'x' }, '--transform=s,^,../,');
    const world = here();
    const before = image(world);
    const dry = await imported(world, old, { dryRun: true });
    expect(image(world)).toBe(before);
    expect(dry).toEqual(await imported(world, old));
    expect(dry.problems.map(({ problem }) => problem).toSorted()).toEqual([
      'metadata-without-state',
      'workspace-refused',
    ]);
  });

  it('says of each input that it can not read why, and takes the others', async () => {
    const old = await layout();
    const good = gzipSync(JSON.stringify(metadata('completed', 'ctx')));
    await old.put(id(10), 'metadata', Buffer.from('no gzip'));
    await old.put(id(11), 'metadata', good.subarray(0, -9));
    await old.put(id(12), 'metadata', gzipSync('{"secret":'));
    await old.put(id(13), 'metadata', gzipSync('["secret"]'));
    await old.put(id(14), 'metadata', gzipSync('{"_contextId":"secret"}'));
    await old.put(id(15), 'metadata', gzipSync(Buffer.alloc(40 * 1024 * 1024)));
    await old.put(id(16), 'metadata', randomBytes(9 * 1024 * 1024));
    await old.put(id(17), 'workspace', good);
    const world = here();
    const { counts, problems } = await imported(world, old);
    expect(counts).toEqual({
      ...counted,
      seen: 11,
      imported: 3,
      unfinished: 1,
      workspaces: 2,
      problems: 8,
    });
    expect(Object.fromEntries(problems.map(({ task, problem }) => [task, problem]))).toEqual({
      [id(10)]: 'metadata-not-gzip',
      [id(11)]: 'metadata-not-gzip',
      [id(12)]: 'metadata-not-json',
      [id(13)]: 'metadata-not-json',
      [id(14)]: 'metadata-without-state',
      [id(15)]: 'metadata-too-large',
      [id(16)]: 'metadata-too-large',
      [id(17)]: 'metadata-missing',
    });
    expect(JSON.stringify(problems)).not.toContain('secret');
  });

  it('takes a task whose workspace is refused without it, and writes none of it', async () => {
    const old = new OldLayout(await scratch());
    for (let n = 1; n <= 7; n += 1) await old.metadata(id(n), metadata('completed', 'ctx'));
    await old.workspace(id(1), { evil: 'x' }, '--transform=s,evil,../evil,');
    await old.workspace(id(2), { evil: 'x' }, '--transform=s,evil,/tmp/evil,');
    await old.put(id(3), 'workspace', randomBytes(200_000));
    await old.put(id(4), 'workspace', gzipSync(randomBytes(100_000)));
    await old.workspace(id(5), { bomb: '0'.repeat(3 * 1024 * 1024) });
    await old.workspace(id(6), { a: 'x' });
    const whole = await readFile(join(old.folder, 'tasks', id(6), 'workspace.tar.gz'));
    await old.put(id(6), 'workspace', whole.subarray(0, -12));
    await old.workspace(id(7), { large: randomBytes(5 * 1024 * 1024).toString('latin1') });
    const world = here();
    const { counts, problems } = await imported(world, old);
    expect(counts).toEqual({ ...counted, seen: 7, imported: 7, problems: 7 });
    expect(problems.every(({ problem }) => problem === 'workspace-refused')).toBe(true);
    const why = new Map(problems.map((each) => [each.task, each.why]));
    expect(why.get(id(1))).toContain('leads out of the folder');
    expect(why.get(id(2))).toContain('absolute path');
    expect(why.get(id(5))).toContain('times its size');
    expect(why.get(id(7))).toContain('limit');
    expect([...world.blobs.objects.keys()].filter((name) => name.endsWith('.tar.gz'))).toEqual([]);
    expect(await world.state(id(1))).toBe('COMPLETED');
  });

  it('follows no link of the folder, and takes it from a bucket as well', async () => {
    const old = await layout();
    const outside = await layout();
    await symlink(join(outside.folder, 'tasks', id(1)), join(old.folder, 'tasks', id(8)));
    const world = here();
    expect((await imported(world, old)).counts.seen).toBe(3);
    // The same objects in a bucket: even in this installation's own.
    const other = here();
    for (const name of [`${id(1)}/metadata`, `${id(1)}/workspace`, `${id(3)}/metadata`]) {
      const body = await readFile(join(old.folder, 'tasks', `${name}.tar.gz`));
      await other.blobs.put(`tasks/${name}.tar.gz`, body, {
        contentType: 'application/gzip',
        expect: 'absent',
      });
    }
    const { counts } = await imported(other, sourceOf(other.app.blobs));
    expect(counts).toEqual({ ...counted, seen: 2, imported: 2, unfinished: 1, workspaces: 1 });
  });

  it('keeps files only where their agent keeps what it answers in plain', async () => {
    const old = await layout();
    for (const publication of [
      { archive: 'sealed' },
      { archive: 'off' },
      { task: 'redacted' },
    ] as const) {
      const world = new World(coder(publication));
      const { counts, problems } = await imported(world, old);
      expect(counts).toMatchObject({ imported: 3, workspaces: 0, problems: 2 });
      expect(problems.map(({ problem }) => problem)).toEqual([
        'workspace-not-kept',
        'workspace-not-kept',
      ]);
      const names = [...world.blobs.objects.keys()];
      expect(names.filter((name) => name.endsWith('.tar.gz'))).toEqual([]);
      expect(await world.state(id(1))).toBe('COMPLETED');
    }
    const world = new World(coder({ task: 'none' }));
    expect((await imported(world, old)).counts).toMatchObject({ imported: 0, problems: 3 });
  });

  it('leaves files that a purge or a tightening finds', async () => {
    const old = await layout();
    const world = here();
    await imported(world, old);
    await tightenCeiling(world.app, id(1), { answer: 'redacted' });
    expect(world.blobs.objects.has(`contexts/ctx-1/${id(1)}/workspace.tar.gz`)).toBe(false);
    expect(world.blobs.objects.has(`contexts/ctx-1/${id(1)}/task.json`)).toBe(true);
    expect(await purgeRun(world.app, id(3))).toBe('purged');
    expect([...world.blobs.objects.keys()].filter((name) => name.includes(id(3)))).toEqual([]);
  });
});

/** No fault of a service: nothing is tried again. */
class Crash extends Error {}

describe('an import that breaks off at any call', () => {
  it('is finished by the next one, and comes to the same', async () => {
    const old = await layout();
    const whole = here();
    await imported(whole, old);
    const wanted = objectsOf(whole);
    let calls = 0;
    const breaking = (at: number, after: boolean): WorldOptions => {
      calls = 0;
      const call = async <T>(run: () => Promise<T>): Promise<T> => {
        calls += 1;
        if (calls < at) return run();
        if (calls === at && after) await run();
        throw new Crash();
      };
      return {
        wrap: (below) =>
          wrapped(below, {
            read: (paths) => call(() => below.read(paths)),
            commit: (...given) => call(() => below.commit(...given)),
          }),
        wrapBlobs: (below) =>
          wrappedBlobs(below, {
            get: (name) => call(() => below.get(name)),
            put: (...given) => call(() => below.put(...given)),
          }),
      };
    };
    await imported(here(breaking(Number.POSITIVE_INFINITY, false)), old);
    const all = calls;
    expect(all).toBeGreaterThan(15);
    for (let at = 1; at <= all; at += 1) {
      for (const after of [false, true]) {
        const broken = here(breaking(at, after));
        await imported(broken, old).catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
        });
        const next = new World(coder(), { below: broken });
        const where = `call ${at}, ${after ? 'after' : 'before'}`;
        const { counts, problems } = await imported(next, old);
        expect(problems, where).toEqual([]);
        expect(counts.imported + counts.present, where).toBe(3);
        // What the broken one left undone is due, and done.
        await next.clock.advance(60_000);
        await sweep(next.app);
        await next.work();
        expect(objectsOf(next), where).toEqual(wanted);
        expect(await next.state(id(1)), where).toBe('COMPLETED');
        expect(await next.state(id(3)), where).toBe('FAILED');
      }
    }
  });
});

/** Names and sizes: the words of a failure have a random id. */
function objectsOf({ blobs }: World): readonly string[] {
  return [...blobs.objects]
    .map(([name, { body }]) => `${name} ${body.byteLength}`)
    .toSorted((a, b) => a.localeCompare(b));
}
