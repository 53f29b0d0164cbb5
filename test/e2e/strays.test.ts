import { expect, test } from 'vitest';
import { Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { STORE, useFleet } from './server.ts';
import { stateOf } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle();

test('an error that nothing catches ends its own run: others go on, and it does not come back', async () => {
  const server = await fleet.start();
  const client = new Client(server, oracle);
  const other = await client.stream('steps=12 delay=100');
  await other.next();
  const left = [];
  for (const way of ['float', 'timer']) left.push(await client.send(way));
  expect(left.map(stateOf)).toEqual(['FAILED', 'FAILED']);
  expect(left.map(({ metadata }) => metadata)).toMatchObject([
    { reason: 'AGENT_FAILED' },
    { reason: 'AGENT_FAILED' },
  ]);
  await other.all();
  expect(other.names().at(-1)).toBe('COMPLETED');
  if (STORE === 'embedded') await server.restart('kill');
  for (const { id } of left) expect(stateOf(await client.get(id))).toBe('FAILED');
  expect(stateOf(await client.send('steps=1'))).toBe('COMPLETED');
});
