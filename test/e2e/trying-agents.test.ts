import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { asOperator } from './operating.ts';
import { type Server, useFleet } from './server.ts';
import { RIGHTS } from '../../shared/ports/grants.ts';

const fleet = useFleet();
const ASSISTANT = ['--agents', 'examples/assistant/index.ts', '--remote-private', 'loopback'];
const TRY = '/agents/assistant/try';

const state = z.object({ state: z.string() });
const event = z.object({
  task: z.object({ id: z.string(), contextId: z.string() }).optional(),
  statusUpdate: z.object({ status: state }).optional(),
  why: z.string().optional(),
});

interface Event {
  readonly name: string | undefined;
  readonly id: string | undefined;
  readonly data: z.infer<typeof event>;
}

/** The events of a stream that ends by itself. */
function eventsIn(text: string): readonly Event[] {
  return text.split('\n\n').flatMap((block) => {
    const field = (name: string): string | undefined =>
      new RegExp(`^${name}: ?(.*)$`, 'm').exec(block)?.[1];
    const data = field('data');
    if (data === undefined) return [];
    return [{ name: field('event'), id: field('id'), data: event.parse(JSON.parse(data)) }];
  });
}

const saying = (text: string, more: object = {}) => ({
  messageId: randomUUID(),
  parts: [{ text }],
  ...more,
});

const started = (): Promise<Server> => fleet.start({ store: 'embedded', args: ASSISTANT });
const taskIn = (events: readonly Event[]): string =>
  events.find(({ data }) => data.task !== undefined)?.data.task?.id ?? '';
const statesIn = (events: readonly Event[]): readonly string[] =>
  events.flatMap(({ data }) => data.statusUpdate?.status.state ?? []);

test('an operator sends a message as a caller of their own, answers, resumes, and cancels; the audit record has each', async () => {
  const server = await started();
  const operator = await asOperator(server);
  const asked = eventsIn((await operator.post(TRY, saying('pay Bob'))).text);
  const id = taskIn(asked);
  expect(statesIn(asked).at(-1)).toBe('TASK_STATE_INPUT_REQUIRED');
  expect(asked.at(-1)).toMatchObject({ name: 'end', data: { why: 'settled' } });

  // Behind an event that came, only what came after it; at the end, nothing but that.
  const headers = { authorization: `Bearer ${operator.token}` };
  const path = `${operator.url}${TRY}/${id}`;
  const [first] = asked.filter((each) => each.id !== undefined);
  const from = { ...headers, 'last-event-id': first?.id ?? '' };
  const resumed = eventsIn(await (await fetch(path, { headers: from })).text());
  expect(statesIn(resumed)).toEqual(statesIn(asked));
  const wrong = await fetch(path, { headers: { ...headers, 'last-event-id': 'x' } });
  expect(wrong.status).toBe(400);

  const row = await operator.get(`/runs/${id}`);
  expect(row.body).toMatchObject({ owner: 'operator:local' });
  const answer = { messageId: randomUUID(), taskId: id, parts: [{ data: { euros: 12 } }] };
  const answering = new AbortController();
  const stream = await fetch(`${operator.url}${TRY}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(answer),
    signal: answering.signal,
  });
  expect(stream.headers.get('content-type')).toContain('text/event-stream');
  await expect
    .poll(async () => ((await operator.get(`/runs/${id}`)).body as { status: string }).status)
    .toBe('waiting_for_approval');
  const canceled = await operator.post(`${TRY}/${id}/cancel`);
  expect(canceled.body).toEqual({ id, state: 'CANCELED' });
  // Its stream says how it ended.
  expect(statesIn(eventsIn(await stream.text())).at(-1)).toBe('TASK_STATE_CANCELED');
  const { body } = await operator.get('/audit');
  const acts = (body as { entries: readonly { act: string; run: string }[] }).entries;
  expect(acts.map(({ act, run }) => [act, run])).toEqual([
    ['try', id],
    ['try', id],
    ['cancel', id],
  ]);
});

test('a message is tried only with the right to, only by pages of the console, and only as oneself', async () => {
  const server = await started();
  const file = join(server.data, 'operators.json');
  const local = await asOperator(server);
  const kept = z
    .record(z.string(), z.unknown())
    .parse(JSON.parse(await readFile(file, 'utf8')) as unknown);
  const [ada, bob] = ['ada-has-a-long-token', 'bob-has-a-long-token'];
  await writeFile(
    file,
    JSON.stringify({
      ...kept,
      ada: { token: ada, may: RIGHTS.filter((right) => right !== 'try') },
      bob: { token: bob, may: RIGHTS },
    }),
  );
  const ask = (path: string, token: string, more: object = {}, body: object = saying('hello')) =>
    fetch(`${local.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...more,
      },
      body: JSON.stringify(body),
    });
  const codeOf = async (response: Promise<Response>): Promise<unknown> => {
    const answered = await response;
    const { error } = (await answered.json()) as { error: { code: string } };
    return [answered.status, error.code];
  };
  expect(await codeOf(ask(TRY, ada))).toEqual([403, 'PERMISSION_DENIED']);
  expect(await codeOf(ask(TRY, 'no-token-of-this-machine'))).toEqual([401, 'UNAUTHENTICATED']);
  expect(await codeOf(ask('/agents/none/try', bob))).toEqual([404, 'AGENT_NOT_FOUND']);
  const foreign = { origin: 'https://example.com', 'sec-fetch-site': 'cross-site' };
  expect(await codeOf(ask(TRY, bob, foreign))).toEqual([403, 'ORIGIN_REFUSED']);
  const empty = { messageId: randomUUID(), parts: [] };
  expect(await codeOf(ask(TRY, bob, {}, empty))).toEqual([400, 'INVALID_PARAMS']);

  const id = taskIn(eventsIn((await local.post(TRY, saying('pay Eve'))).text));
  expect(await codeOf(ask(`${TRY}/${id}/cancel`, bob, {}, {}))).toEqual([404, 'TASK_NOT_FOUND']);
  const theirs = saying('12', { taskId: id });
  expect(await codeOf(ask(TRY, bob, {}, theirs))).toEqual([404, 'TASK_NOT_FOUND']);
  // A decision takes the right to decide, and goes by the inbox.
  const decision = { pauseGeneration: 1, kind: 'approve', digest: 'x' };
  const approving = { ...saying(''), taskId: id, parts: [{ data: decision }] };
  expect(await codeOf(ask(TRY, local.token, {}, approving))).toEqual([403, 'DECISION_NOT_ALLOWED']);
  const { body } = await local.get('/audit');
  expect((body as { entries: readonly unknown[] }).entries).toHaveLength(1);
});
