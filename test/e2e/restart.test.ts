import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { openPackedBlobs } from '../../shared/embedded/packed-blobs.ts';
import { Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { BRISK, STORE, useFleet } from './server.ts';
import { artifactIds, stateOf, textOf } from './wire.ts';

/**
 * Over the Google setting a whole server that ends takes the emulators along, and with them every
 * row.
 */
const embedded = test.skipIf(STORE === 'google');
const fleet = useFleet();
const oracle = useOracle({ reruns: true });
const steps = (count: number) => Array.from({ length: count }, (_, at) => `step-${at + 1}`);

describe('A7: killed at work', () => {
  test('the task is there after a restart, is taken up again, and streams to its end', async () => {
    const server = await fleet.start({ settings: BRISK });
    const client = new Client(server, oracle);
    const { id } = await client.send('steps=10 delay=60', { ri: true });
    const stream = await client.subscribe(id);
    await stream.reach('artifact step-3');
    await server.restart('kill');
    const found = await client.get(id);
    expect(stateOf(found)).toBe('WORKING');
    expect(artifactIds(found)).toEqual(expect.arrayContaining(steps(3)));
    const again = await client.subscribe(id, stream.lastSeq);
    await again.all();
    expect(again.names().at(-1)).toBe('COMPLETED');
    expect(artifactIds(await client.get(id))).toEqual(steps(10));
    expect(server.log.join('\n')).toContain('run taken from a lost worker');
  });

  embedded(
    'a task whose agent takes its worker down each time ends FAILED with the reason',
    async () => {
      const settings = { ...BRISK, requeues: 1 };
      const server = await fleet.start({ settings, args: ['--log', 'info'] });
      const client = new Client(server, oracle);
      const { id } = await client.send('wait=60000', { ri: true });
      for (let kill = 1; kill <= 2; kill += 1) {
        await expect.poll(async () => stateOf(await client.get(id))).toBe('WORKING');
        await server.restart('kill');
        // The second worker must have it before the next kill counts.
        if (kill === 1) await reclaimed(server.log);
      }
      const task = await client.finished(id);
      expect(stateOf(task)).toBe('FAILED');
      expect(task.metadata).toEqual({ reason: 'ATTEMPTS_EXHAUSTED' });
      const next = await client.send('steps=1', { contextId: task.contextId });
      expect(stateOf(next)).toBe('COMPLETED');
    },
  );

  embedded(
    'a task at work ends FAILED when its agent is no longer published after the restart',
    async () => {
      const server = await fleet.start({ settings: BRISK });
      const client = new Client(server, oracle);
      const { id } = await client.send('steps=20 delay=50', { ri: true });
      await expect.poll(async () => stateOf(await client.get(id))).toBe('WORKING');
      await server.kill();
      const other = await fleet.start({
        data: server.data,
        settings: BRISK,
        args: ['--agents', 'test/fixtures/agents/conformance.ts', '--log', 'info'],
      });
      await logged(other.log, 'run ended');
      await other.kill();
      await server.start();
      // It may have been killed between the end and its projection.
      const task = await client.finished(id);
      expect(stateOf(task)).toBe('FAILED');
      expect(task.metadata).toEqual({ reason: 'AGENT_UNKNOWN' });
    },
  );
});

async function logged(log: readonly string[], words: string): Promise<void> {
  await expect.poll(() => log.some((line) => line.includes(words)), { timeout: 10_000 }).toBe(true);
}

/** Waits until a second worker holds the run: its log says so. */
async function reclaimed(log: readonly string[]): Promise<void> {
  const began = (line: string) => line.includes('segment began') && line.includes('"fence":2');
  await expect.poll(() => log.some(began), { timeout: 10_000 }).toBe(true);
}

describe('A8: one of two instances is killed', () => {
  embedded('the other finishes its work, and streams through the other see it', async () => {
    const one = await fleet.start({ settings: BRISK });
    const two = await fleet.start({ data: one.data, settings: BRISK });
    const [first, second] = [new Client(one, oracle), new Client(two, oracle)];
    const tasks = await Promise.all(
      Array.from({ length: 8 }, () => first.send('steps=8 delay=90', { ri: true })),
    );
    const streams = await Promise.all(tasks.map(({ id }) => second.subscribe(id)));
    await Promise.all(streams.map((stream) => stream.next()));
    await streams[0]?.next();
    await one.kill();
    await Promise.all(streams.map((stream) => stream.all()));
    for (const [at, { id }] of tasks.entries()) {
      expect(streams[at]?.names().at(-1)).toBe('COMPLETED');
      expect(artifactIds(await second.get(id))).toEqual(steps(8));
    }
  });
});

describe('A8: one of two instances sleeps', () => {
  test('a worker that wakes up after its lease was taken over writes nothing more', async () => {
    const one = await fleet.start({ settings: BRISK });
    const two = await fleet.start({ data: one.data, settings: BRISK });
    const [first, second] = [new Client(one, oracle), new Client(two, oracle)];
    const { id } = await first.send('steps=8 delay=90', { ri: true });
    const stream = await second.subscribe(id);
    await stream.next();
    await stream.next();
    const frozen = one.freeze(4_000);
    await stream.all();
    expect(stream.names().at(-1)).toBe('COMPLETED');
    const done = await second.get(id);
    await frozen;
    // Long enough for the rest of its steps.
    await wait(1_000);
    expect(await first.get(id)).toEqual(done);
    expect(await second.get(id)).toEqual(done);
    expect(artifactIds(done)).toEqual(steps(8));
  });
});

describe('A8: two instances start at once', () => {
  test('on an empty folder they make one store and one key, and read what the other wrote', async () => {
    const data = await fleet.folder();
    const servers = await Promise.all([1, 2, 3].map(() => fleet.start({ data })));
    const clients = servers.map((server) => new Client(server, oracle));
    const tasks = await Promise.all(clients.map((client) => client.send('steps=2 big=300KiB')));
    for (const client of clients) {
      for (const task of tasks) expect(await client.get(task.id)).toEqual(task);
    }
  });
});

describe('A14: what was saved is what was there', () => {
  test.each(['stop', 'kill'] as const)(
    'every answer is byte for byte the same after a %s',
    async (how) => {
      const server = await fleet.start({ settings: BRISK });
      const client = new Client(server, oracle);
      const scripts = [
        'steps=3',
        'late',
        'chunks=20 delay=5',
        'big=512KiB',
        'fail',
        'reject',
        'ask',
        'events=30 padding=4096',
      ];
      const tasks = await Promise.all(scripts.map((script) => client.send(script)));
      const canceled = await client.send('wait=10000', { ri: true });
      tasks.push(await client.cancel(canceled.id));
      const question = await client.send('ask');
      tasks.push(await client.send('steps=2 red', { taskId: question.id }));
      const read = () => Promise.all(tasks.map(({ id }) => rawGet(server.url, id)));
      const before = await read();
      const list = await client.list({ includeArtifacts: true });
      await server.restart(how);
      expect(await read()).toEqual(before);
      expect(await client.list({ includeArtifacts: true })).toEqual(list);
    },
  );

  embedded('the archive holds each task at rest as Get answers it, under its context', async () => {
    const server = await fleet.start();
    const client = new Client(server, oracle);
    const { id } = await client.send('late', { contextId: 'a14' });
    const blobs = openPackedBlobs({ root: join(server.data, 'objects') });
    // The archive follows the answer.
    await expect.poll(() => blobs.get(`contexts/a14/${id}/task.json`)).toBeDefined();
    const archived = await blobs.get(`contexts/a14/${id}/task.json`);
    const task: unknown = JSON.parse(Buffer.from(archived?.body ?? []).toString('utf8'));
    expect(task).toEqual(await client.get(id));
    const pointer = await blobs.get(`tasks/${id}/contextId.txt`);
    expect(Buffer.from(pointer?.body ?? []).toString('utf8')).toBe('a14');
    await blobs.close();
  });
});

async function rawGet(url: string, id: string): Promise<string> {
  const response = await fetch(`${url}/tasks/${id}`, { headers: { 'A2A-Version': '1.0' } });
  const text = await response.text();
  // Large ones are compared by their digest: a difference of megabytes helps no reader.
  return text.length > 50_000 ? createHash('sha256').update(text).digest('hex') : text;
}

describe('B2: subscribe without a live bus', () => {
  test('a task that waits for its caller is subscribed to after a restart, and the answer arrives', async () => {
    const server = await fleet.start({ settings: BRISK });
    const client = new Client(server, oracle);
    const { id: taskId } = await client.send('ask');
    await server.restart('kill');
    const stream = await client.subscribe(taskId);
    await stream.next();
    expect(stream.names()).toEqual(['task INPUT_REQUIRED']);
    const answered = await client.send('steps=2 red', { taskId });
    expect(textOf(answered.status.message)).toBe('you said steps=2 red');
    await stream.all();
    expect(stream.names().slice(1)).toEqual([
      'WORKING',
      'artifact step-1',
      'artifact step-2',
      'COMPLETED',
    ]);
  });
});

describe('I1: killed between accept and enqueue', () => {
  embedded(
    'tasks that were accepted and not yet started when the server was killed all run',
    async () => {
      const server = await fleet.start({ settings: BRISK });
      const client = new Client(server, oracle);
      // As many as the queue works on at once, so that the next ones lie in its memory only.
      const blockers = await all(256, () => client.send('wait=60000', { ri: true }));
      const waiting = await all(10, () => client.send('steps=1', { ri: true }));
      expect(waiting.map(stateOf)).toEqual(waiting.map(() => 'SUBMITTED'));
      // One more, whose answer is lost with the server.
      const last = client.send('steps=1', { ri: true, contextId: 'i1' }).catch(() => undefined);
      await server.kill();
      await last;
      await server.start();
      const { tasks } = await client.list({ contextId: 'i1' });
      await Promise.all(blockers.map(({ id }) => client.cancel(id)));
      for (const { id } of [...waiting, ...tasks]) {
        expect(stateOf(await client.finished(id))).toBe('COMPLETED');
      }
    },
  );
});

const all = <T>(count: number, make: () => Promise<T>) =>
  Promise.all(Array.from({ length: count }, make));

describe('A stop', () => {
  embedded(
    'a stopped server exits with 0, answers who waits, and leaves its work to the next one',
    async () => {
      const server = await fleet.start({ settings: BRISK });
      const client = new Client(server, oracle);
      const blocked = client.send('steps=50 delay=50');
      const { tasks } = await until(
        () => client.list(),
        (page) => page.totalSize === 1,
      );
      expect(await server.stop()).toBe(0);
      const answer = await blocked;
      expect(stateOf(answer)).toBe('WORKING');
      await server.start();
      const task = await client.finished(tasks[0]?.id ?? '');
      expect(artifactIds(task)).toEqual(steps(50));
    },
  );
});

async function until<T>(read: () => Promise<T>, enough: (value: T) => boolean): Promise<T> {
  for (;;) {
    const value = await read();
    if (enough(value)) return value;
  }
}
