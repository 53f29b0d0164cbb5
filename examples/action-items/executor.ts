import { type Message, type Part, Role, TaskState } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { actionsIn } from './actions.ts';

/**
 * Finds who does what in the notes of a meeting. It is written for the SDK's own server, and knows
 * nothing of Holdfast.
 */
export class ActionItems implements AgentExecutor {
  readonly #cancelled = new Set<string>();

  async execute(context: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const { contextId, task, taskId, userMessage } = context;
    const state = (state: TaskState, words?: string) => {
      const message = words === undefined ? undefined : said(context, words);
      const status = { state, message, timestamp: undefined };
      bus.publish(AgentEvent.statusUpdate({ taskId, contextId, status, metadata: undefined }));
    };
    try {
      const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined };
      const first = { id: taskId, contextId, artifacts: [], history: [userMessage] };
      bus.publish(
        AgentEvent.task(
          task ?? { ...first, status: { ...status, timestamp: undefined }, metadata: undefined },
        ),
      );
      state(TaskState.TASK_STATE_WORKING);
      // A follow-up adds to what was said before: the stored task has all of it.
      const messages = task?.history ?? [userMessage];
      const actions = actionsIn(messages.filter(isUsers).map(textOf).join('\n'));
      if (this.#cancelled.has(taskId)) return state(TaskState.TASK_STATE_CANCELED);
      if (actions.length === 0) {
        const question = 'I found no action items. Write one a line, as in "Ada: order the lamps".';
        return state(TaskState.TASK_STATE_INPUT_REQUIRED, question);
      }
      for (const [at, { action, owner }] of actions.entries()) {
        const artifact = {
          // Not a random id: when a worker is lost the same artifact is made again.
          artifactId: 'actions',
          name: 'actions.md',
          description: '',
          parts: [part(`- [ ] ${owner}: ${action}\n`)],
          metadata: undefined,
          extensions: [],
        };
        const flags = { append: at > 0, lastChunk: at === actions.length - 1 };
        bus.publish(
          AgentEvent.artifactUpdate({ taskId, contextId, artifact, ...flags, metadata: undefined }),
        );
      }
      const count = actions.length === 1 ? '1 action item' : `${actions.length} action items`;
      state(TaskState.TASK_STATE_COMPLETED, `${count}.`);
    } finally {
      this.#cancelled.delete(taskId);
    }
  }

  async cancelTask(taskId: string): Promise<void> {
    this.#cancelled.add(taskId);
  }
}

const isUsers = ({ role }: Message): boolean => role === Role.ROLE_USER;

const textOf = ({ parts }: Message): string =>
  parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : [])).join('\n');

function part(value: string): Part {
  const frame = { metadata: undefined, filename: '', mediaType: 'text/markdown' };
  return { ...frame, content: { $case: 'text', value } };
}

function said({ contextId, task, taskId }: RequestContext, words: string): Message {
  return {
    // One for each time that it is asked.
    messageId: `${taskId}-${task?.history.length ?? 0}`,
    role: Role.ROLE_AGENT,
    taskId,
    contextId,
    parts: [part(words)],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  };
}
