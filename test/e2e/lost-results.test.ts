import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { BINDINGS, Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { type Server, useFleet } from './server.ts';
import { artifactIds, stateOf, textOf } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle();
let server: Server;
let client: Client;

beforeAll(async () => {
  server = await fleet.start();
  client = new Client(server, oracle);
});

const steps = (count: number) => Array.from({ length: count }, (_, at) => `step-${at + 1}`);

describe('A1: the SSE client goes away', () => {
  test.each(BINDINGS)(
    'a task whose stream was reset completes with all of it (%s)',
    async (binding) => {
      const stream = await new Client(server, oracle, binding).stream('steps=5 delay=60');
      await stream.reach('artifact step-2');
      stream.reset();
      const task = await client.finished(oracle.idOf(stream));
      expect(stateOf(task)).toBe('COMPLETED');
      expect(artifactIds(task)).toEqual(steps(5));
    },
  );

  test('a task whose blocking caller left completes all the same', async () => {
    const contextId = 'a1-blocking';
    const leave = new AbortController();
    const sent = fetch(`${server.url}/message:send`, {
      method: 'POST',
      headers: { 'A2A-Version': '1.0', 'Content-Type': 'application/json' },
      body: JSON.stringify({
        message: {
          messageId: 'a1',
          role: 'ROLE_USER',
          contextId,
          parts: [{ text: 'steps=3 delay=60' }],
        },
      }),
      signal: leave.signal,
    });
    setTimeout(() => {
      leave.abort();
    }, 80);
    await expect(sent).rejects.toThrow();
    const { tasks } = await client.list({ contextId });
    expect(artifactIds(await client.finished(tasks[0]?.id ?? ''))).toEqual(steps(3));
  });
});

describe('A3: work bound to the first request', () => {
  test('a subscription after a cut stream brings the snapshot, the rest, the end, and closes', async () => {
    const stream = await client.stream('steps=6 delay=50');
    await stream.reach('artifact step-2');
    stream.reset();
    const id = oracle.idOf(stream);
    const again = await client.subscribe(id);
    await again.all();
    expect(again.names()[0]).toBe('task WORKING');
    expect(again.names().at(-1)).toBe('COMPLETED');
    expect(again.end).toBe('ended');
    expect(artifactIds(await client.get(id))).toEqual(steps(6));
  });
});

describe('A4: blocking sends to a quick agent', () => {
  test('500 parallel sends are answered by 500 completed tasks', { timeout: 60_000 }, async () => {
    const tasks = await Promise.all(
      Array.from({ length: 500 }, (_, at) => client.send(`steps=1 number ${at}`)),
    );
    expect(new Set(tasks.map((task) => task.id)).size).toBe(500);
    expect(new Set(tasks.map(stateOf))).toEqual(new Set(['COMPLETED']));
    for (const [at, task] of tasks.entries()) {
      expect(textOf(task.status.message)).toBe(`done: steps=1 number ${at}`);
      expect(artifactIds(task)).toEqual(['step-1']);
    }
  });
});

describe('A6: Working for ever', () => {
  test('a task whose agent has nothing to do is terminal, and carries its answer', async () => {
    const { id } = await client.send('steps=0 echo', { ri: true });
    const task = await client.finished(id, 5_000);
    expect(stateOf(task)).toBe('COMPLETED');
    expect(textOf(task.artifacts?.[0])).toBe('steps=0 echo');
  });

  test('a task whose agent throws or fails is FAILED with a reason, without the internals', async () => {
    const crashed = await client.send('crash');
    expect(stateOf(crashed)).toBe('FAILED');
    expect(crashed.metadata).toEqual({ reason: 'AGENT_FAILED' });
    expect(JSON.stringify(crashed)).not.toContain('secret');
    expect(textOf((await client.send('fail')).status.message)).toBe('failed as asked');
  });
});

describe('A8: one of several instances', () => {
  test('a task sent through one instance is found by 100 reads through two', async () => {
    const other = await fleet.start({ data: server.data });
    const both = [client, new Client(other, oracle)];
    const { id } = await client.send('steps=3 delay=30', { ri: true });
    const reads = await Promise.all(
      Array.from({ length: 100 }, (_, at) => (both[at % 2] ?? client).get(id)),
    );
    expect(reads.every((task) => task.id === id)).toBe(true);
    expect(artifactIds(await client.finished(id))).toEqual(steps(3));
    if (other !== server) await other.stop();
  });
});

describe('A9, A10: chunks', () => {
  test.each(BINDINGS)(
    'a stream carries each chunk and the end before it closes (%s)',
    async (binding) => {
      const stream = await new Client(server, oracle, binding).stream('chunks=20 delay=15');
      const frames = await stream.all();
      const chunks = frames.flatMap(({ event }) => ('artifactUpdate' in event ? [event] : []));
      expect(chunks[0]?.artifactUpdate.append ?? false).toBe(false);
      expect(chunks.at(-1)?.artifactUpdate.lastChunk).toBe(true);
      expect(stream.names().at(-1)).toBe('COMPLETED');
      expect(stream.end).toBe('ended');
      const whole = Array.from({ length: 20 }, (_, at) => `chunk ${at + 1};`).join('');
      expect(chunks.map(({ artifactUpdate }) => textOf(artifactUpdate.artifact)).join('')).toBe(
        whole,
      );
      expect(textOf((await client.get(oracle.idOf(stream))).artifacts?.[0])).toBe(whole);
    },
  );

  test('a first chunk with append makes the artifact also when it is the only one', async () => {
    const task = await client.send('chunks=1');
    expect(textOf(task.artifacts?.[0])).toBe('chunk 1;');
  });
});

describe('A12: several artifacts and no message', () => {
  test.each(BINDINGS)('all three arrive, by answer and by stream (%s)', async (binding) => {
    const each = new Client(server, oracle, binding);
    const task = await each.send('late');
    expect(artifactIds(task)).toEqual(['one', 'two', 'three']);
    expect(task.status.message).toBeUndefined();
    const stream = await each.stream('late');
    await stream.all();
    expect(stream.names()).toEqual([
      'task SUBMITTED',
      'WORKING',
      'artifact one',
      'artifact two',
      'artifact three',
      'COMPLETED',
    ]);
  });
});

describe('A17: content larger than a row', () => {
  test('an artifact of 3 MiB is kept whole', async () => {
    const task = await client.send('big=3MiB');
    expect(stateOf(task)).toBe('COMPLETED');
    const raw = Buffer.from(task.artifacts?.[0]?.parts[0]?.raw ?? '', 'base64');
    expect(raw.byteLength).toBe(3 * 1024 * 1024);
    expect(raw.every((byte) => byte === 65)).toBe(true);
    const [listed] = (await client.list({ contextId: task.contextId, includeArtifacts: true }))
      .tasks;
    expect(listed?.artifacts).toEqual(task.artifacts);
  });

  test('500 status messages of 4 KiB stay in the history', { timeout: 60_000 }, async () => {
    const { id } = await client.send('events=500 padding=4096', { ri: true });
    const task = await client.finished(id, 40_000);
    const said = (task.history ?? []).filter((message) => message.role === 'ROLE_AGENT');
    expect(said).toHaveLength(501);
    expect(said[0]?.parts[0]?.text).toHaveLength(4096);
    expect(said.map((message) => textOf(message)?.split(' ')[1]).slice(0, 500)).toEqual(
      Array.from({ length: 500 }, (_, at) => String(at + 1)),
    );
  });

  test('a message of 1 MiB is kept whole, one over the limit is refused and makes no task', async () => {
    const text = 'echo '.padEnd(1024 * 1024, 'x');
    const task = await client.send(text);
    expect(textOf(task.artifacts?.[0])).toBe(text);
    expect(textOf(task.history?.[0])).toBe(text);
    const before = (await client.list()).totalSize;
    const huge = client.send('echo '.padEnd(11 * 1024 * 1024, 'x'));
    await expect(huge).rejects.toMatchObject({ http: 413 });
    await wait(50);
    expect((await client.list()).totalSize).toBe(before);
  });
});
