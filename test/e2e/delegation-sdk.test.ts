import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SdkServer, startSdkServer } from '../fixtures/remotes/sdk-server.ts';
import { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { useOracle } from './oracle.ts';
import { type Books, contextOf, openBooks } from './remote-books.ts';
import { BRISK, type Server, useFleet } from './server.ts';
import { stateOf, textOf } from './wire.ts';

const KINDS = [
  ['rpc', 'JSONRPC', '1.0'],
  ['rest', 'HTTP+JSON', '1.0'],
  ['rpc-0-3', 'JSONRPC', '0.3'],
  ['rest-0-3', 'HTTP+JSON', '0.3'],
] as const;

const fleet = useFleet();
const oracle = useOracle({ reruns: true });
const theirs = new Map<string, SdkServer>();
let here: Server;
let books: Books;

beforeAll(async () => {
  for (const [name, binding, version] of KINDS) {
    theirs.set(name, await startSdkServer(binding, version));
  }
  const remotes = [...theirs].map(([name, { card }]) => [name, { card }]);
  here = await fleet.start({
    store: 'embedded',
    settings: { ...BRISK, pollMin: 100, pollMax: 400 },
    args: ['--agents', 'test/fixtures/agents/e2e-delegation.ts', '--remote-private', 'loopback'],
    env: { HOLDFAST_E2E_REMOTES: JSON.stringify(Object.fromEntries(remotes)) },
  });
  books = openBooks(here);
});

afterAll(async () => {
  await books.close();
  await Promise.all([...theirs.values()].map((server) => server.close()));
});

describe.each(KINDS)("the official SDK's server, %s: %s of %s", (name, binding, version) => {
  const client = () => new Client(here, oracle);

  const waiting = async (text: string): Promise<string> => {
    const { id } = await client().send(text, { ri: true });
    await eventually(async () => (await books.run(id))?.status, 'waiting_for_dependency');
    return id;
  };

  /** Its tasks in the context of that delegation; a server of v0.3 lists none. */
  const statesOf = async (id: string): Promise<readonly string[] | undefined> => {
    if (version === '0.3') return undefined;
    const url = (theirs.get(name)?.card ?? '').replace(/\/card$/, '/a2a');
    const at = new Client({ url }, oracle, binding === 'JSONRPC' ? 'jsonrpc' : 'rest');
    return (await at.list({ contextId: contextOf(id) })).tasks.map(stateOf);
  };

  test('has a task that is waited for, also over a crash here, and whose artifact is shown here', async () => {
    const id = await waiting(`to=${name} work`);
    await here.restart('kill');
    theirs.get(name)?.finish();
    const done = await client().finished(id);
    expect(textOf(done.status.message)).toBe(`${name} completed`);
    expect(done.artifacts?.map(textOf)).toEqual(['pong']);
    if (version === '1.0') expect(await statesOf(id)).toEqual(['COMPLETED']);
  });

  test('answers with a message, and there is nothing to wait for', async () => {
    const done = await client().send(`to=${name} ping`);
    expect(textOf(done.status.message)).toBe(`${name} completed: pong`);
    expect(await books.pause(done.id, 1)).toBeUndefined();
  });

  test('is told of a cancel', async () => {
    const id = await waiting(`to=${name} work`);
    expect(stateOf(await client().cancel(id))).toBe('CANCELED');
    await eventually(async () => (await books.send(id))?.cancelled, 'CANCELED');
    if (version === '1.0') expect(await statesOf(id)).toEqual(['CANCELED']);
  });
});
