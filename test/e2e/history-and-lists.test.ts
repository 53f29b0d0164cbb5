import { beforeAll, describe, expect, test } from 'vitest';
import { BINDINGS, Client, type Refusal } from './client.ts';
import { useOracle } from './oracle.ts';
import { type Server, useFleet } from './server.ts';
import { stateOf, textOf, type WirePage } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle();
let server: Server;
let client: Client;

beforeAll(async () => {
  server = await fleet.start({ args: ['--log', 'info'] });
  client = new Client(server, oracle);
});

/** Walks a list to its end; `between` runs after each page but the last. */
async function walk(
  by: Client,
  query: Readonly<Record<string, unknown>>,
  between: (page: WirePage) => Promise<void> = () => Promise.resolve(),
): Promise<readonly string[]> {
  const seen: string[] = [];
  for (let pageToken = ''; ; ) {
    const page = await by.list({ ...query, ...(pageToken === '' ? {} : { pageToken }) });
    seen.push(...page.tasks.map(({ id }) => id));
    if (page.nextPageToken === '') return seen;
    await between(page);
    pageToken = page.nextPageToken;
  }
}

describe.each(BINDINGS)('E2: what a list holds (%s)', (binding) => {
  test('all four fields are there, also when nothing is found', async () => {
    const each = new Client(server, oracle, binding);
    expect(await each.list({ contextId: 'nobody' })).toEqual({
      tasks: [],
      nextPageToken: '',
      pageSize: 50,
      totalSize: 0,
    });
    const { contextId } = await each.send('steps=1');
    const page = await each.list({ contextId, pageSize: 1 });
    expect(page).toMatchObject({ nextPageToken: '', pageSize: 1, totalSize: 1 });
    expect(page.tasks[0]?.artifacts).toBeUndefined();
  });

  test('a token that this list did not give, or gave for other filters, is refused', async () => {
    const each = new Client(server, oracle, binding);
    await Promise.all([each.send('steps=1'), each.send('steps=1')]);
    const { nextPageToken } = await each.list({ pageSize: 1 });
    expect(nextPageToken).not.toBe('');
    const bad = ['bad', 'eyJ9', nextPageToken.slice(2), `${nextPageToken}x`, '../../x', '\u0000'];
    for (const pageToken of bad) {
      await expect(each.list({ pageToken, pageSize: 1 })).rejects.toMatchObject({ code: -32602 });
    }
    const foreign = each.list({ pageToken: nextPageToken, contextId: 'other' });
    await expect(foreign).rejects.toMatchObject({ code: -32602 });
  });

  test.each([0, -1, 101, 1.5])('a page size of %d is refused', async (pageSize) => {
    // No int32 is, and 0 is none there.
    if (binding === 'grpc' && (pageSize === 0 || !Number.isInteger(pageSize))) return;
    const refused = new Client(server, oracle, binding).list({ pageSize });
    await expect(refused).rejects.toMatchObject({ code: -32602 });
  });
});

describe('E3: pages', () => {
  /** Tasks that wait for their caller, so that a cancel can touch each of them later. */
  async function seven(contextId: string): Promise<string[]> {
    // One context takes one open task, so they share an author's marker in their own contexts
    // instead.
    const sent = await Promise.all(
      Array.from({ length: 7 }, (_, at) => client.send('ask', { contextId: `${contextId}-${at}` })),
    );
    return sent.map(({ id }) => id);
  }

  test('7 tasks of about one time in pages of 2 are each seen once', async () => {
    const since = new Date().toISOString();
    const ids = await seven('e3-still');
    const seen = await walk(client, { pageSize: 2, statusTimestampAfter: since });
    expect(seen.toSorted()).toEqual(ids.toSorted());
  });

  test('a task that changes between pages is seen, and no other is skipped for it', async () => {
    const since = new Date().toISOString();
    const ids = await seven('e3-touched');
    const left = new Set(ids);
    const seen = await walk(client, { pageSize: 2, statusTimestampAfter: since }, async (page) => {
      // The one that the cursor stands on, and one that is still to come.
      for (const { id } of page.tasks) left.delete(id);
      const last = page.tasks.at(-1);
      if (last !== undefined && stateOf(last) === 'INPUT_REQUIRED') await client.cancel(last.id);
      const [next] = left;
      if (next !== undefined) {
        left.delete(next);
        await client.cancel(next);
      }
    });
    expect([...new Set(seen)].toSorted()).toEqual(ids.toSorted());
  });

  test('tasks that are made during the walk hide none that were there', async () => {
    const since = new Date().toISOString();
    const ids = await seven('e3-growing');
    const seen = await walk(client, { pageSize: 2, statusTimestampAfter: since }, async () => {
      await Promise.all([client.send('steps=1'), client.send('steps=1')]);
    });
    expect(seen).toEqual(expect.arrayContaining(ids));
    expect(seen.filter((id) => ids.includes(id))).toHaveLength(7);
  });

  test('filters by context and state find what they say', async () => {
    const { id, contextId } = await client.send('ask');
    expect(
      (await client.list({ contextId, status: 'TASK_STATE_INPUT_REQUIRED' })).tasks[0]?.id,
    ).toBe(id);
    expect((await client.list({ contextId, status: 'TASK_STATE_COMPLETED' })).totalSize).toBe(0);
    await client.send('red', { taskId: id });
    expect((await client.list({ contextId, status: 'TASK_STATE_COMPLETED' })).totalSize).toBe(1);
    expect((await client.list({ contextId, status: 'TASK_STATE_INPUT_REQUIRED' })).totalSize).toBe(
      0,
    );
  });
});

describe.each(BINDINGS)('E8: a strange messageId (%s)', (binding) => {
  const strange = ['', 'nul\0', '\u0007', 'x'.repeat(300), '\ud800', 'line\nbreak'];
  test.each(strange.map((id) => [JSON.stringify(id).slice(0, 20), id]))(
    '%s is refused without internals',
    async (_, messageId) => {
      // No string of protobuf is half a surrogate pair.
      if (binding === 'grpc' && !messageId.isWellFormed()) return;
      const refused = new Client(server, oracle, binding).send('steps=1', { messageId });
      await expect(refused).rejects.toMatchObject({ code: -32602 });
      await expect(refused).rejects.toSatisfy(
        ({ body }: Refusal) => !/sqlite|select|insert|\bat .*\.ts|node_modules/i.test(body),
      );
    },
  );

  test.each(["'; DROP TABLE runs; --", '😀', 'ünï', '../../x', '__x__'])(
    '%s is as good as any',
    async (messageId) => {
      const task = await new Client(server, oracle, binding).send('steps=1', {
        messageId: `${messageId}`,
      });
      expect(task.history?.[0]?.messageId).toBe(messageId);
    },
  );
});

describe.each(BINDINGS)('E9: unknown ids (%s)', (binding) => {
  test('read, canceled or subscribed to are not found', async () => {
    const each = new Client(server, oracle, binding);
    const id = crypto.randomUUID();
    const http = binding === 'rest' ? 404 : 200;
    await expect(each.get(id)).rejects.toMatchObject({ code: -32001, http });
    await expect(each.cancel(id)).rejects.toMatchObject({ code: -32001, http });
    await expect(each.subscribe(id)).rejects.toMatchObject({ code: -32001, http });
  });
});

describe.each(BINDINGS)('E10, E11: when a send answers (%s)', (binding) => {
  test('at once and open when it is asked to, however long the work', async () => {
    const task = await new Client(server, oracle, binding).send('wait=10000', { ri: true });
    expect(['SUBMITTED', 'WORKING']).toContain(stateOf(task));
    await client.cancel(task.id);
  });

  test('at the question when it waits', async () => {
    // What would wait for the longest that a call may is later than a task of four seconds.
    const ended: string[] = [];
    const each = new Client(server, oracle, binding);
    const long = each.send('wait=4000').then(() => ended.push('long'));
    const task = await each.send('ask');
    ended.push('ask');
    expect(stateOf(task)).toBe('INPUT_REQUIRED');
    expect(textOf(task.status.message)).toBe('Which colour?');
    await long;
    expect(ended).toEqual(['ask', 'long']);
  });

  test('a stream ends at the question too, and the answer opens the next', async () => {
    const each = new Client(server, oracle, binding);
    const asking = await each.stream('ask');
    await asking.all();
    expect(asking.names()).toEqual(['task SUBMITTED', 'WORKING', 'INPUT_REQUIRED']);
    const answer = await each.stream('red', { taskId: oracle.idOf(asking) });
    await answer.all();
    expect(answer.names().at(-1)).toBe('COMPLETED');
  });

  test('data that the question does not take is refused, and the task still waits', async () => {
    const each = new Client(server, oracle, binding);
    const asked = await each.send('choose');
    expect(asked.status.message?.parts[1]?.mediaType).toBe('application/schema+json');
    const parts = [{ data: { count: 0 } }];
    await expect(each.send('', { taskId: asked.id, parts })).rejects.toMatchObject({
      code: -32602,
    });
    expect(await each.get(asked.id)).toEqual(asked);
    const good = await each.send('', { taskId: asked.id, parts: [{ data: { count: 3 } }] });
    expect(stateOf(good)).toBe('COMPLETED');
  });
});

describe('I5: no client calls any more', () => {
  test('a task runs to its end without another request', async () => {
    const quiet = await fleet.start({ args: ['--log', 'info'] });
    const only = new Client(quiet, oracle);
    const { id } = await only.send('steps=4 delay=40', { ri: true });
    // The log tells, so that no request of ours keeps the work alive.
    await expect.poll(() => quiet.log.some((line) => line.includes('run ended'))).toBe(true);
    // Where the projection is a function of its own, it may be a moment behind.
    expect(stateOf(await only.finished(id))).toBe('COMPLETED');
  });
});

describe('The log', () => {
  test("holds no word of any message or artifact, and an agent's error in its author's line alone", async () => {
    await client.send('echo marmalade-7', { contextId: 'log' });
    await client.send('crash');
    // Here the author looks on (docs/errors.md); deployed, that line has no words either.
    const forAuthors = server.log.filter((line) => line.includes('"message":"agent error"'));
    expect(forAuthors.join('\n')).toContain('secret internals');
    const log = server.log.filter((line) => !forAuthors.includes(line)).join('\n');
    expect(log).toContain('"message":"run ended"');
    for (const word of ['marmalade', 'secret internals', 'Which colour', 'result of step']) {
      expect(log).not.toContain(word);
    }
    expect(forAuthors.join('\n')).not.toMatch(/marmalade|Which colour|result of step/);
  });
});
