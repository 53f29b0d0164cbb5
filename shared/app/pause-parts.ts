import type { Part } from '../domain/message.ts';
import type { PauseRequest } from './agents.ts';
import { questionParts } from './check-answer.ts';

/** The media types of the data parts that say what a decision must name (G18). */
export const APPROVAL_MEDIA_TYPE = 'application/vnd.holdfast.approval+json';
export const INPUT_MEDIA_TYPE = 'application/vnd.holdfast.input+json';

/**
 * What a caller sees of a pause: the words, and what a decision about it must name. Of the held calls it sees what their tools'
 * authors wrote for that purpose, never their arguments (G4).
 */
export function pauseParts(pause: PauseRequest, pauseGeneration: number): readonly Part[] {
  const { digest, kind, words } = pause;
  if (kind === 'approval') {
    const calls = pause.calls.map(({ tool, summary }) => ({ tool, summary }));
    const data = { kind, pauseGeneration, digest: pause.digest, calls };
    return [...words, { data, mediaType: APPROVAL_MEDIA_TYPE }];
  }
  const asked = questionParts(words, pause.schema);
  if (digest === undefined) return asked;
  return [...asked, { data: { kind, pauseGeneration, digest }, mediaType: INPUT_MEDIA_TYPE }];
}
