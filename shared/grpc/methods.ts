import { isOperation, type Operation } from '../a2a/schema.ts';

/** What goes in and what comes out of a method, by the names of the messages. */
export interface Method {
  readonly operation: Operation;
  readonly request: string;
  readonly response: string;
}

const A2A = 'lf.a2a.v1';
const SERVICE = `/${A2A}.A2AService/`;

/** Where a message is not named for its method. */
const REQUESTS: Partial<Record<Operation, string>> = {
  SendStreamingMessage: 'SendMessageRequest',
  CreateTaskPushNotificationConfig: 'TaskPushNotificationConfig',
};
const RESPONSES: Readonly<Record<Operation, string>> = {
  SendMessage: `${A2A}.SendMessageResponse`,
  SendStreamingMessage: `${A2A}.StreamResponse`,
  GetTask: `${A2A}.Task`,
  ListTasks: `${A2A}.ListTasksResponse`,
  CancelTask: `${A2A}.Task`,
  SubscribeToTask: `${A2A}.StreamResponse`,
  CreateTaskPushNotificationConfig: `${A2A}.TaskPushNotificationConfig`,
  GetTaskPushNotificationConfig: `${A2A}.TaskPushNotificationConfig`,
  ListTaskPushNotificationConfigs: `${A2A}.ListTaskPushNotificationConfigsResponse`,
  DeleteTaskPushNotificationConfig: 'google.protobuf.Empty',
  GetExtendedAgentCard: `${A2A}.AgentCard`,
};

/** The method at a path; undefined where there is none. */
export function methodAt(path: string): Method | undefined {
  const name = path.startsWith(SERVICE) ? path.slice(SERVICE.length) : '';
  if (!isOperation(name)) return undefined;
  const request = `${A2A}.${REQUESTS[name] ?? `${name}Request`}`;
  return { operation: name, request, response: RESPONSES[name] };
}
