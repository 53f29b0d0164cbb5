import type { TaskService } from '../app/service.ts';
import { TIMESTAMPS, TRACEABILITY, withTrace } from '../domain/extensions.ts';
import type { JsonObject } from '../domain/json.ts';
import type { ShownStatus } from '../domain/response-trace.ts';
import type { Task } from '../domain/task.ts';
import type { RequestContext } from './request-context.ts';

type Asked = Pick<RequestContext, 'extensions' | 'principal'>;
type Offered = Pick<TaskService, 'trace'>;

/** Of the extensions in effect those that a webhook is told by: an author may declare any. */
export const toldOf = ({ extensions }: Asked, { trace }: Offered): readonly string[] =>
  extensions.filter(
    (uri) =>
      TIMESTAMPS.some((own) => own.uri === uri) ||
      (uri === TRACEABILITY.uri && trace !== undefined),
  );

/**
 * A task or a change of its state with what was done for it, for one that asked and where it is
 * offered: in its metadata, and in those of its message, if it has one.
 */
export async function traced(
  { extensions, principal }: Asked,
  { trace }: Offered,
  json: JsonObject,
  shown: ShownStatus & { readonly taskId: string },
): Promise<JsonObject> {
  if (trace === undefined || !extensions.includes(TRACEABILITY.uri)) return json;
  const told = await trace(principal, shown.taskId, shown);
  return told === undefined ? json : withTrace(json, told);
}

export const tracedTask = (
  asked: Asked,
  service: Offered,
  { status, taskId }: Pick<Task, 'status' | 'taskId'>,
  json: JsonObject,
): Promise<JsonObject> => traced(asked, service, json, { ...status, taskId });
