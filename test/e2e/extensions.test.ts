import { SendMessageRequest } from '@a2a-js/sdk';
import { ClientFactory } from '@a2a-js/sdk/client';
import { beforeAll, describe, expect, test } from 'vitest';
import { TIMESTAMPS, TRACEABILITY } from '../../shared/domain/extensions.ts';
import { request } from '../edge/calls.ts';
import { BINDINGS, Client } from './client.ts';
import { Oracle } from './oracle.ts';
import { type Server, useFleet } from './server.ts';

const [TIMES = ''] = TIMESTAMPS.map(({ uri }) => uri);
const EXTENSIONS = `${TIMES}, ${TRACEABILITY.uri}`;

const fleet = useFleet();
let server: Server;
beforeAll(async () => {
  server = await fleet.start({ args: ['--v0.3', '--traceability'] });
});

const client = (binding: (typeof BINDINGS)[number]) =>
  new Client(server, new Oracle(), binding, { 'A2A-Extensions': EXTENSIONS });

/** Every time and trace in an answer, by what it is of; `parts` tell messages apart. */
function told(json: unknown): ReadonlySet<string> {
  const found = new Set<string>();
  JSON.stringify(json, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null) return value;
    const { artifactId, metadata, parts } = value as Readonly<Record<string, unknown>>;
    if (typeof metadata !== 'object' || metadata === null) return value;
    for (const [key, said] of Object.entries(metadata)) {
      const traced = key.endsWith('/traceability');
      const named = typeof artifactId === 'string' ? artifactId : JSON.stringify(parts);
      if (key.startsWith('github.com/')) found.add(`${traced ? 'state' : named}: ${sorted(said)}`);
    }
    return value;
  });
  return found;
}

/** Members in one order: gRPC has them in its own. */
function sorted(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

const withoutTrace = (all: ReadonlySet<string>) =>
  new Set([...all].filter((each) => !each.startsWith('state: ')));

/** Parts are said in other ways by v0.3 and by the SDK; what is told of them is the same. */
const whatIsTold = (all: ReadonlySet<string>) =>
  new Set([...all].map((each) => each.replace(/^\[.*?\]: /, '')));

describe('times and traces of a task', () => {
  test('are the same over each binding, in a stream from its beginning, and in v0.3', async () => {
    const { id } = await client('rest').send('steps=2 chunks=2 events=1 delay=60');
    const seen = told(await client('rest').get(id));
    // Two artifacts, one in pieces, a message on the way, the last message, and the trace.
    expect(seen.size).toBe(6);
    for (const binding of BINDINGS) {
      expect([binding, told(await client(binding).get(id))]).toEqual([binding, seen]);
      const { tasks } = await client(binding).list({ includeArtifacts: true, pageSize: 1 });
      expect([binding, told(tasks)]).toEqual([binding, withoutTrace(seen)]);
    }
    const params = { id };
    const legacy = await request(
      server,
      'POST',
      '/',
      { jsonrpc: '2.0', id: 1, method: 'tasks/get', params },
      { 'A2A-Version': '0.3', 'X-A2A-Extensions': EXTENSIONS },
    );
    expect(legacy.headers.get('x-a2a-extensions')).toBe(EXTENSIONS);
    expect(whatIsTold(told(legacy.body))).toEqual(whatIsTold(seen));
  });

  test.each(BINDINGS)('reach a stream over %s as they reach a later reader', async (binding) => {
    const frames = await (await client(binding).stream('chunks=3 events=1 delay=60')).all();
    const [first, ...rest] = frames.map(({ event }) => event);
    const id = first !== undefined && 'task' in first ? first.task.id : '';
    expect(told(rest)).toEqual(told(await client(binding).get(id)));
  });

  test("reach the official SDK's client by its service parameters", async () => {
    const sdk = await new ClientFactory().createFromUrl(server.url);
    const task = await sdk.sendMessage(
      SendMessageRequest.fromJSON({
        message: { messageId: 'times-1', role: 'ROLE_USER', parts: [{ text: 'steps=1' }] },
      }),
      { serviceParameters: { 'A2A-Extensions': EXTENSIONS } },
    );
    const id = 'status' in task ? task.id : '';
    expect(whatIsTold(told(task))).toEqual(whatIsTold(told(await client('rest').get(id))));
  });

  test('are told to no caller that asks for nothing', async () => {
    const { id } = await new Client(server, new Oracle()).send('steps=1 events=1');
    expect(told(await new Client(server, new Oracle()).get(id))).toEqual(new Set());
  });
});
