import { TaskState } from '@a2a-js/sdk';
import { AgentEvent, ServerCallContext } from '@a2a-js/sdk/server';
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
  textPart,
} from '../../test/fixtures/executors/scripted-executor.ts';
import type { SendRequest } from '../app/service.ts';
import { type ExecutorDeclaration, fromExecutor } from './index.ts';

const { TASK_STATE_WORKING, TASK_STATE_COMPLETED, TASK_STATE_INPUT_REQUIRED } = TaskState;

function worldOf(
  execute: Execute,
  options: WorldOptions & { readonly declaration?: Partial<ExecutorDeclaration> } = {},
) {
  const executor = new ScriptedExecutor(execute);
  const agent = fromExecutor(executor, {
    name: 'moved',
    description: 'Came from another server.',
    ...options.declaration,
  });
  const world = new World(agent, options);
  const sent = async (text: string, over: Partial<SendRequest> = {}) => {
    const { taskId } = await world.send(text, over);
    await finish(world);
    return world.get(taskId);
  };
  return { executor, world, sent };
}

describe('what an executor publishes', () => {
  it('becomes the task, in order, with what its messages and artifacts have beside their parts', async () => {
    const { sent, world } = worldOf((context, bus) => {
      bus.publish(announced(context, { metadata: { colour: 'red' } }));
      bus.publish(statusUpdate(context, TASK_STATE_WORKING));
      bus.publish(
        AgentEvent.statusUpdate({
          ...placeOf(context),
          status: statusOf(
            TASK_STATE_WORKING,
            agentMessage(context, 'at it', {
              metadata: { step: 1 },
              extensions: ['https://ext.example'],
              referenceTaskIds: ['other'],
            }),
          ),
          metadata: { progress: 50 },
        }),
      );
      bus.publish(
        artifactUpdate(context, 'result', '42', {
          name: 'Result',
          description: 'The answer.',
          metadata: { unit: 'none' },
        }),
      );
      bus.publish(statusUpdate(context, TASK_STATE_COMPLETED, 'There.', { progress: 100 }));
    });
    const task = await sent('go');
    expect(task).toMatchObject({
      status: { state: 'COMPLETED', message: { messageId: 'said There.', role: 'agent' } },
      artifacts: [
        {
          artifactId: 'result',
          name: 'Result',
          description: 'The answer.',
          metadata: { unit: 'none' },
          parts: [{ text: '42' }],
        },
      ],
      metadata: { colour: 'red', progress: 100 },
    });
    expect(task.history).toMatchObject([
      { role: 'user', parts: [{ text: 'go' }] },
      {
        messageId: 'said at it',
        parts: [{ text: 'at it' }],
        metadata: { step: 1 },
        extensions: ['https://ext.example'],
        referenceTaskIds: ['other'],
      },
      { messageId: 'said There.' },
    ]);
    expect(world.logged.filter(({ event }) => event.startsWith('executor'))).toEqual([]);
  });

  it('in chunks is appended, and an empty last one closes the artifact', async () => {
    const { sent } = worldOf((context, bus) => {
      bus.publish(announced(context));
      const open = { append: false, lastChunk: false };
      bus.publish(
        artifactUpdate(context, 'poem', 'a', { ...open, name: 'Poem', metadata: { n: 1 } }),
      );
      const next = { append: true, lastChunk: false };
      bus.publish(artifactUpdate(context, 'poem', 'b', { ...next, metadata: { m: 2 } }));
      bus.publish(artifactUpdate(context, 'poem', '', { append: true, lastChunk: true }));
      bus.publish(statusUpdate(context, TASK_STATE_COMPLETED));
    });
    expect((await sent('go')).artifacts).toEqual([
      {
        artifactId: 'poem',
        name: 'Poem',
        metadata: { n: 1, m: 2 },
        parts: [{ text: 'a' }, { text: 'b' }],
      },
    ]);
  });

  it('of every kind of content arrives as it was', async () => {
    const frame = { metadata: undefined, filename: '', mediaType: '' };
    const { sent } = worldOf((context, bus) => {
      const bytes = Buffer.from([0, 255]);
      bus.publish(
        artifactUpdate(context, 'all', '', {
          parts: [
            { ...frame, content: { $case: 'raw', value: bytes }, filename: 'a.bin' },
            { ...frame, content: { $case: 'url', value: 'https://a.example' } },
            { ...frame, content: { $case: 'data', value: { n: [1, null] } }, mediaType: 'x/y' },
            { ...frame, content: { $case: 'data', value: null } },
          ],
        }),
      );
      bytes.fill(7);
      bus.publish(statusUpdate(context, TASK_STATE_COMPLETED));
    });
    expect((await sent('go')).artifacts[0]?.parts).toEqual([
      { raw: Uint8Array.of(0, 255), filename: 'a.bin' },
      { url: 'https://a.example' },
      { data: { n: [1, null] }, mediaType: 'x/y' },
      { data: null },
    ]);
  });

  it('as one message is the last word of the task', async () => {
    const { sent } = worldOf((context, bus) =>
      bus.publish(AgentEvent.message(agentMessage({ taskId: '', contextId: '' }, 'hello'))),
    );
    expect(await sent('hi')).toMatchObject({
      status: {
        state: 'COMPLETED',
        message: { messageId: 'said hello', parts: [{ text: 'hello' }] },
      },
    });
  });

  it('as one whole task is all of it', async () => {
    const { sent } = worldOf((context, bus) => {
      const artifact = { artifactId: 'a', name: '', description: '', extensions: [] };
      bus.publish(
        announced(context, {
          status: statusOf(TASK_STATE_COMPLETED, agentMessage(context, 'done')),
          history: [context.userMessage, agentMessage(context, 'on the way')],
          artifacts: [{ ...artifact, metadata: undefined, parts: [textPart('one')] }],
        }),
      );
    });
    const task = await sent('go');
    expect(task).toMatchObject({
      status: { state: 'COMPLETED', message: { parts: [{ text: 'done' }] } },
      artifacts: [{ artifactId: 'a', parts: [{ text: 'one' }] }],
    });
    expect(task.history.map(({ messageId }) => messageId).slice(1)).toEqual([
      'said on the way',
      'said done',
    ]);
  });

  it.each<[keyof typeof TaskState, string, string]>([
    ['TASK_STATE_COMPLETED', 'COMPLETED', 'words'],
    ['TASK_STATE_FAILED', 'FAILED', 'words'],
    ['TASK_STATE_REJECTED', 'REJECTED', 'words'],
    ['TASK_STATE_CANCELED', 'CANCELED', 'words'],
    ['TASK_STATE_INPUT_REQUIRED', 'INPUT_REQUIRED', 'words'],
    ['TASK_STATE_AUTH_REQUIRED', 'AUTH_REQUIRED', 'words'],
  ])('ends the segment with %s', async (name, state, words) => {
    const { sent } = worldOf((context, bus) => {
      bus.publish(announced(context));
      bus.publish(statusUpdate(context, TaskState[name], words));
    });
    expect((await sent('go')).status).toMatchObject({
      state,
      message: { parts: [{ text: words }] },
    });
  });

  it('does not keep the task open, though the executor goes on', async () => {
    const { sent, world } = worldOf(async (context, bus) => {
      bus.publish(statusUpdate(context, TASK_STATE_COMPLETED));
      await world.clock.sleep(1_000);
      bus.publish(statusUpdate(context, TASK_STATE_WORKING, 'late'));
      throw new Error('later still');
    });
    const { status, taskId } = await sent('go');
    expect(status.state).toBe('COMPLETED');
    await world.clock.advance(1_000);
    await world.rest();
    expect((await world.get(taskId)).history).toHaveLength(1);
    const said = world.logged.filter(({ event }) => event.startsWith('executor'));
    expect(said).toMatchObject([
      { event: 'executor failed after the end', fields: { fault: 'Error' } },
      { event: 'executor published after the end', fields: { events: 1 } },
    ]);
  });
});

describe('what an executor is given', () => {
  it('is the request as the SDK has it', async () => {
    const { executor, sent, world } = worldOf(
      (context, bus) => bus.publish(statusUpdate(context, TASK_STATE_COMPLETED)),
      { caller: { owner: 'ada', tenant: 'acme', authenticated: true } },
    );
    const first = await sent('before');
    const beside = {
      metadata: { order: 7 },
      acceptedOutputModes: ['text/plain'],
      historyLength: 2,
      returnImmediately: true,
      extensions: ['https://ext.example'],
      version: '0.3',
      claims: { email: 'ada@example.org' },
    };
    const referenceTaskIds = [first.taskId, 'unknown', world.app.ids.uuid()];
    const message = {
      messageId: 'm',
      role: 'user',
      parts: [{ text: 'go' }],
      referenceTaskIds,
    } as const;
    const { taskId, contextId } = await sent('go', { message, beside });
    expect(executor.contexts[1]).toMatchObject({
      taskId,
      contextId,
      task: undefined,
      referenceTasks: [{ id: first.taskId, status: { state: TASK_STATE_COMPLETED } }],
      request: {
        tenant: 'acme',
        metadata: { order: 7 },
        configuration: {
          acceptedOutputModes: ['text/plain'],
          historyLength: 2,
          returnImmediately: true,
        },
        message: { messageId: 'm', taskId, contextId, parts: [textPart('go')] },
      },
      context: {
        tenant: 'acme',
        user: { isAuthenticated: true, userName: 'ada' },
        requestedVersion: '0.3',
        requestedExtensions: ['https://ext.example'],
      },
    });
    expect(executor.contexts[1]?.context.state.get('claims')).toEqual(beside.claims);
  });

  it('says so of a caller without a name, and of a request without details', async () => {
    const { executor, sent } = worldOf((context, bus) =>
      bus.publish(statusUpdate(context, TASK_STATE_COMPLETED)),
    );
    await sent('go');
    expect(executor.contexts[0]).toMatchObject({
      request: { tenant: '', metadata: undefined, configuration: { returnImmediately: false } },
      context: { tenant: undefined, user: { isAuthenticated: false }, requestedVersion: '1.0' },
      referenceTasks: undefined,
    });
  });

  it('may be a call context of its own making', async () => {
    class Member {
      readonly isAuthenticated = true;
      readonly userName: string;
      readonly role: unknown;
      constructor(userName: string, role: unknown) {
        this.userName = userName;
        this.role = role;
      }
    }
    const { executor, sent } = worldOf(
      (context, bus) => bus.publish(statusUpdate(context, TASK_STATE_COMPLETED)),
      {
        caller: { owner: 'ada', tenant: '', authenticated: true },
        declaration: {
          callContext: ({ caller, ...options }) =>
            new ServerCallContext({
              ...options,
              user: new Member(caller.owner, caller.claims?.['role']),
            }),
        },
      },
    );
    await sent('go', { beside: { claims: { role: 'admin' } } });
    expect(executor.contexts[0]?.context.user).toEqual(new Member('ada', 'admin'));
  });

  it('is the stored task when the client answers, and may be published again', async () => {
    const { executor, sent } = worldOf((context, bus) => {
      bus.publish(announced(context));
      if (context.task === undefined) {
        bus.publish(artifactUpdate(context, 'draft', 'one'));
        bus.publish(statusUpdate(context, TASK_STATE_WORKING, 'drafted', { stage: 'draft' }));
        bus.publish(statusUpdate(context, TASK_STATE_INPUT_REQUIRED, 'Is it good?'));
        return;
      }
      bus.publish(artifactUpdate(context, 'draft', 'two', { append: true }));
      bus.publish(statusUpdate(context, TASK_STATE_COMPLETED, 'Good.'));
    });
    const { taskId } = await sent('write');
    const done = await sent('yes', { taskId });
    expect(executor.contexts[1]?.task).toMatchObject({
      id: taskId,
      status: {
        state: TASK_STATE_INPUT_REQUIRED,
        message: { parts: [textPart('Is it good?')] },
        timestamp: expect.stringMatching(/^\d{4}-/),
      },
      history: [
        { parts: [textPart('write')] },
        { parts: [textPart('drafted')] },
        { parts: [textPart('Is it good?')] },
        { parts: [textPart('yes')] },
      ],
      artifacts: [{ artifactId: 'draft', parts: [textPart('one')] }],
      metadata: { stage: 'draft' },
    });
    expect(done).toMatchObject({
      status: { state: 'COMPLETED' },
      artifacts: [{ artifactId: 'draft', parts: [{ text: 'one' }, { text: 'two' }] }],
    });
    expect(done.history).toHaveLength(5);
  });

  it('is a task that asked for an authentication, which a plain message answers', async () => {
    const { executor, sent, world } = worldOf((context, bus) => {
      bus.publish(announced(context));
      const { task } = context;
      if (task === undefined)
        bus.publish(statusUpdate(context, TaskState.TASK_STATE_AUTH_REQUIRED, 'Sign in.'));
      else bus.publish(statusUpdate(context, TASK_STATE_COMPLETED, 'Signed in.'));
    });
    const { status, taskId } = await sent('go');
    expect(status.state).toBe('AUTH_REQUIRED');
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'waiting_for_input', auth: true });
    expect((await sent('I did', { taskId })).status.state).toBe('COMPLETED');
    expect(executor.contexts[1]?.task?.status?.state).toBe(TaskState.TASK_STATE_AUTH_REQUIRED);
  });
});

it('a declaration that makes no agent says all that is wrong with it', () => {
  const executor = new ScriptedExecutor(() => undefined);
  expect(() => fromExecutor(executor, { name: 'No', description: '' })).toThrow(
    /description is missing\..*name must be/,
  );
  const broken = { execute: () => Promise.resolve() } as unknown as ScriptedExecutor;
  expect(() => fromExecutor(broken, { name: 'a', description: 'b' })).toThrow(/cancelTask/);
});
