import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decisionOn, effectsIn, KEEPER } from './approving.ts';
import { Client } from './client.ts';
import { useOracle } from './oracle.ts';
import { BRISK, useFleet } from './server.ts';
import { stateOf, textOf } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle({ reruns: true });

test('a run whose tool a release took away does not go on, and does by itself with its approval once a release brings it back', {
  timeout: 90_000,
}, async () => {
  const folder = await fleet.folder();
  const [effects, later] = [join(folder, 'effects'), join(folder, 'later')];
  const server = await fleet.start({
    args: ['--agents', KEEPER],
    settings: { ...BRISK, backoff: 200, backoffMax: 400 },
    env: { HOLDFAST_E2E_EFFECTS: effects, HOLDFAST_E2E_LATER: later },
  });
  const client = new Client(server, oracle);
  const asked = await client.send('pay');
  expect(stateOf(asked)).toBe('AUTH_REQUIRED');
  await writeFile(later, '');
  await server.restart('kill');
  const parts = [decisionOn(asked, 'approve')];
  await client.send('', { taskId: asked.id, parts, ri: true });
  await expect.poll(() => server.log.join('\n'), { timeout: 30_000 }).toContain('run is blocked');
  expect(stateOf(await client.get(asked.id))).toBe('WORKING');
  expect(await effectsIn(effects)).toEqual([]);
  await rm(later);
  await server.restart('kill');
  const done = await client.finished(asked.id);
  expect([stateOf(done), textOf(done.status.message)]).toEqual(['COMPLETED', 'pay done']);
  expect(await effectsIn(effects)).toHaveLength(1);
});
