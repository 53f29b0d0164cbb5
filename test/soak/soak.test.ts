import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Blobs } from '../../shared/ports/blobs.ts';
import { atRest } from '../e2e/at-rest.ts';
import { seeded, Session } from '../e2e/load.ts';
import { asOperator } from '../e2e/operating.ts';
import { Oracle } from '../e2e/oracle.ts';
import { openProxy } from '../e2e/proxy.ts';
import { BRISK, type Server, STORE, useFleet } from '../e2e/server.ts';
import { grown, type Held, heldBy } from './growth.ts';
import { TickBook } from './ticks.ts';

// Only `npm run soak` says how long; an ordinary run of the tests leaves it out.
const MINUTES = Number(process.env['HOLDFAST_SOAK_MINUTES'] ?? 0);
const KILLS = Number(process.env['HOLDFAST_SOAK_KILLS'] ?? Infinity);
const SEED = Number(process.env['HOLDFAST_SEED'] ?? Math.floor(Math.random() * 2 ** 32));
const ROUND = 12_000;
const SESSIONS = 6;

const fleet = useFleet();

const options = {
  settings: {
    ...BRISK,
    lease: 600,
    leaseRenewal: 200,
    requeues: 1_000,
  },
  args: [
    '--idempotency',
    'always',
    // Each second a task: of the other setting nothing would pause that.
    ...(STORE === 'embedded' ? ['--agents', 'test/fixtures/agents/soaking.ts'] : []),
  ],
};

test.runIf(MINUTES > 0)(
  `${MINUTES} minutes of load, kills, lost answers and operators break no promise, and nothing grows`,
  { timeout: (MINUTES + 5) * 60_000 },
  async () => {
    process.stdout.write(`HOLDFAST_SEED=${SEED}\n`);
    const random = seeded(SEED);
    const victim = await fleet.start(options);
    const steady =
      STORE === 'google' ? victim : await fleet.start({ ...options, data: victim.data });
    const blobs = steady.blobs();
    // Operators of the other setting are asked for tokens that this process can't make.
    const ticks = STORE === 'embedded' ? new TickBook(steady) : undefined;
    // Each round resumes it.
    await ticks?.pause();
    const until = performance.now() + MINUTES * 60_000;
    const rounds: Held[] = [];
    const sum = { sent: 0, ended: 0, cuts: 0, kills: 0, stops: 0 };
    for (let round = 1; performance.now() < until && sum.kills < KILLS; round += 1) {
      const { sent, ended, cuts, kills, stops } = await play(
        { victim, steady, blobs, ticks },
        random,
        round,
      );
      sum.sent += sent;
      sum.ended += ended;
      sum.cuts += cuts;
      sum.kills += kills;
      sum.stops += stops;
      if (STORE === 'embedded') rounds.push(heldBy(steady, sum.sent + (ticks?.made ?? 0)));
      const held = Object.entries(rounds.at(-1) ?? {}).map(([name, value]) => `${value} ${name}`);
      const done = [`${sum.kills} kills`, `${sum.stops} stops`];
      const said = [
        ...done,
        `${sum.ended} tasks ended`,
        `${ticks?.made ?? 0} ticks`,
        `${sum.cuts} calls cut`,
      ];
      process.stdout.write(`round ${round}: ${[...said, ...held].join(', ')}\n`);
      // Nothing reads the lines of a round that kept its promises, and an hour has a million.
      for (const { log } of [victim, steady]) log.length = 0;
    }
    expect(grown(rounds)).toEqual([]);
    expect(sum.ended).toBeGreaterThan(0);
    expect(sum.kills).toBeGreaterThan(0);
  },
);

interface Played {
  /** It is killed, stopped, and put to sleep. */
  readonly victim: Server;
  /** It is never killed, so that what it holds can be compared. */
  readonly steady: Server;
  readonly blobs: Blobs;
  readonly ticks: TickBook | undefined;
}

interface Result {
  readonly sent: number;
  readonly ended: number;
  readonly cuts: number;
  /** By SIGKILL. */
  readonly kills: number;
  /** By SIGTERM. */
  readonly stops: number;
}

/** One round of load with faults, which ends at rest. */
async function play(
  { blobs, steady, ticks, victim }: Played,
  random: () => number,
  round: number,
): Promise<Result> {
  const oracle = new Oracle({ reruns: true });
  const over = new AbortController();
  // Answers get lost on the way, also when no server is killed.
  const proxy = await openProxy(steady.url, { cutAfter: 700 });
  const places = [victim, steady, proxy];
  const sessions = Array.from(
    { length: SESSIONS },
    (_, at) => new Session(places[at % places.length] ?? victim, oracle, random),
  );
  const working = Promise.all(sessions.map((session) => session.work(over.signal)));
  await ticks?.resume();
  const end = performance.now() + ROUND;
  let [kills, stops] = [0, 0];
  while (performance.now() < end) {
    await wait(200 + random() * (STORE === 'google' ? 4_000 : 1_000));
    const dice = random();
    if (dice < 0.2 && victim !== steady) await victim.freeze(900);
    else if (dice < 0.4 && ticks !== undefined) await operate(steady, ticks);
    else if (dice < 0.5) {
      await victim.restart('stop');
      stops += 1;
    } else {
      await victim.restart('kill');
      kills += 1;
    }
  }
  over.abort();
  await working;
  await proxy.close();
  await ticks?.pause();
  await ticks?.settle(`seed ${SEED}, round ${round}`);
  await atRest({
    server: steady,
    blobs,
    sessions,
    oracle,
    hint: `seed ${SEED}, round ${round}`,
  });
  const counted = (of: (session: Session) => number) =>
    sessions.reduce((all, session) => all + of(session), 0);
  return {
    // The check at rest sends one more in each context.
    sent: counted(({ sent }) => sent + 1),
    ended: counted(({ ended }) => ended),
    cuts: counted(({ cuts }) => cuts),
    kills,
    stops,
  };
}

/** What an operator does meanwhile: looks, and holds an agent and a schedule for a moment. */
async function operate(server: Server, ticks: TickBook): Promise<void> {
  for (const path of ['/status', '/runs?status=failed', '/costs', '/throughput'])
    await asked(server, 'get', path);
  await asked(server, 'post', '/agents/scripted/pause');
  await ticks.pause();
  await ticks.ask();
  await wait(300);
  await ticks.resume();
  await asked(server, 'post', '/agents/scripted/resume');
}

/** Asks until there is an answer: the server that operators ask may be the one that is killed. */
async function asked(server: Server, how: 'get' | 'post', path: string): Promise<void> {
  for (;;) {
    const answer = await asOperator(server)
      .then((operator) => operator[how](path))
      .catch(() => undefined);
    if (answer === undefined) await wait(100);
    else return expect(answer.status, `${path}: ${answer.text}`).toBe(200);
  }
}
