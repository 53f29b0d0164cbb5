import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { committed } from '../../../test/emulator/committed.ts';
import { randomProject, useFirestoreEmulator } from '../../../test/emulator/firestore.ts';
import { flakyLink } from '../../../test/emulator/flaky-link.ts';
import type { Backend, Row } from '../../ports/backend.ts';
import { Unavailable } from '../../ports/faults.ts';
import { createFirestoreBackend } from './backend.ts';

const projectId = randomProject();
let emulator = '';
let backend: Backend;
beforeAll(async () => {
  emulator = await useFirestoreEmulator();
  backend = createFirestoreBackend({ projectId });
});
afterAll(() => backend.close());

async function written(path: string, value: number): Promise<Row> {
  await committed(backend, [{ path, fields: { value }, expect: 'any' }]);
  return present(path);
}

async function present(path: string): Promise<Row> {
  const [row] = await backend.read([path]);
  if (row === undefined) throw new Error(`${path} is not there`);
  return row;
}

describe('a check of a document that the commit does not write', () => {
  test('holds while the document is as it was read, and leaves it as it is', async () => {
    const row = await written('tasks/checked', 1);
    const write = { path: 'tasks/beside', fields: {}, expect: 'any' } as const;
    const check = { path: row.path, expect: row.version };
    expect(await backend.commit([check], [write])).not.toBe('conflict');
    expect(await backend.commit([check], [write])).not.toBe('conflict');
    expect(await present(row.path)).toEqual(row);
  });

  test('fails after a change, and then nothing of the commit is written', async () => {
    const { path, version } = await written('tasks/changed', 1);
    await written(path, 2);
    const write = { path: 'tasks/unwritten', fields: {}, expect: 'absent' } as const;
    expect(await backend.commit([{ path, expect: version }], [write])).toBe('conflict');
    expect(await backend.read([write.path])).toEqual([undefined]);
  });

  test('fails after a deletion', async () => {
    const { path, version } = await written('tasks/deleted', 1);
    await committed(backend, [{ path, fields: undefined, expect: version }]);
    expect(await backend.commit([{ path, expect: version }], [])).toBe('conflict');
  });

  test('that must be absent holds, does not create it, and fails once it is there', async () => {
    const check = { path: 'tasks/awaited', expect: 'absent' } as const;
    expect(await backend.commit([check], [])).not.toBe('conflict');
    expect(await backend.read([check.path])).toEqual([undefined]);
    const { version } = await written(check.path, 1);
    expect(await backend.commit([check], [])).toBe('conflict');
    expect((await present(check.path)).version).toBe(version);
  });

  test('against what is no version of any document is a conflict, not a fault', async () => {
    const { path } = await written('tasks/odd', 1);
    expect(await backend.commit([{ path, expect: 'no-version' }], [])).toBe('conflict');
  });
});

test('writing what is there already is a write: a transaction that read the document before conflicts', async () => {
  const { path, fields, version } = await written('tasks/same', 1);
  expect(await backend.commit([], [{ path, fields, expect: version }])).not.toBe('conflict');
  expect(await backend.commit([], [{ path, fields, expect: version }])).toBe('conflict');
});

test('a process that dies between its reads and its commit blocks no other, and comes too late', async () => {
  const dead = createFirestoreBackend({ projectId });
  const commits = async (name: string, alsoRead: boolean): Promise<number> => {
    const row = await written(`tasks/contended-${name}`, 1);
    if (alsoRead) await dead.read([row.path]);
    const next = { path: row.path, fields: { value: 2 }, expect: row.version };
    const started = performance.now();
    expect(await backend.commit([], [next])).not.toBe('conflict');
    const took = performance.now() - started;
    expect(await dead.commit([], [next])).toBe('conflict');
    return took;
  };
  const spans = { alone: [] as number[], alsoRead: [] as number[] };
  for (let round = 0; round < 5; round += 1) {
    spans.alone.push(await commits(`alone-${round}`, false));
    spans.alsoRead.push(await commits(`read-${round}`, true));
  }
  // A lock of the emulator's would hold each for two seconds at least; a busy machine is as slow
  // without.
  expect(Math.min(...spans.alsoRead)).toBeLessThan(10 * Math.max(...spans.alone));
  await dead.close();
});

test('bytes, maps, and arrays in arrays come back as they went', async () => {
  const fields = {
    bytes: new Uint8Array([0, 255]),
    nothing: null,
    text: 'é😀',
    numbers: [0, -1, 0.5, 2 ** 53, 1e300],
    nested: [[1, [2, [], [[3]]]], { '[]': [1] }, { '[][]': 1 }, { a: [{ b: [[]] }] }],
    empty: {},
  };
  await committed(backend, [{ path: 'tasks/values', fields, expect: 'absent' }]);
  expect((await present('tasks/values')).fields).toStrictEqual(fields);
});

describe('over a bad network', () => {
  async function overLink() {
    const link = await flakyLink(emulator);
    vi.stubEnv('FIRESTORE_EMULATOR_HOST', link.host);
    const far = createFirestoreBackend({ projectId, deadline: 700 });
    // The client reads the address when it is first used.
    await far.read(['tasks/none']);
    vi.unstubAllEnvs();
    onTestFinished(async () => {
      link.close();
      await far.close().catch(() => undefined);
    });
    return { link, far };
  }

  test('a commit whose answer is lost is unknown at its deadline, and was made once', async () => {
    const { link, far } = await overLink();
    const write = { path: 'tasks/unknown', fields: { value: 1 }, expect: 'absent' } as const;
    link.loseAnswers();
    await expect(far.commit([], [write])).rejects.toThrow(Unavailable);
    expect((await present(write.path)).fields).toEqual({ value: 1 });
  });

  test('a commit that can not be sent is not repeated behind the back of the engine', async () => {
    const { link, far } = await overLink();
    const write = { path: 'tasks/unsent', fields: {}, expect: 'absent' } as const;
    link.cut();
    await expect(far.commit([], [write])).rejects.toThrow(Unavailable);
    link.mend();
    await expect.poll(() => far.read(['tasks/none']).catch(() => 'fault')).toEqual([undefined]);
    expect(await backend.read([write.path])).toEqual([undefined]);
    expect(await far.commit([], [write])).not.toBe('conflict');
  });

  test('reads, queries and counts give up at their deadline', async () => {
    const { link, far } = await overLink();
    link.loseAnswers();
    const all = { collection: 'tasks', filters: [], order: undefined, limit: 1 };
    await Promise.all(
      [far.read(['tasks/none']), far.query(all), far.count(all)].map((answer) =>
        expect(answer).rejects.toThrow(Unavailable),
      ),
    );
  });
});
