import { AgentCard, Role, type Task, TaskState } from '@a2a-js/sdk';
import { DefaultRequestHandler, InMemoryTaskStore, ServerCallContext } from '@a2a-js/sdk/server';
import { describe, expect, it } from 'vitest';
import { createWorld } from 'holdfast/testing';
import { textPart } from '../../test/fixtures/executors/scripted-executor.ts';
import { textOf } from 'holdfast/agent';
import { taskToProtoJson } from '../../shared/domain/proto-json.ts';
import { loadAgents } from '../../functions/load-agents.ts';
import agent from './agent.ts';
import { ActionItems } from './executor.ts';

const NOTES = 'We met on Monday.\n- Ada: order the lamps\nBob Marley: pay for them\nnobody: this';

async function moved(first: string, answer?: string) {
  const world = createWorld({ agents: [agent] });
  const { taskId } = await world.send(first);
  return answer === undefined ? world.get(taskId) : world.answer(taskId, answer);
}

/** The same on the server that it was written for. */
async function athome(...texts: readonly string[]): Promise<Task> {
  const card = AgentCard.fromJSON({ name: 'at home', version: '1' });
  const handler = new DefaultRequestHandler(card, new InMemoryTaskStore(), new ActionItems());
  let taskId = '';
  for (const [at, text] of texts.entries()) {
    const message = {
      messageId: `m-${at}`,
      role: Role.ROLE_USER,
      taskId,
      contextId: '',
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
    const request = { tenant: '', message, configuration: undefined, metadata: undefined };
    const answer = await handler.sendMessage(request, new ServerCallContext());
    if (!('artifacts' in answer)) throw new Error('no task');
    taskId = answer.id;
  }
  return handler.getTask({ tenant: '', id: taskId }, new ServerCallContext());
}

describe('the executor of the sample', () => {
  it('lists who does what', async () => {
    expect(await moved(NOTES)).toMatchObject({
      status: { state: 'COMPLETED', message: { parts: [{ text: '2 action items.' }] } },
      artifacts: [
        {
          artifactId: 'actions',
          name: 'actions.md',
          parts: [
            { text: '- [ ] Ada: order the lamps\n' },
            { text: '- [ ] Bob Marley: pay for them\n' },
          ],
        },
      ],
    });
  });

  it('asks where it finds nothing, and goes on with the answer', async () => {
    expect((await moved('We met.')).status.state).toBe('INPUT_REQUIRED');
    const task = await moved('We met.', 'Ada: order the lamps');
    expect(task.status).toMatchObject({ state: 'COMPLETED' });
    expect(task.history).toHaveLength(4);
  });

  it.each<[string, string?]>([[NOTES], ['We met.', 'Ada: order the lamps']])(
    'makes the same task here as on the server that it was written for (%#)',
    async (...texts) => {
      const here = taskToProtoJson(await moved(...texts));
      const there = await athome(...texts.flatMap((text) => text ?? []));
      expect(there.status?.state).toBe(TaskState.TASK_STATE_COMPLETED);
      expect(here['artifacts']).toEqual(
        there.artifacts.map(({ artifactId, name, parts }) => ({
          artifactId,
          name,
          parts: parts.map(({ content, mediaType }) => ({ text: content?.value, mediaType })),
        })),
      );
      const said = there.history.map(({ parts }) => parts.map(({ content }) => content?.value));
      expect((await moved(...texts)).history.map(({ parts }) => textOf({ parts }))).toEqual(
        said.map((texts) => texts.join('\n')),
      );
    },
  );

  it('is published by its module', async () => {
    const { first } = await loadAgents('examples/action-items/agent.ts');
    expect(first.card).toMatchObject({ name: 'action-items', skills: [{ id: 'find' }] });
  });
});
