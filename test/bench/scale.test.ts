import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ceilingsOf, demandOf } from '../../bench/scale/ceilings.ts';
import { asDeployed, assumed, liftedFor } from '../../bench/scale/deployment.ts';
import { bucketMinutes, rampMinutes } from '../../bench/scale/limits.ts';
import { simulate } from '../../bench/scale/simulate.ts';

const second = { seconds: 10, seed: 7 };
const only = { ...asDeployed, callers: 1_000, shards: 1_000, a2aInstances: 1_000 };
const ceilingOf = (name: string, ...of: Parameters<typeof ceilingsOf>): number =>
  ceilingsOf(...of).find((each) => each.name === name)?.tasksPerSecond ?? Number.NaN;

test('the same seed gives the same outcome to the last digit, and another seed another one', () => {
  const load = { rate: 200, ...second };
  const first = simulate(load, asDeployed, assumed);
  expect(simulate(load, asDeployed, assumed)).toEqual(first);
  expect(simulate({ ...load, seed: 8 }, asDeployed, assumed)).not.toEqual(first);
});

test("Little's law: deliveries at work are those that end in a second times how long each lasts", () => {
  const { atWork, completed, held } = simulate({ rate: 150, ...second }, only, assumed);
  expect(atWork / (completed * held)).toBeCloseTo(1, 1);
});

test('a queue lets 500 deliveries through in a second, and no more', () => {
  const one = { ...only, queueShards: 1, workerInstances: 500 };
  const { completed, use } = simulate({ rate: 800, seconds: 20, seed: 7 }, one, assumed);
  expect(completed).toBeGreaterThan(490);
  // Agents take longer or shorter: a few more may end in ten seconds than were let through in them.
  expect(completed).toBeLessThan(505);
  expect(use['dispatch rate']).toBeGreaterThan(0.97);
});

test('an overloaded deployment completes what its lowest ceiling says', () => {
  const lowest = ceilingOf("a caller's list index", asDeployed, assumed);
  expect(lowest).toBe(250);
  const { completed } = simulate({ rate: 600, seconds: 20, seed: 7 }, asDeployed, assumed);
  expect(completed / lowest).toBeCloseTo(1, 1);
});

test('no more purges are made than the sweeper hands over, fifty with each call', () => {
  const one = { ...only, shards: 1, projectorInstances: 1_000 };
  const { purged, use } = simulate({ rate: 1_500, seconds: 40, seed: 7 }, one, assumed);
  expect(purged / ceilingOf('hand-over of purges', one, assumed)).toBeCloseTo(1, 1);
  expect(use['hand-over of purges']).toBeGreaterThan(0.97);
});

test('where the sweeper keeps up, purges take what the projectors have places for', () => {
  const one = { ...only, shards: 8, projectorInstances: 1 };
  const { purged } = simulate({ rate: 400, seconds: 60, seed: 7 }, one, assumed);
  expect(purged / ceilingOf('places in projectors', one, assumed)).toBeCloseTo(1, 1);
});

test('where every ceiling is lifted, what is offered is completed', () => {
  const lifted = liftedFor(1_000, assumed);
  const { completed, offered, toClaimed } = simulate({ rate: 1_000, ...second }, lifted, assumed);
  expect(completed / offered).toBeCloseTo(1, 1);
  expect(toClaimed.p99).toBeLessThan(400);
});

test('the writes that a task is taken for are those that the budget of a short task allows', async () => {
  const text = await readFile(new URL('../../budgets.json', import.meta.url), 'utf8');
  const file = z.object({ database: z.object({ shortTask: z.object({ writes: z.number() }) }) });
  const { writes } = file.parse(JSON.parse(text)).database.shortTask;
  const { rowWrites, views } = demandOf({ ...assumed, agent: 1 });
  // Each row write but the note has its revision; the context twice, the receipt once; the view
  // with its journal entry.
  expect(rowWrites + (rowWrites - 1) + 2 + 1 + 2 * views).toBe(writes);
});

test('the deployment is that of the Terraform module', async () => {
  const file = '../../terraform/modules/holdfast/variables.tf';
  const text = await readFile(new URL(file, import.meta.url), 'utf8');
  const variable = (name: string, field: string): number => {
    const block = text.split(/^variable "/m).find((each) => each.startsWith(`${name}"`)) ?? '';
    return Number(new RegExp(` ${field} +=? *optional\\(number, (\\d+)\\)`).exec(block)?.[1]);
  };
  expect(asDeployed).toMatchObject({
    a2aInstances: variable('a2a', 'max_instances'),
    a2aConcurrency: variable('a2a', 'concurrency'),
    workerInstances: variable('worker', 'max_instances'),
    workerConcurrency: variable('worker', 'concurrency'),
    projectorInstances: variable('projector', 'max_instances'),
    projectorConcurrency: variable('projector', 'concurrency'),
    queueShards: variable('queues', 'shards'),
  });
});

test('the ramps take the time that Google gives them', () => {
  expect(rampMinutes(500)).toBe(0);
  expect(rampMinutes(750)).toBe(5);
  expect(rampMinutes(10_000)).toBe(40);
  expect(bucketMinutes(1_000)).toBe(0);
  expect(bucketMinutes(2_000)).toBe(20);
});
