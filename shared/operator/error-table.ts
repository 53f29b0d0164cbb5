import type { OperatorRefusalCode } from '../app/operators/operator-refusal.ts';
import type { RefusalCode } from '../domain/refusal.ts';
import type { HttpCode } from '../http/refused-request.ts';

/** What only the edge can see. */
type EdgeCode =
  | HttpCode
  | 'UNAUTHENTICATED'
  | 'ROUTE_NOT_FOUND'
  | 'HOST_REFUSED'
  | 'ORIGIN_REFUSED'
  | 'METHOD_NOT_ALLOWED'
  | 'NOTICE_TARGET_NOT_FOUND'
  | 'NOTICE_TARGET_NOT_PARKED'
  | 'KEY_NOT_FOUND';

/** What the application also refuses a decision for; A2A's other refusals can't occur here. */
type DomainCode = Extract<
  RefusalCode,
  | 'INVALID_PARAMS'
  | 'TASK_NOT_FOUND'
  | 'TASK_NOT_CANCELABLE'
  | 'TASK_TOO_LARGE'
  | 'RESULT_NOT_STORABLE'
  | 'DECISION_NOT_ALLOWED'
  | 'DECISION_MISMATCH'
  | 'PAUSE_OVER'
  | 'EVENTS_NOT_YET'
>;

export type ErrorCode = EdgeCode | DomainCode | OperatorRefusalCode;

interface ErrorRow {
  readonly http: number;
  /** For the API's description. */
  readonly meaning: string;
}

const row = (http: number, meaning: string): ErrorRow => ({ http, meaning });

/** The one table from an error to the wire; no other file holds a status number. */
export const ERRORS: Readonly<Record<ErrorCode, ErrorRow>> = {
  INVALID_PARAMS: row(400, 'A parameter is missing or wrong; `field` names it.'),
  PARSE_ERROR: row(400, 'The body is not a JSON object in UTF-8.'),
  TOO_DEEP: row(400, 'The body is nested too deep.'),
  TOO_MANY_VALUES: row(400, 'The body holds too many values.'),
  UNAUTHENTICATED: row(401, 'No identity that is known here.'),
  PERMISSION_DENIED: row(403, 'The operator lacks the right that this needs.'),
  RUN_NOT_FOUND: row(404, 'No such run, or none that this operator may see.'),
  TASK_NOT_FOUND: row(404, 'No such run, or none that this operator may see.'),
  SEND_NOT_FOUND: row(404, 'No such send, or none of a run that this operator may see.'),
  WEBHOOK_NOT_FOUND: row(404, 'No such webhook, or none of a run that this operator may see.'),
  AGENT_NOT_FOUND: row(404, 'No such agent, or none that this operator may see.'),
  SCHEDULE_NOT_FOUND: row(404, 'The agent has no schedule.'),
  NOTICE_TARGET_NOT_FOUND: row(404, 'No target of notices has that name.'),
  FILES_NOT_FOUND: row(404, 'The run has no files, or they are not kept any more.'),
  FILE_NOT_FOUND: row(404, 'There is no file of that path.'),
  REMOTE_NOT_FOUND: row(404, 'No such remote, or none of an agent that this operator may see.'),
  KEY_NOT_FOUND: row(404, 'No API key has that id.'),
  ROUTE_NOT_FOUND: row(404, 'There is nothing at this path.'),
  METHOD_NOT_ALLOWED: row(405, 'The path takes other methods; `Allow` names them.'),
  RUN_ENDED: row(409, 'The run has ended.'),
  RUN_NOT_ENDED: row(409, 'The run has not ended.'),
  RUN_COMPLETED: row(409, 'The run has its result; it can be forked.'),
  CONTEXT_BUSY: row(409, 'Another task of the same context is not finished.'),
  MAY_REPEAT: row(409, 'What must not run twice may run again, and was not named.'),
  TRIED_ALREADY: row(409, 'A run was made of this one already.'),
  TRAIL_NOT_KEPT: row(409, 'The steps of the run are not kept, or it has none.'),
  MESSAGE_NOT_KEPT: row(409, 'The message of the run is not kept as it came.'),
  TASK_TOO_LARGE: row(409, 'The task is too large to be taken over.'),
  STEP_NOT_FOUND: row(400, 'The run has no such step, or it is of another kind.'),
  RESULT_NOT_STORABLE: row(409, 'Nothing of the answers of its agent may be kept now.'),
  TASK_NOT_CANCELABLE: row(409, 'The run has ended otherwise.'),
  DECISION_NOT_ALLOWED: row(403, 'This operator may not decide that.'),
  DECISION_MISMATCH: row(409, 'The decision was made for another turn than the one that is held.'),
  PAUSE_OVER: row(
    409,
    'Nothing waits for this decision any more, or it was made for an earlier pause.',
  ),
  EVENTS_NOT_YET: row(409, 'Not every function reads events yet: raise the format.'),
  STATUS_UNKNOWN: row(
    409,
    'A newer version wrote the status of the run; this one changes nothing.',
  ),
  AGENT_PAUSED: row(409, 'The agent is paused: a decision can be stored, not carried out.'),
  NOT_BLOCKED: row(409, 'The run is not blocked, or by other changes than those named.'),
  STEPS_CHANGED: row(
    409,
    'The function of the agent asks for other steps than are recorded: nothing could go on.',
  ),
  SEND_SETTLED: row(409, 'The run does not wait for this send, or its outcome is known.'),
  SEND_UNDER_WAY: row(409, 'The send left a moment ago and may still be answered.'),
  NOTICE_TARGET_NOT_PARKED: row(409, 'The target is not parked: it is told as it should be.'),
  WEBHOOK_NOT_PARKED: row(409, 'The webhook is not parked.'),
  BUDGET_EXCEEDED: row(409, 'The run may not delegate any more.'),
  REMOTE_NOT_DECLARED: row(409, 'The agent does not declare that remote any more.'),
  REMOTE_TASK_UNKNOWN: row(409, "The remote has no such task in this send's context."),
  HOST_REFUSED: row(421, 'The server is not called by that Host.'),
  ORIGIN_REFUSED: row(403, 'A page of another site may not call.'),
  BODY_TOO_LARGE: row(413, 'The body is over the limit.'),
  EXPECTATION_FAILED: row(417, 'Only 100-continue may be expected.'),
  MEDIA_TYPE_REFUSED: row(415, 'Bodies are application/json.'),
  REMOTE_NOT_REACHED: row(502, 'Nothing reached the remote; the same may be tried again.'),
  UNAVAILABLE: row(503, 'The service is unavailable for a moment; try again.'),
  INTERNAL: row(500, 'The server failed to process the request.'),
};
