import { expect, test } from 'vitest';
import { z } from 'zod';
import { eventually } from './eventually.ts';
import { asOperator } from './operating.ts';
import { BRISK, type Server, STORE, useFleet } from './server.ts';

const fleet = useFleet();
const EVERY = 1_000;
const KILLS = 4;

const page = z.object({
  nextPageToken: z.string(),
  tasks: z.array(
    z.object({
      id: z.string(),
      status: z.object({
        state: z.string(),
        message: z.object({ parts: z.array(z.object({ text: z.string() })) }).optional(),
      }),
    }),
  ),
});

/** The ticks whose tasks are completed, as their agent says it. */
async function ticksOf({ url }: Pick<Server, 'url'>): Promise<readonly number[]> {
  const ticks: number[] = [];
  for (let token = ''; ; ) {
    const path = `${url}/tasks?pageSize=100&pageToken=${encodeURIComponent(token)}`;
    const answer = await fetch(path, { headers: { 'A2A-Version': '1.0' } });
    const { nextPageToken, tasks } = page.parse(await answer.json());
    for (const { status } of tasks)
      if (status.state === 'TASK_STATE_COMPLETED')
        ticks.push(Number(status.message?.parts[0]?.text));
    if (nextPageToken === '') return ticks.toSorted((a, b) => a - b);
    token = nextPageToken;
  }
}

test.skipIf(STORE === 'google')(
  `over ${KILLS} kills each tick is one task: none is lost, none is made twice`,
  {
    timeout: 120_000,
  },
  async () => {
    const args = ['--agents', 'test/fixtures/agents/ticking.ts'];
    const server = await fleet.start({ settings: { ...BRISK, requeues: 1_000 }, args });
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = (await ticksOf(server)).length;
      await eventually(
        () => ticksOf(server),
        (ticks) => ticks.length > before,
      );
      await server.restart('kill');
    }
    // What is paused comes to rest, and what was made is all that was due until then.
    const due = await stopped(server);
    const ticks = await eventually(
      () => ticksOf(server),
      ({ length }) => length >= due.length,
    );
    expect(ticks).toEqual(due);
  },
);

/** Pauses the schedule. Answers every tick from its first one to its last. */
async function stopped(server: Server): Promise<readonly number[]> {
  const operator = await asOperator(server);
  const { status } = await operator.post('/schedules/ticking/pause');
  expect(status).toBe(200);
  const { body } = await operator.get('/schedules');
  const [row] = z
    .object({ schedules: z.array(z.object({ lastTick: z.string() })) })
    .parse(body).schedules;
  const last = Date.parse(row?.lastTick ?? '');
  const [first = last] = await ticksOf(server);
  return Array.from({ length: (last - first) / EVERY + 1 }, (_, at) => first + at * EVERY);
}
