import type { FailureCode } from '../../shared/a2a/failure.ts';
import type { FailureReason } from '../../shared/domain/failure-reason.ts';

/** Why it happens, and what the one who reads it can do. */
type Words = readonly [cause: string, remedy: string];

/** What a caller of A2A reads: a code without words does not compile. */
export const REQUEST_WORDS: Readonly<Record<FailureCode, Words>> = {
  INVALID_PARAMS: [
    'a parameter is missing or wrong; `fieldViolations` names it',
    'mend the field that is named',
  ],
  PARSE_ERROR: ['the body is no JSON in UTF-8, or did not come whole', 'send one JSON object'],
  INVALID_REQUEST: [
    'the body is JSON, but no request of JSON-RPC 2.0',
    'send `jsonrpc`, `method`, `params` and `id`',
  ],
  TOO_DEEP: ['the body is nested too deep', 'flatten it, or send it as a file'],
  TOO_MANY_VALUES: ['the body holds too many values', 'send large data as a file part'],
  BODY_TOO_LARGE: [
    'the body is over the limit of [limits.md](limits.md)',
    'give the `url` of a large file in the place of its bytes',
  ],
  MEDIA_TYPE_REFUSED: [
    'the Content-Type of the request is none of JSON',
    'send `application/json` or `application/a2a+json`',
  ],
  EXPECTATION_FAILED: ['`Expect` asks for something else than 100-continue', 'leave it out'],
  METHOD_NOT_FOUND: [
    'JSON-RPC has no such method',
    'use a method of A2A 1.0, or of 0.3 at its own URL',
  ],
  ROUTE_NOT_FOUND: ['there is nothing at this path', 'take the URLs of the agent card'],
  HTTP_METHOD_NOT_ALLOWED: ['the path takes other methods', 'use one that `Allow` names'],
  TASK_NOT_FOUND: [
    'the task is unknown, purged, or of another caller; the answer is the same for all three',
    'check the id, and who you are; what was purged is gone',
  ],
  TASK_NOT_CANCELABLE: ['the task has ended', 'nothing is left to cancel'],
  TASK_TERMINAL: [
    'the task has ended: it takes no message and has no more events',
    'read it with GetTask; send a new message to its context',
  ],
  TASK_BUSY: [
    'the task is at work on an earlier message',
    'wait until it asks or ends, then send again',
  ],
  TASK_TOO_LARGE: [
    'one answer can not carry the task',
    'ask for less with `historyLength`, or subscribe with `Last-Event-ID: 0`, which sends it event by event',
  ],
  GENERATION_MISMATCH: [
    'the task has moved on since its generation was read ([draft.md](draft.md))',
    'read the task again, and decide whether the message still fits',
  ],
  CONTEXT_BUSY: [
    'another task of the context is not finished',
    'wait for it or cancel it; an agent that works on several at once declares `parallel`',
  ],
  DECISION_REQUIRED: [
    'the task waits for an approval, and the message holds no decision',
    'send a decision ([approvals.md](approvals.md)), or cancel the task',
  ],
  DECISION_NOT_ALLOWED: ['this decider may not decide that, now', 'another person decides'],
  DECISION_MISMATCH: [
    'the decision was made for other words than those that wait',
    'read the request again, and decide on what it says now',
  ],
  PAUSE_OVER: [
    'the pause is over: a decision came before, or it was made for an earlier one',
    'read the task; nothing is left to decide there',
  ],
  EVENTS_NOT_YET: [
    'a function of the deployment is too old to read events',
    'an operator deploys it and raises the format ([operating.md](operating.md#upgrade))',
  ],
  RESULT_NOT_STORABLE: [
    'the ceilings of the installation or of the agent do not let it keep a result',
    'an operator raises them, or the agent stays unpublished ([privacy.md](privacy.md))',
  ],
  QUOTA_EXCEEDED: [
    'the caller has or sends as much as one owner may; `metadata.limit` names the limit',
    'wait as `Retry-After` says; end tasks or streams that are not needed',
  ],
  PUSH_NOT_SUPPORTED: ['this agent sends no push notifications', 'subscribe, or poll'],
  CONTENT_TYPE_NOT_SUPPORTED: [
    "a part's media type is none of the agent's input modes",
    'send one that the card lists',
  ],
  EXTENDED_CARD_NOT_SUPPORTED: ['the agent has no extended card', 'take the public one'],
  EXTENSION_REQUIRED: [
    'the agent requires extensions that the request does not name',
    'name them in `A2A-Extensions`',
  ],
  VERSION_NOT_SUPPORTED: [
    '`A2A-Version` is none that is served here',
    'send `1.0`; `0.3` where the card offers it',
  ],
  UNAUTHENTICATED: [
    'the token or key is missing, expired, or of an issuer that is not known here',
    'get a new one; `WWW-Authenticate` says which kind',
  ],
  PERMISSION_DENIED: [
    'the caller is known and may not do that',
    'ask who runs the server for the right ([security.md](security.md))',
  ],
  ORIGIN_REFUSED: [
    'a page of another site called',
    'call from a server, or from an allowed origin',
  ],
  HOST_REFUSED: [
    'the request names a `Host` that the server is not called by',
    'use its own name; `--allow-host` adds others ([configuration.md](configuration.md))',
  ],
  IDENTITY_UNAVAILABLE: [
    'who calls could not be found out: the keys of the issuer are away',
    'try again as `Retry-After` says',
  ],
  ENCODING_UNKNOWN: [
    'gRPC: the message is compressed in an unknown way',
    'use gzip, deflate or identity',
  ],
  DEADLINE_EXCEEDED: [
    "gRPC: the caller's own deadline is over",
    'read the task, or subscribe to it',
  ],
  STREAM_OVER: [
    'gRPC: the stream was ended by its time, or the server goes',
    'subscribe again from `metadata.lastEventId`',
  ],
  UNAVAILABLE: ['a service behind it is away for a moment', 'try again as `Retry-After` says'],
  INTERNAL: ['the server failed', 'try again; its log has the fault under the same trace'],
};

/** Why a task is FAILED, as `metadata.reason` says. */
export const REASON_WORDS: Readonly<Record<FailureReason, Words>> = {
  AGENT_FAILED: [
    "the agent's own code, its model or what it returned failed",
    '`run <id>` shows the error; mend the agent, then `retry` ([errors.md](errors.md))',
  ],
  AGENT_UNKNOWN: ['no agent of that name is published any more', 'publish it again, then `retry`'],
  ATTEMPTS_EXHAUSTED: [
    'each attempt lost its worker or met a fault that passes',
    'look at `errors` of `run <id>`: memory, time, or a service that is away; then `retry`',
  ],
  DEADLINE_EXCEEDED: [
    'the run passed its deadline, or one segment its own',
    'raise `runDeadline` or `segment` ([configuration.md](configuration.md)), or do less in one piece',
  ],
  RESULT_NOT_STORED: [
    'the store refused the result for good, or was away for too long',
    'see [operating.md](operating.md#alerts); then `retry`',
  ],
  RESULT_NOT_KEPT: [
    'a ceiling was tightened while it ran: what it held is destroyed',
    'meant so? else loosen it for new tasks ([privacy.md](privacy.md))',
  ],
  STATE_UNREADABLE: [
    'its key is lost, or what is stored does not open',
    'restore the key; see [operating.md](operating.md#alerts)',
  ],
  WAIT_ENDED: [
    'no person answered within `waitingRetention`',
    'send again; have people told in time ([notices.md](notices.md))',
  ],
  EFFECT_UNKNOWN: [
    'a step or tool that must not run twice may have run when its worker was lost',
    'look at the other side; then `retry`, with `--again` by name if it did not happen',
  ],
  FILES_REFUSED: [
    'the agent left a file that can not be kept; the words name path and rule',
    'see [files.md](files.md)',
  ],
  WORK_LOST: ['the task was taken over from an archive, unfinished', 'send its message again'],
  ROUNDS_EXCEEDED: [
    'the model took more rounds than its budget',
    'raise `rounds` of the agent, or mend the prompt',
  ],
  TOKENS_EXCEEDED: ['the model used more tokens than its budget', 'raise `tokens`'],
  COST_EXCEEDED: ['the run cost more than its budget', 'raise `cost`'],
  DELEGATIONS_EXCEEDED: [
    'the run sent more messages to remotes than it may',
    'raise `delegations`',
  ],
  BYTES_EXCEEDED: [
    'transcript and answers passed the bytes of a run',
    'let remotes and tools answer with less',
  ],
};
