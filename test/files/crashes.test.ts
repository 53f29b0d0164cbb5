import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { FilesCommit, Repository, Workspaces } from '../../shared/ports/workspaces.ts';
import type { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { failingFrom } from './failing-blobs.ts';
import { bucket, EMPTY, LIMITS, listed, machine, task, words } from './repository.ts';
import { snapshot } from './snapshot.ts';

interface Past {
  readonly commit: FilesCommit;
  readonly files: ReadonlyMap<string, string>;
}

interface State {
  readonly repository: Repository;
  readonly past: readonly Past[];
}

/** What is done, and what a transaction then makes of the row. */
interface Operation {
  readonly name: string;
  /** So many packs lie there besides: only then a process gathers what it would have to fetch. */
  readonly packs?: number;
  readonly run: (workspaces: Workspaces, state: State) => Promise<Repository>;
}

const MANY = 12;
const OPERATIONS: readonly Operation[] = [
  {
    name: 'a small save that gathers',
    packs: MANY,
    run: save((folder) => writeFileSync(join(folder, 'new'), 'n'.repeat(20_000))),
  },
  {
    name: 'a large save, which is streamed',
    run: save((folder) => {
      writeFileSync(join(folder, 'large'), Buffer.alloc(9 * 1024 * 1024, 'large'));
    }),
  },
  {
    name: 'a merge',
    async run(workspaces, { repository, past }) {
      const [base, ours, theirs] = past.map(({ commit }) => commit);
      if (ours === undefined || theirs === undefined) throw new Error('too few commits');
      const sides = { base, ours, theirs };
      const merged = await workspaces.merge(repository, sides, LIMITS, words('m', ours, theirs));
      if (merged.kind !== 'merged') throw new Error(merged.kind);
      return listed(repository, merged.saved);
    },
  },
  {
    name: 'a purge of the second task, and the end of its packs',
    async run(workspaces, { repository, past }) {
      const live = past.filter((_, at) => at !== 1).map(({ commit }) => commit);
      const pruned = await workspaces.prune(repository, live);
      return listed(repository, pruned);
    },
  },
  {
    name: 'the refs',
    async run(workspaces, { repository, past }) {
      const tasks = new Map(past.map(({ commit }, at) => [`t${at}`, commit.id]));
      const main = past.at(-1)?.commit.id;
      const shallow = past.slice(1).map(({ commit }) => commit.id);
      await workspaces.publish(repository, {
        main,
        tasks,
        branches: new Map(),
        shallow,
        version: 1,
      });
      return repository;
    },
  },
];

function save(work: (folder: string) => void): Operation['run'] {
  return async (workspaces, { repository, past }) =>
    (await task(workspaces, repository, past.at(-1)?.commit, 'next', work)).repository;
}

async function planted(blobs: MemoryBlobs, packs = 0): Promise<State> {
  const workspaces = machine(blobs);
  let repository = EMPTY;
  const past: Past[] = [];
  for (const name of ['one', 'two', 'three']) {
    // From the first one each, so that the second and the third can merge.
    const done = await task(workspaces, repository, past[0]?.commit, name, (folder) => {
      for (let at = 0; at < 30; at += 1) {
        writeFileSync(join(folder, `${name}-${at}`), `${name} ${at}\n`.repeat(at));
      }
      if (name === 'three') rmSync(join(folder, 'one-1'));
    });
    repository = done.repository;
    const workspace = await workspaces.open(repository, done.commit, LIMITS);
    past.push({ commit: done.commit, files: snapshot(workspace.folder) });
    await workspace.close();
  }
  for (let more = 0; more < packs; more += 1) {
    const done = await task(machine(blobs, 100 + more), repository, undefined, 'more', (folder) =>
      writeFileSync(join(folder, 'more'), `${more}`),
    );
    repository = done.repository;
  }
  return { repository, past };
}

async function requireAll(blobs: MemoryBlobs, state: State): Promise<void> {
  const cold = machine(blobs, 77);
  for (const { commit, files } of state.past) {
    const workspace = await cold.open(state.repository, commit, LIMITS);
    expect(snapshot(workspace.folder)).toEqual(files);
    await workspace.close();
  }
}

function isTwin(blobs: MemoryBlobs, origin: MemoryBlobs): boolean {
  const { objects } = origin;
  const same = [...blobs.objects].every(([name, object]) => objects.get(name) === object);
  return same && blobs.objects.size === objects.size;
}

function twin(blobs: MemoryBlobs): MemoryBlobs {
  const copy = bucket();
  for (const [name, object] of blobs.objects) copy.objects.set(name, object);
  return copy;
}

for (const { name, packs, run } of OPERATIONS) {
  test(`${name}: wherever the process dies, all earlier commits come back, and a second try does it`, async () => {
    const origin = bucket();
    const state = await planted(origin, packs);
    for (const when of ['before', 'after'] as const) {
      for (let at = 1, finished = false; !finished; at += 1) {
        const blobs = twin(origin);
        const failing = failingFrom(blobs, at, when);
        const place = `call ${at}, ${when}`;
        const broken = run(machine(failing.blobs, 5 + at), state);
        finished = await broken.then(
          () => failing.calls() < at,
          () => false,
        );
        if (finished) expect(at, place).toBeGreaterThan(3);
        // Nothing has happened yet.
        if (!finished && isTwin(blobs, origin)) continue;
        await requireAll(blobs, state);
        const next = await run(machine(blobs, 500 + at), state);
        if (packs !== undefined) expect(next.packs.length).toBeLessThan(packs);
        const gone = name.includes('purge') ? 1 : -1;
        const past = state.past.filter((_, index) => index !== gone);
        await requireAll(blobs, { repository: next, past });
      }
    }
  });
}

test('packs that a row lists no more are deleted piece by piece, and nothing else with them', async () => {
  const origin = bucket();
  const state = await planted(origin, MANY);
  const { repository } = await task(
    machine(origin, 3),
    state.repository,
    state.past[2]?.commit,
    'gathers',
    (folder) => writeFileSync(join(folder, 'new'), 'n'.repeat(20_000)),
  );
  const kept = new Set(repository.packs.map(({ name }) => name));
  const gone = state.repository.packs.flatMap(({ name }) => (kept.has(name) ? [] : [name]));
  expect(gone.length).toBeGreaterThan(0);
  for (let at = 1; at <= gone.length * 2; at += 1) {
    const blobs = twin(origin);
    const failing = failingFrom(blobs, at, 'after');
    await expect(machine(failing.blobs).discard(repository.prefix, gone)).rejects.toThrow();
    await requireAll(blobs, { repository, past: state.past });
    await machine(blobs).discard(repository.prefix, gone);
    expect(
      [...blobs.objects.keys()].filter((key) => gone.some((name) => key.includes(name))),
    ).toEqual([]);
  }
});
