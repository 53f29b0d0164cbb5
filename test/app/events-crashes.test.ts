import { expect, it } from 'vitest';
import { z } from 'zod';
import { defineAgent } from '../../shared/agent/index.ts';
import { deliverEvent } from '../../shared/app/operators/deliver-event.ts';
import { rightsOf } from '../../shared/app/operators/operator-rights.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isEnded, type Run } from '../../shared/domain/run.ts';
import { Breaking, BREAKS } from '../../testing/breaking.ts';
import { atEachCall } from './at-each-call.ts';
import { deliver } from './deliver.ts';
import { everythingGranted, rowOf } from './turn-loop-world.ts';
import { World } from './world.ts';

const agent = defineAgent({
  name: 'flow',
  description: 'Waits for events.',
  events: {
    early: { schema: z.string() },
    paid: { schema: z.string() },
    none: { schema: z.string() },
  },
  async steps(ctx) {
    const early = await ctx.event('early');
    const [paid, none] = await ctx.all([
      (one) => one.event('paid'),
      async (two) => {
        const came = await two.event('none', { timeout: '1 min' });
        return two.step('late', () => `${came}`);
      },
    ]);
    const again = await ctx.event('paid', { timeout: '30 d' });
    return `${early} ${paid} ${none} ${again}`;
  },
});

const awaitsPaid = (row: Run): boolean =>
  row.status === 'queued' && row.awaits?.includes('paid') === true;

/** What is delivered, and when: each by its id until a process has answered. */
const DELIVERIES: readonly {
  readonly name: string;
  readonly data: string;
  readonly due: (row: Run) => boolean;
}[] = [
  { name: 'early', data: 'e', due: () => true },
  { name: 'paid', data: 'p1', due: awaitsPaid },
  { name: 'paid', data: 'p2', due: awaitsPaid },
];

async function run(breaking: Breaking) {
  const front = new World(agent, { grants: everythingGranted });
  const worker = new World(agent, {
    below: front,
    grants: everythingGranted,
    wrap: (below) => breaking.store(below),
  });
  const { taskId } = await front.send('go');
  const left = [...DELIVERIES];
  for (let round = 0; round < 200; round += 1) {
    const row = await rowOf(front, taskId);
    if (isEnded(row) && row.projectedRevision === row.revision) break;
    const alive = breaking.dead ? front : worker;
    const [next] = left;
    if (next?.due(row) === true && (await told(alive, taskId, next))) left.shift();
    await deliver(front, breaking.dead ? front : worker);
    await front.clock.advance(5_000);
    if (!breaking.dead) await worker.clock.advance(5_000);
    await sweep(front.app);
  }
  return { row: await rowOf(front, taskId), task: await front.get(taskId) };
}

/** False: it was not answered, so it is delivered again. */
async function told(
  world: World,
  taskId: string,
  { data, name }: (typeof DELIVERIES)[number],
): Promise<boolean> {
  const operator = { subject: 'olga', rights: rightsOf(world.app, 'olga') };
  const event = { name, data, id: data };
  const hung = world.rest().then(() => 'lost' as const);
  const answered = deliverEvent(world.app, operator, taskId, event).catch(() => 'lost' as const);
  const outcome = await Promise.race([answered, hung]);
  return outcome !== 'lost' && outcome.kind === 'delivered';
}

function check({ row, task }: Awaited<ReturnType<typeof run>>): void {
  expect(JSON.stringify(task.status.message?.parts)).toBe('[{"text":"e p1 undefined p2"}]');
  expect(row).toMatchObject({ status: 'completed', signals: 3 });
}

it('each event is taken once and none is missed, whatever call its worker or its deliverer is lost at', async () => {
  const whole = new Breaking(0, 'before');
  check(await run(whole));
  expect(whole.calls).toBeGreaterThan(30);
  for (const how of BREAKS)
    await atEachCall(whole, how, async (breaking) => check(await run(breaking)));
}, 120_000);
