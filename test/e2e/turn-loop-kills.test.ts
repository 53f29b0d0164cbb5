import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Client } from './client.ts';
import { seeded } from './load.ts';
import { Oracle } from './oracle.ts';
import { BRISK, STORE, useFleet } from './server.ts';

const fleet = useFleet();
/** HOLDFAST_SEED repeats a run's choices; the moments within the server are its own. */
const SEED = Number(process.env['HOLDFAST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const TASKS = 16;
const KILLS = STORE === 'google' ? 4 : 12;
const SCRIPT = 'look 5 & note 5; pay 40 & note 5; look 5; pay 40; note 5; say done';

test(`${KILLS} kills in the middle of turns: no tool that must not run twice does`, {
  timeout: 180_000,
}, async () => {
  process.stdout.write(`HOLDFAST_SEED=${SEED}\n`);
  const random = seeded(SEED);
  const effects = join(await fleet.folder(), 'effects');
  const server = await fleet.start({
    settings: { ...BRISK, requeues: 100 },
    args: ['--agents', 'test/fixtures/agents/delegating.ts'],
    env: { HOLDFAST_EFFECTS: effects },
  });
  const client = new Client(server, new Oracle({ reruns: true }));
  const sent = Array.from({ length: TASKS }, () => client.send(SCRIPT, { ri: true }));
  const ids = (await Promise.all(sent)).map(({ id }) => id);
  for (let kill = 0; kill < KILLS; kill += 1) {
    await wait(30 + random() * 250);
    await server.restart('kill');
  }
  const tasks = await Promise.all(ids.map((id) => ended(client, id)));
  const began = (await readFile(effects, 'utf8')).trim().split('\n');
  const paid = began.filter((line) => line.startsWith('pay '));
  expect(new Set(paid).size, `seed ${SEED}`).toBe(paid.length);
  for (const { id, metadata, status } of tasks) {
    const mine = paid.filter((line) => line.includes(id)).length;
    if (status.state === 'TASK_STATE_COMPLETED') expect(mine, `seed ${SEED}`).toBe(2);
    else expect(metadata, `seed ${SEED}`).toMatchObject({ reason: 'EFFECT_UNKNOWN' });
  }
  const failed = tasks.filter(({ status }) => status.state === 'TASK_STATE_FAILED').length;
  process.stdout.write(
    `${KILLS} kills, ${began.length} tools began, ${began.length - new Set(began).size} of them again, ${failed} of ${TASKS} tasks ended for a person to look at\n`,
  );
});

async function ended(client: Client, id: string) {
  for (;;) {
    const task = await client.get(id);
    if (/COMPLETED|FAILED/.test(task.status.state)) return task;
    await wait(50);
  }
}
