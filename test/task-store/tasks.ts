import { randomUUID } from 'node:crypto';
import { type ListTasksRequest, type Message, Role, Task } from '@a2a-js/sdk';
import { ServerCallContext, type User } from '@a2a-js/sdk/server';

/** A task as ProtoJSON has it, with what a test does not care about filled in. */
export function taskWith(fields: object): Task {
  return Task.fromJSON({
    id: randomUUID(),
    contextId: randomUUID(),
    status: { state: 'TASK_STATE_WORKING', timestamp: '2026-01-02T03:04:05.678Z' },
    ...fields,
  });
}

export function said(messageId: string, role: Role = Role.ROLE_USER): Message {
  const content = { $case: 'text', value: `words of ${messageId}` } as const;
  const part = { content, metadata: undefined, filename: '', mediaType: '' };
  const rest = { metadata: undefined, extensions: [], referenceTaskIds: [] };
  return { messageId, contextId: '', taskId: '', role, parts: [part], ...rest };
}

/** The call of a caller; of one without a name where none is given. */
export function callOf(userName = '', tenant?: string): ServerCallContext {
  const user: User = { isAuthenticated: userName !== '', userName };
  return new ServerCallContext({
    ...(userName !== '' && { user }),
    ...(tenant !== undefined && { tenant }),
    requestedVersion: '1.0',
  });
}

export function asked(fields: Partial<ListTasksRequest> = {}): ListTasksRequest {
  return {
    tenant: '',
    contextId: '',
    status: 0,
    pageToken: '',
    statusTimestampAfter: undefined,
    ...fields,
  };
}

export const ids = (tasks: readonly Task[]): readonly string[] => tasks.map(({ id }) => id);
export const messages = (task: Task | undefined): readonly string[] | undefined =>
  task?.history.map(({ messageId }) => messageId);
