import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { BINDINGS, Client, Refusal } from './client.ts';
import { openProxy } from './proxy.ts';
import { useOracle } from './oracle.ts';
import { type Server, STORE, useFleet } from './server.ts';
import type { EventStream } from './stream.ts';
import { artifactIds, stateOf } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle();
let server: Server;
let client: Client;

beforeAll(async () => {
  server = await fleet.start();
  client = new Client(server, oracle);
});

const steps = (count: number) => Array.from({ length: count }, (_, at) => `step-${at + 1}`);

describe('B1: between disconnect and resubscribe', () => {
  test.each(BINDINGS)(
    'a subscriber gets a snapshot with all that it missed, then the rest (%s)',
    async (binding) => {
      const each = new Client(server, oracle, binding);
      const stream = await each.stream('steps=20 delay=40');
      await stream.reach('artifact step-5');
      stream.reset();
      await wait(200);
      const again = await each.subscribe(oracle.idOf(stream));
      const first = await again.next();
      if (first === undefined || !('task' in first.event)) throw new Error('no snapshot');
      const held = artifactIds(first.event.task);
      expect(held.length).toBeGreaterThanOrEqual(6);
      await again.all();
      const rest = again.names().filter((name) => name.startsWith('artifact'));
      expect([...held.map((id) => `artifact ${id}`), ...rest]).toEqual(
        steps(20).map((id) => `artifact ${id}`),
      );
      expect(again.names().at(-1)).toBe('COMPLETED');
    },
  );

  test('Last-Event-ID brings the task as it stood there, then every later event once', async () => {
    const stream = await client.stream('steps=20 delay=15');
    await stream.reach('artifact step-5');
    stream.reset();
    const seen = stream.lastSeq;
    const id = oracle.idOf(stream);
    await client.finished(id);
    const again = await client.subscribe(id, seen);
    await again.all();
    const [first, ...later] = again.frames;
    expect(first?.event).toMatchObject({ task: { id, status: { state: 'TASK_STATE_WORKING' } } });
    expect(JSON.stringify(first?.event)).not.toMatch(/artifacts|history/);
    expect([first?.seq, later[0]?.seq]).toEqual([seen, seen + 1]);
    expect(later.some(({ event }) => 'task' in event)).toBe(false);
    expect(again.names().at(-1)).toBe('COMPLETED');
  });
});

describe('B3: subscribe races the end', () => {
  test('500 subscriptions around the end are refused as terminal, or end complete', {
    timeout: 60_000,
  }, async () => {
    const outcomes = { refused: 0, ended: 0 };
    const race = async (at: number): Promise<void> => {
      const { id } = await client.send('steps=2 delay=25', { ri: true });
      // The end is 50 ms after the start, with Google's services a multiple; a burst of them takes
      // longer.
      await wait((at % 100) * (STORE === 'google' ? 10 : 1));
      let stream: EventStream;
      try {
        stream = await client.subscribe(id);
      } catch (error) {
        expect(error).toMatchObject({ code: -32004 });
        outcomes.refused += 1;
        return;
      }
      await stream.all();
      expect(stream.end).toBe('ended');
      expect(stream.terminal).toBe(true);
      outcomes.ended += 1;
      expect(artifactIds(await client.get(id))).toEqual(steps(2));
    };
    for (let burst = 0; burst < 500; burst += 25) {
      await Promise.all(Array.from({ length: 25 }, (_, at) => race(at * 4)));
    }
    expect(outcomes.refused + outcomes.ended).toBe(500);
    expect(outcomes.refused).toBeGreaterThan(0);
    expect(outcomes.ended).toBeGreaterThan(0);
  });
});

describe('B3: many subscribers of one task', () => {
  test('500 of them around its end, through two instances, are refused or see the same end', {
    timeout: 60_000,
  }, async () => {
    const other = new Client(await fleet.start({ data: server.data }), oracle);
    const { id } = await client.send('steps=20 delay=60', { ri: true });
    const streams = await Promise.all(
      Array.from({ length: 500 }, async (_, at) => {
        await wait(at * 4);
        try {
          return await (at % 2 === 0 ? client : other).subscribe(id);
        } catch (error) {
          expect(error).toMatchObject({ code: -32004 });
          return undefined;
        }
      }),
    );
    const open = streams.filter((stream) => stream !== undefined);
    expect(open.length).toBeGreaterThan(0);
    for (const stream of open) {
      await stream.all();
      expect(stream.end).toBe('ended');
      expect(stream.terminal).toBe(true);
    }
    expect(artifactIds(await other.get(id))).toEqual(steps(20));
  });
});

describe('B5: a cancel reaches subscribers', () => {
  test('a cancel over another connection ends every open stream with CANCELED', async () => {
    const sender = await client.stream('steps=100 delay=50');
    await sender.reach('artifact step-1');
    const id = oracle.idOf(sender);
    const watcher = await new Client(server, oracle, 'rest').subscribe(id);
    await watcher.next();
    await new Client(server, oracle).cancel(id);
    await Promise.all([sender.all(), watcher.all()]);
    for (const stream of [sender, watcher]) {
      expect(stream.names().at(-1)).toBe('CANCELED');
      expect(stream.end).toBe('ended');
    }
  });

  test('a failure ends every open stream with FAILED', async () => {
    const sender = await client.stream('steps=2 delay=40 fail');
    await sender.next();
    const watcher = await client.subscribe(oracle.idOf(sender));
    await Promise.all([sender.all(), watcher.all()]);
    expect([sender, watcher].map((stream) => stream.names().at(-1))).toEqual(['FAILED', 'FAILED']);
  });
});

describe.each(BINDINGS)('B7, B8: subscribe without a future (%s)', (binding) => {
  test('a finished task and an unknown one are refused as such, not inside a stream', async () => {
    const each = new Client(server, oracle, binding);
    const { id } = await each.send('steps=1');
    await expect(each.subscribe(id)).rejects.toMatchObject({
      code: -32004,
      http: binding === 'rest' ? 400 : 200,
    });
    for (const unknown of [crypto.randomUUID(), 'nothing']) {
      await expect(each.subscribe(unknown)).rejects.toMatchObject({
        code: -32001,
        http: binding === 'rest' ? 404 : 200,
      });
    }
  });

  test('a message to a finished task is refused as unsupported, streaming or not', async () => {
    const each = new Client(server, oracle, binding);
    const { id: taskId } = await each.send('steps=1');
    await expect(each.send('more', { taskId })).rejects.toMatchObject({ code: -32004 });
    await expect(each.stream('more', { taskId })).rejects.toMatchObject({ code: -32004 });
  });
});

describe('B9: how a stream begins', () => {
  test.each(BINDINGS)(
    'with a task, or with the one message of an answer without a task (%s)',
    async (binding) => {
      const each = new Client(server, oracle, binding);
      const stream = await each.stream('steps=1');
      await stream.all();
      expect(stream.names()).toEqual(['task SUBMITTED', 'WORKING', 'artifact step-1', 'COMPLETED']);
      const direct = await each.stream('ping');
      await direct.all();
      expect(direct.names()).toEqual(['message']);
    },
  );
});

describe('B10: a proxy cuts the stream', () => {
  test('a cut is no end: the client resumes behind its last event and misses nothing', async () => {
    const proxy = await openProxy(server.url, { cutAfter: 800 });
    const through = new Client(proxy, oracle);
    const stream = await through.stream('steps=14 delay=80');
    await stream.all();
    expect(stream.end).toBe('cut');
    expect(stream.terminal).toBe(false);
    const seen = stream.names().filter((name) => name.startsWith('artifact'));
    let { lastSeq } = stream;
    for (let terminal = false; !terminal; ) {
      const resumed = await through.subscribe(oracle.idOf(stream), lastSeq);
      await resumed.all();
      seen.push(...resumed.names().filter((name) => name.startsWith('artifact')));
      lastSeq = Math.max(lastSeq, resumed.lastSeq);
      ({ terminal } = resumed);
    }
    expect(seen).toEqual(steps(14).map((id) => `artifact ${id}`));
    await proxy.close();
  });
});

describe('B11: the server ends a stream of its own accord', () => {
  test('a stream over its time says so, and resumes where it stood', async () => {
    const short = await fleet.start({ settings: { streamLife: 600 } });
    const brief = new Client(short, oracle);
    const stream = await brief.stream('steps=10 delay=120');
    await stream.all();
    expect(stream.end).toBe('ended');
    expect(stream.terminal).toBe(false);
    expect(stream.comments).toContain(': closing, resume with Last-Event-ID');
    const id = oracle.idOf(stream);
    await brief.finished(id);
    const rest = await brief.subscribe(id, stream.lastSeq);
    await rest.all();
    expect(rest.terminal).toBe(true);
  });

  test('a blocking call over its time answers the task as it stands', async () => {
    const short = await fleet.start({ settings: { blockingCap: 150 } });
    const brief = new Client(short, oracle);
    const task = await brief.send('steps=6 delay=60');
    expect(['SUBMITTED', 'WORKING']).toContain(stateOf(task));
    expect(stateOf(await brief.finished(task.id))).toBe('COMPLETED');
  });

  test('a server that is told to go ends its streams with the same word', async () => {
    const going = await fleet.start();
    const stream = await new Client(going, oracle).stream('steps=4 delay=50');
    await stream.reach('artifact step-1');
    const [, code] = await Promise.all([stream.all(), going.stop()]);
    expect(code).toBe(0);
    expect(stream.end).toBe('ended');
    expect(stream.comments).toContain(': closing, resume with Last-Event-ID');
  });
});

describe('B14: a buffering proxy with a short patience', () => {
  test('the first event comes at once, and an agent that is silent for long loses no stream', async () => {
    const calm = await fleet.start({ settings: { heartbeat: 200 } });
    const proxy = await openProxy(calm.url, { buffers: true, patience: 1_500 });
    const stream = await new Client(proxy, oracle).stream('wait=3000');
    await stream.next();
    const task = await new Client(calm, oracle).get(oracle.idOf(stream));
    expect(['SUBMITTED', 'WORKING']).toContain(stateOf(task));
    await stream.all();
    expect(stream.headers['x-accel-buffering']).toBe('no');
    expect(stream.headers['cache-control']).toBe('no-cache');
    expect(stream.comments.filter((comment) => comment === ': keep-alive').length).toBeGreaterThan(
      5,
    );
    expect(stream.names().at(-1)).toBe('COMPLETED');
    expect(stream.end).toBe('ended');
    await proxy.close();
  });
});

describe('A slow client', () => {
  test('one that stops reading gets every event once it reads on', async () => {
    const stream = await client.stream('steps=40 delay=5 big=1MiB');
    await stream.next();
    stream.pause();
    await client.finished(oracle.idOf(stream));
    stream.resume();
    await stream.all();
    expect(stream.names()).toEqual([
      'task SUBMITTED',
      'WORKING',
      ...steps(40).map((id) => `artifact ${id}`),
      'artifact big',
      'COMPLETED',
    ]);
  });
});

describe('Last-Event-ID', () => {
  test.each(['999999', 'abc', '-1', '1.5'])('%s is refused', async (id) => {
    const stream = await client.stream('steps=2 delay=20');
    await stream.next();
    const asked = client.open(
      'SubscribeToTask',
      { id: oracle.idOf(stream) },
      { 'Last-Event-ID': id },
    );
    await expect(asked).rejects.toBeInstanceOf(Refusal);
    await expect(asked).rejects.toMatchObject({ code: -32602 });
  });
});
