import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { atRest } from './at-rest.ts';
import { seeded, Session } from './load.ts';
import { Oracle } from './oracle.ts';
import { BRISK, type Server, STORE, useFleet } from './server.ts';

const fleet = useFleet();
const SESSIONS = 6;
/** HOLDFAST_SEED repeats a run's choices; the moments within the server are its own. */
const SEED = Number(process.env['HOLDFAST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));

const options = {
  // A run is put back as often as it takes: here workers die all the time.
  settings: { ...BRISK, lease: 600, leaseRenewal: 200, requeues: 1_000 },
  args: ['--idempotency', 'always'],
};

// Where each kill ends four processes, fewer say as much in the same time.
const KILLS = STORE === 'google' ? 12 : 50;
/**
 * Between kills, at most: a function that was just started needs a while before it gets anywhere.
 */
const CALM = STORE === 'google' ? 3_000 : 300;

test(`${KILLS} kills under load lose nothing that any client was told`, {
  timeout: 180_000,
}, async () => {
  const server = await fleet.start(options);
  // A first regular end, so that the restarts find their code compiled.
  await server.restart('stop');
  await crash([server], KILLS);
});

test('two servers on one folder, killed in turn, finish the work of each other', {
  timeout: 120_000,
}, async () => {
  const one = await fleet.start(options);
  const two = await fleet.start({ ...options, data: one.data });
  await crash([one, two], 12);
});

/**
 * Kills servers at random moments under the load of several sessions, then looks at everything that
 * was ever shown.
 */
async function crash(servers: readonly Server[], kills: number): Promise<void> {
  process.stdout.write(`HOLDFAST_SEED=${SEED}\n`);
  const random = seeded(SEED);
  const oracle = new Oracle({ reruns: true });
  const over = new AbortController();
  const pick = <T>(all: readonly T[]): T | undefined => all[Math.floor(random() * all.length)];
  const sessions = Array.from(
    { length: SESSIONS },
    (_, at) => new Session(servers[at % servers.length] ?? { url: '' }, oracle, random),
  );
  const working = Promise.all(sessions.map((session) => session.work(over.signal)));
  const witness = new Session(servers[0] ?? { url: '' }, oracle, random);
  let crashed: Server | undefined;
  for (let kill = 1; kill <= kills; kill += 1) {
    await wait(30 + random() * CALM);
    crashed = pick(servers) ?? crashed;
    // Of several servers one may also sleep through its leases, and wake up as if nothing had been.
    if (servers.length > 1 && random() < 0.3) await crashed?.freeze(900);
    else await crashed?.restart('kill');
    const open = sessions.flatMap((session) => session.open ?? []);
    const known = Array.from({ length: 8 }, () => pick(oracle.tasks()) ?? '');
    // Found at all, and as before: the oracle compares each with what was seen of it.
    const ids = [...open, ...known].filter((id) => id !== '');
    await Promise.all(ids.map((id) => witness.read(id)));
    expect(
      sessions.flatMap(({ faults }) => faults),
      `seed ${SEED}`,
    ).toEqual([]);
  }
  over.abort();
  await working;
  const [first] = servers;
  if (first !== undefined)
    await atRest({ server: first, blobs: first.blobs(), sessions, oracle, hint: `seed ${SEED}` });
  const ended = sessions.reduce((sum, session) => sum + session.ended, 0);
  const cuts = sessions.reduce((sum, session) => sum + session.cuts, 0);
  process.stdout.write(`${kills} kills, ${ended} tasks ended, ${cuts} calls cut\n`);
  expect(ended).toBeGreaterThan(STORE === 'google' ? SESSIONS : kills);
}
