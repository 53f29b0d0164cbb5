import type { Result } from '../domain/step.ts';

/** The result of a call that came to nothing, in words for the model. */
export function failed(callId: string, error: string): Result {
  return { kind: 'result', callId, status: 'error', value: { error } };
}
