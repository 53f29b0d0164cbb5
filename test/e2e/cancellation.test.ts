import { setTimeout as wait } from 'node:timers/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { Client, Refusal } from './client.ts';
import { useOracle } from './oracle.ts';
import { type Server, useFleet } from './server.ts';
import { artifactIds, isTerminal, stateOf, textOf, type WireTask } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle();
let server: Server;
let client: Client;
/** Another instance over the same store. */
let other: Client;

beforeAll(async () => {
  server = await fleet.start();
  client = new Client(server, oracle);
  other = new Client(await fleet.start({ data: server.data }), oracle);
});

/** The canceled task, or the code of the refusal. */
async function tryCancel(by: Client, id: string): Promise<WireTask | number> {
  try {
    return await by.cancel(id);
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
}

describe('C1: a second message to a task at work', () => {
  test('it is refused, starts nothing, and leaves no trace in the history', async () => {
    const { id: taskId } = await client.send('steps=4 delay=60 count', { ri: true });
    for (const each of [client, other]) {
      await expect(each.send('again', { taskId, ri: true })).rejects.toMatchObject({
        code: -32004,
      });
      await expect(each.stream('again', { taskId })).rejects.toMatchObject({ code: -32004 });
    }
    const task = await client.finished(taskId);
    expect(textOf(task.status.message)).toBe('started 1 times');
    expect((task.history ?? []).map(textOf)).toEqual(['steps=4 delay=60 count', 'started 1 times']);
  });

  test('of 10 answers to one question in parallel exactly one is taken', async () => {
    const { id: taskId } = await client.send('ask');
    const answers = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) =>
        (at % 2 === 0 ? client : other).send(`steps=1 answer ${at}`, { taskId }),
      ),
    );
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: -32004 });
    }
    const task = await client.finished(taskId);
    expect((task.history ?? []).filter(({ role }) => role === 'ROLE_USER')).toHaveLength(2);
  });
});

describe('C3: cancel in the middle of the work', () => {
  test.each(['here', 'elsewhere'])(
    'a task that was canceled %s stays so, and shows nothing of the rest',
    async (where) => {
      const stream = await client.stream('steps=20 delay=50');
      await stream.reach('artifact step-2');
      const id = oracle.idOf(stream);
      const canceled = await (where === 'here' ? client : other).cancel(id);
      expect(stateOf(canceled)).toBe('CANCELED');
      await stream.all();
      expect(stream.names().at(-1)).toBe('CANCELED');
      // Long enough for the agent to have ended if it had gone on.
      const end = performance.now() + 1_500;
      while (performance.now() < end) {
        expect(await client.get(id)).toEqual(canceled);
        expect(await other.get(id)).toEqual(canceled);
        await wait(50);
      }
    },
  );

  test('a task that waits for its caller, or has hardly begun, can be canceled', async () => {
    const asking = await client.send('ask');
    expect(stateOf(asking)).toBe('INPUT_REQUIRED');
    expect(stateOf(await other.cancel(asking.id))).toBe('CANCELED');
    await expect(client.send('late answer', { taskId: asking.id })).rejects.toMatchObject({
      code: -32004,
    });
    const { id } = await client.send('steps=50 delay=50', { ri: true });
    expect(stateOf(await client.cancel(id))).toBe('CANCELED');
  });
});

describe('C5, C6: cancel races the end', () => {
  test('200 cancels around the end agree with every later answer', {
    timeout: 60_000,
  }, async () => {
    const ends = { CANCELED: 0, COMPLETED: 0 };
    const race = async (at: number): Promise<void> => {
      const { id } = await client.send('steps=2 delay=15', { ri: true });
      await wait(at % 60);
      const answer = await tryCancel(at % 2 === 0 ? client : other, id);
      const [one, two] = await Promise.all([client.finished(id), other.finished(id)]);
      expect(two).toEqual(one);
      if (typeof answer === 'number') {
        expect(answer).toBe(-32002);
        expect(stateOf(one)).toBe('COMPLETED');
        expect(artifactIds(one)).toEqual(['step-1', 'step-2']);
        ends.COMPLETED += 1;
      } else {
        expect(answer).toEqual(one);
        expect(stateOf(one)).toBe('CANCELED');
        ends.CANCELED += 1;
      }
      await wait(60);
      expect(await client.get(id)).toEqual(one);
    };
    for (let burst = 0; burst < 200; burst += 20) {
      await Promise.all(Array.from({ length: 20 }, (_, at) => race(at * 3)));
    }
    expect(ends.CANCELED + ends.COMPLETED).toBe(200);
    expect(ends.CANCELED).toBeGreaterThan(0);
    expect(ends.COMPLETED).toBeGreaterThan(0);
  });

  test('canceling a task that is completed or failed is refused, and changes nothing', async () => {
    for (const script of ['steps=1', 'fail', 'reject']) {
      const task = await client.send(script);
      expect(isTerminal(stateOf(task))).toBe(true);
      expect(await tryCancel(client, task.id)).toBe(-32002);
      expect(await client.get(task.id)).toEqual(task);
    }
  });
});

describe('C7: more than one cancel', () => {
  test('ten at once through two instances and one more answer the same canceled task', async () => {
    const { id } = await client.send('steps=50 delay=50', { ri: true });
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) => (at % 2 === 0 ? client : other).cancel(id)),
    );
    answers.push(await client.cancel(id));
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers.map(stateOf)).toEqual(answers.map(() => 'CANCELED'));
  });
});

describe('C10: streams over several instances', () => {
  test('a subscription through another instance shows the very events of the first stream', async () => {
    const first = await client.stream('steps=10 delay=40');
    await first.reach('artifact step-2');
    const second = await other.subscribe(oracle.idOf(first));
    await Promise.all([first.all(), second.all()]);
    const from = second.frames[0]?.seq ?? 0;
    // What one position holds is compared by the oracle.
    expect(second.frames.slice(1).map(({ seq }) => seq)).toEqual(
      first.frames.filter(({ seq = 0 }) => seq > from).map(({ seq }) => seq),
    );
    expect(second.names().at(-1)).toBe('COMPLETED');
  });

  test('a question that is answered through another instance goes on in the open stream', async () => {
    const { id: taskId } = await client.send('ask');
    const stream = await client.subscribe(taskId);
    await stream.next();
    const answered = await other.send('steps=3 delay=20', { taskId });
    expect(stateOf(answered)).toBe('COMPLETED');
    await stream.all();
    expect(stream.names()).toEqual([
      'task INPUT_REQUIRED',
      'WORKING',
      'artifact step-1',
      'artifact step-2',
      'artifact step-3',
      'COMPLETED',
    ]);
  });
});

describe('C11: after a cancel', () => {
  test('a new task in the same context is taken at once and is not touched by the old one', async () => {
    const contextId = 'c11';
    const { id: old } = await client.send('steps=50 delay=20', { contextId, ri: true });
    await wait(50);
    await expect(client.send('echo', { contextId })).rejects.toMatchObject({ code: -32004 });
    await client.cancel(old);
    const next = await client.send('steps=3 delay=20', { contextId });
    expect(stateOf(next)).toBe('COMPLETED');
    expect(artifactIds(next)).toEqual(['step-1', 'step-2', 'step-3']);
    expect(stateOf(await client.get(old))).toBe('CANCELED');
  });
});
