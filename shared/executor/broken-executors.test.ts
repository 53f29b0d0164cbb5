import { TaskState } from '@a2a-js/sdk';
import { AgentEvent } from '@a2a-js/sdk/server';
import { describe, expect, it } from 'vitest';
import { finish, rowOf } from '../../test/app/turn-loop-world.ts';
import { World, type WorldOptions } from '../../test/app/world.ts';
import {
  agentMessage,
  announced,
  artifactUpdate,
  type Execute,
  placeOf,
  ScriptedExecutor,
  statusOf,
  statusUpdate,
} from '../../test/fixtures/executors/scripted-executor.ts';
import { RetryLater, TaskFailed } from '../agent/index.ts';
import { tightenCeiling } from '../app/privacy/tighten-ceiling.ts';
import { Unavailable } from '../ports/faults.ts';
import { fromExecutor } from './index.ts';

const { TASK_STATE_WORKING, TASK_STATE_COMPLETED, TASK_STATE_SUBMITTED } = TaskState;
const OTHER = '00000000-0000-4000-8000-000000000000';

function worldOf(execute: Execute, options: WorldOptions = {}) {
  const executor = new ScriptedExecutor(execute);
  const agent = fromExecutor(executor, { name: 'moved', description: 'Moved here.' });
  return { executor, world: new World(agent, options) };
}

async function run(execute: Execute) {
  const { world } = worldOf(execute);
  const { taskId } = await world.send('go');
  await finish(world);
  return { task: await world.get(taskId), row: await rowOf(world, taskId), world };
}

const faults: [string, string, Execute][] = [
  ['returns and has said nothing', 'NO_FINAL_STATE', () => undefined],
  [
    'returns while its task is at work',
    'NO_FINAL_STATE',
    (context, bus) => bus.publish(announced(context)),
  ],
  [
    'says that it has finished before its task is',
    'NO_FINAL_STATE',
    (context, bus) => {
      bus.finished();
      bus.publish(statusUpdate(context, TASK_STATE_COMPLETED));
    },
  ],
  [
    'publishes for another task',
    'FOREIGN_TASK',
    (context, bus) =>
      bus.publish(statusUpdate({ ...placeOf(context), taskId: OTHER }, TASK_STATE_COMPLETED)),
  ],
  [
    'publishes for another context',
    'FOREIGN_TASK',
    (context, bus) =>
      bus.publish(artifactUpdate({ ...placeOf(context), contextId: 'other' }, 'a', 'text')),
  ],
  [
    'publishes another task',
    'FOREIGN_TASK',
    (context, bus) => bus.publish(announced(context, { id: OTHER })),
  ],
  [
    'answers with a message after its task',
    'ILLEGAL_TRANSITION',
    (context, bus) => {
      bus.publish(announced(context));
      bus.publish(AgentEvent.message(agentMessage(context, 'hello')));
    },
  ],
  [
    'goes back to SUBMITTED',
    'ILLEGAL_TRANSITION',
    (context, bus) => {
      bus.publish(statusUpdate(context, TASK_STATE_WORKING));
      bus.publish(statusUpdate(context, TASK_STATE_SUBMITTED));
    },
  ],
  [
    'publishes a state that is none',
    'ILLEGAL_TRANSITION',
    (context, bus) => bus.publish(statusUpdate(context, TaskState.TASK_STATE_UNSPECIFIED)),
  ],
  [
    'publishes a part without content',
    'UNREADABLE_EVENT',
    (context, bus) => {
      const part = { content: undefined, metadata: undefined, filename: '', mediaType: '' };
      bus.publish(artifactUpdate(context, 'a', '', { parts: [part] }));
    },
  ],
  [
    'publishes data that is no JSON',
    'UNREADABLE_EVENT',
    (context, bus) => bus.publish(statusUpdate(context, TASK_STATE_WORKING, 'x', { n: 1n })),
  ],
  [
    'publishes an artifact without an id',
    'UNREADABLE_EVENT',
    (context, bus) => bus.publish(artifactUpdate(context, '', 'text')),
  ],
  [
    'publishes an update without a status',
    'UNREADABLE_EVENT',
    (context, bus) =>
      bus.publish(
        AgentEvent.statusUpdate({ ...placeOf(context), status: undefined, metadata: undefined }),
      ),
  ],
];

describe('an executor that breaks the contract ends its task FAILED, with a word for why', () => {
  it.each(faults)('%s: %s', async (_what, fault, execute) => {
    const { row, task, world } = await run(execute);
    expect(task).toMatchObject({
      status: { state: 'FAILED' },
      metadata: { reason: 'AGENT_FAILED', fault },
    });
    expect(task.status.message?.parts).toHaveLength(1);
    expect(JSON.stringify(task)).not.toContain(OTHER);
    expect(row).toMatchObject({ status: 'failed', reason: 'AGENT_FAILED' });
    expect(world.logged).toContainEqual(
      expect.objectContaining({
        event: 'agent error',
        fields: expect.objectContaining({ fault }) as unknown,
      }),
    );
  });

  it('keeps what was shown before', async () => {
    const { task } = await run((context, bus) => {
      bus.publish(artifactUpdate(context, 'a', 'kept'));
    });
    expect(task).toMatchObject({ status: { state: 'FAILED' }, artifacts: [{ artifactId: 'a' }] });
  });
});

describe('an executor that throws', () => {
  it('ends its task FAILED, and callers do not see its words', async () => {
    const { task } = await run((context, bus) => {
      bus.publish(announced(context));
      throw new Error('the password is hunter2');
    });
    expect(task).toMatchObject({
      status: { state: 'FAILED', message: { parts: [{ text: 'The agent failed.' }] } },
      metadata: { reason: 'AGENT_FAILED' },
    });
    expect(JSON.stringify(task)).not.toContain('hunter2');
  });

  it('TaskFailed lets callers see its words', async () => {
    const { task } = await run(() => {
      throw new TaskFailed('No such city.');
    });
    expect(task.status).toMatchObject({ message: { parts: [{ text: 'No such city.' }] } });
  });

  it.each([
    ['RetryLater', new RetryLater('busy', { delay: 1_000 })],
    ['a fault of our own services', new Unavailable('store')],
  ])('%s is run again', async (_what, error) => {
    const { executor, world } = worldOf((context, bus) => {
      if (executor.contexts.length === 1) throw error;
      bus.publish(statusUpdate(context, TASK_STATE_COMPLETED));
    });
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await world.state(taskId)).toBe('WORKING');
    await world.clock.advance(60_000);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(executor.contexts).toHaveLength(2);
  });
});

describe('a segment that is taken away from its executor', () => {
  const endless: Execute = (context, bus) => {
    bus.publish(announced(context));
    return new Promise(() => undefined);
  };

  it('by a cancel has it cancel, once, and hears nothing more', async () => {
    const { executor, world } = worldOf(endless);
    const { taskId } = await world.send('go');
    await finish(world);
    await world.service.cancel(world.principal, taskId);
    await finish(world);
    expect(executor.cancelled).toEqual([taskId]);
    const task = await world.get(taskId);
    expect(task.status).toMatchObject({ state: 'CANCELED' });
    expect(JSON.stringify(task)).not.toContain('stopped');
    expect(world.logged.filter(({ event }) => event.startsWith('executor'))).toEqual([]);
  });

  it('by a cancel that another process took has it cancel, too', async () => {
    const { executor, world } = worldOf(endless);
    const edge = new World(fromExecutor(executor, { name: 'moved', description: 'Moved.' }), {
      below: world,
    });
    const { taskId } = await edge.send('go');
    world.queue.push(...edge.queue.splice(0));
    await finish(world);
    await edge.service.cancel(edge.principal, taskId);
    await world.clock.advance(1_000);
    await finish(world);
    expect(executor.cancelled).toEqual([taskId]);
  });

  it('by the end of its time has it cancel, and the task is FAILED', async () => {
    const { executor, world } = worldOf(endless, { settings: { segment: 10_000 } });
    const { taskId } = await world.send('go');
    await finish(world);
    await world.clock.advance(10_000);
    await finish(world);
    expect(await world.get(taskId)).toMatchObject({ metadata: { reason: 'DEADLINE_EXCEEDED' } });
    expect(executor.cancelled).toEqual([taskId]);
  });

  it('by a worker that goes cancels nothing: another runs it again', async () => {
    const { executor, world } = worldOf((context, bus) =>
      executor.contexts.length === 1
        ? new Promise(() => undefined)
        : bus.publish(statusUpdate(context, TASK_STATE_COMPLETED)),
    );
    const { taskId } = await world.send('go');
    await finish(world);
    world.app.segments.stopAll('shutdown');
    await finish(world);
    expect(executor.cancelled).toEqual([]);
    expect(await world.state(taskId)).toBe('COMPLETED');
    expect(executor.contexts.map(({ task }) => task)).toEqual([undefined, undefined]);
  });

  it('is told to the log where it can not cancel', async () => {
    const { executor, world } = worldOf(endless);
    executor.cancelTask = () => Promise.reject(new TypeError('secret'));
    const { taskId } = await world.send('go');
    await finish(world);
    await world.service.cancel(world.principal, taskId);
    await finish(world);
    expect(world.logged).toContainEqual(
      expect.objectContaining({
        event: 'executor not cancelled',
        fields: expect.objectContaining({ fault: 'TypeError' }) as unknown,
      }),
    );
  });
});

describe('what may be kept of it', () => {
  const telling: Execute = (context, bus) => {
    bus.publish(announced(context, { metadata: { note: 'my secret' } }));
    bus.publish(statusUpdate(context, TASK_STATE_WORKING, 'a secret', { more: 'secrets' }));
    const metadata = { reason: 'secret', fault: 'secret', decision: 'secret' };
    bus.publish(
      AgentEvent.statusUpdate({
        ...placeOf(context),
        status: statusOf(TASK_STATE_COMPLETED),
        metadata,
      }),
    );
  };

  it('under the ceiling `redacted` is redacted, its metadata, too', async () => {
    const { world } = worldOf(telling, {
      installation: { answer: 'redacted', audit: 'redacted' },
    });
    const { taskId } = await world.send('go');
    await finish(world);
    const task = await world.get(taskId);
    expect(JSON.stringify(task)).not.toContain('secret');
    expect(task.metadata).toEqual({ note: 'my [removed]', more: '[removed]' });
  });

  it('is redacted when the ceiling is tightened afterwards', async () => {
    const { world } = worldOf(telling);
    const { taskId } = await world.send('go');
    await finish(world);
    expect((await world.get(taskId)).metadata).toEqual({ note: 'my secret', more: 'secrets' });
    await tightenCeiling(world.app, taskId, { answer: 'redacted' });
    const task = await world.get(taskId);
    expect(task.metadata).toEqual({ note: 'my [removed]', more: '[removed]' });
    expect(JSON.stringify(task)).not.toContain('secret');
  });
});
