import type { Json } from '../../domain/json.ts';
import type { Artifact, Part } from '../../domain/message.ts';
import type { Remote, Resolution } from '../../domain/remote.ts';
import type { CallFailure, RemoteTask } from '../../ports/remote-agents.ts';
import { isInterrupted, isTerminal } from '../../domain/status.ts';
import { partToJson } from '../../domain/stored-content.ts';

/** How a remote task's state ends the wait for it; undefined while it is at work. */
export function resolutionOf({ state }: RemoteTask): Resolution | undefined {
  if (!isTerminal(state) && !isInterrupted(state)) return undefined;
  switch (state) {
    case 'COMPLETED':
      return 'completed';
    case 'FAILED':
      return 'failed';
    case 'REJECTED':
      return 'rejected';
    case 'CANCELED':
      return 'canceled';
    case 'INPUT_REQUIRED':
      return 'input-required';
    case 'AUTH_REQUIRED':
      return 'auth-required';
    case 'SUBMITTED':
    case 'WORKING':
    case 'UNKNOWN':
      return undefined;
  }
}

/** The remote waits for a person on its side, and nothing here can answer it there. */
export function isInterruption(resolution: Resolution): boolean {
  return resolution === 'input-required' || resolution === 'auth-required';
}

/** What the model is told in words about an end that the remote did not word. */
const NOTES: Partial<Record<Resolution | 'timeout-unknown', string>> = {
  'input-required':
    'The remote agent asks for more. Send it a new, complete message if you can answer.',
  'auth-required': 'The remote agent wants an authorization that it does not have.',
  gone: 'The remote agent does not know this task any more.',
  timeout: 'The remote agent did not finish in time. It is asked to cancel its task.',
  'timeout-unknown':
    'No answer came in time, and it is not known whether the remote agent received the message. It may be at work on it.',
  abandoned:
    'It is not known whether the remote agent received the message. An operator gave up on it.',
  unusable: 'The answer of the remote agent could not be used.',
};

/**
 * The result of a delegation as the model sees it: the state, what is known of it, and every
 * artifact.
 */
export function remoteResult(
  remote: Pick<Remote, 'name'>,
  known: Resolution | 'timeout-unknown',
  task?: RemoteTask,
): Json {
  const note = NOTES[known];
  return {
    agent: remote.name,
    status: known === 'timeout-unknown' ? 'timeout' : known,
    ...(note !== undefined && { note }),
    ...(task?.message !== undefined && { message: task.message.parts.map(partJson) }),
    ...(task !== undefined && { artifacts: task.artifacts.map(artifactJson) }),
  };
}

/** The remote answered with a message and made no task. */
export function replyResult(remote: Remote, parts: readonly Part[]): Json {
  return { agent: remote.name, status: 'completed', message: parts.map(partJson), artifacts: [] };
}

/** The message was not taken, or never got there. */
export function failureResult(remote: Remote, status: string, failure: CallFailure): Json {
  return { agent: remote.name, status, reason: failure.reason };
}

function artifactJson({ artifactId, name, description, parts }: Artifact): Json {
  return {
    artifactId,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    parts: parts.map(partJson),
  };
}

/** Bytes as base64 with their type: a model that can't use them can hand them on. */
function partJson({ metadata: _, ...part }: Part): Json {
  return partToJson(part);
}
