import { expect, test } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import type { Redactor } from '../../shared/ports/redactor.ts';
import { markingRedactor } from '../doubles/marking-redactor.ts';
import { World } from './world.ts';

const SECRET = 'my-secret-word';

const agent = defineAgent({
  name: 'redacted',
  description: 'Repeats what it was told.',
  publication: { provider: 'redacted' },
  run: (ctx) => `you said ${ctx.text}`,
});

/** A redactor that is a service, with outages. */
class Service implements Redactor {
  away = false;

  redact(texts: readonly string[]): Promise<readonly string[]> {
    return this.away
      ? Promise.reject(new Unavailable('the redactor'))
      : markingRedactor.redact(texts);
  }
}

function begin() {
  const redactor = new Service();
  const installation = { answer: 'full', audit: 'full' } as const;
  return { redactor, world: new World(agent, { redactor, installation }) };
}

test('a message that the redactor did not look at is refused, and nothing of it is stored', async () => {
  const { redactor, world } = begin();
  redactor.away = true;
  await expect(world.send(SECRET)).rejects.toMatchObject({ name: 'Unavailable' });
  const runs = { collection: 'runs', filters: [], order: undefined, limit: 9 };
  expect(await world.backend.query(runs)).toEqual([]);
  expect(world.blobs.objects.size).toBe(0);
  redactor.away = false;
  const { taskId } = await world.send(SECRET);
  await world.work();
  expect(await world.state(taskId)).toBe('COMPLETED');
});

test('a result waits in its worker until the redactor has looked at it, and the agent runs once', async () => {
  const { redactor, world } = begin();
  const { taskId } = await world.send(`tell ${SECRET}`);
  redactor.away = true;
  await world.work();
  await world.clock.advance(5_000);
  expect(await world.state(taskId)).not.toBe('COMPLETED');
  redactor.away = false;
  await world.clock.advance(5_000);
  await world.rest();
  const task = await world.get(taskId);
  expect(task.status.state).toBe('COMPLETED');
  expect(JSON.stringify(task)).not.toContain(SECRET);
  expect(world.logged.filter(({ event }) => event === 'segment began')).toHaveLength(1);
});

test('a result that the redactor did not look at within its time ends its task FAILED, without it', async () => {
  const { redactor, world } = begin();
  const { taskId } = await world.send(`tell ${SECRET}`);
  redactor.away = true;
  await world.work();
  await world.clock.advance(world.app.settings.segment);
  await world.work();
  const task = await world.get(taskId);
  expect(task.status.state).toBe('FAILED');
  expect(task.metadata).toEqual({ reason: 'RESULT_NOT_STORED' });
  expect(task.artifacts).toEqual([]);
});

test('a task can be cancelled while the redactor is away', async () => {
  const { redactor, world } = begin();
  const { taskId } = await world.send(`tell ${SECRET}`);
  redactor.away = true;
  await world.service.cancel(world.principal, taskId);
  expect(await world.state(taskId)).toBe('CANCELED');
});
