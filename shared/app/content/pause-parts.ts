import type { Part } from '../../domain/message.ts';
import type { PauseRequest } from '../agents.ts';
import { z } from 'zod';
import type { Json, JsonObject } from '../../domain/json.ts';

/** The media types of the data parts that say what a decision must name (G18). */
export const APPROVAL_MEDIA_TYPE = 'application/vnd.holdfast.approval+json';
export const INPUT_MEDIA_TYPE = 'application/vnd.holdfast.input+json';
/** Of the data part that holds the JSON Schema of a question. */
export const SCHEMA_MEDIA_TYPE = 'application/schema+json';

/**
 * What a caller sees of a pause: the words, and what a decision about it must name. Of the held
 * calls it sees what their tools' authors wrote for that purpose, never their arguments (G4).
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

/** A question as parts: the words, and the JSON Schema of the data it wants. */
function questionParts(parts: readonly Part[], schema: Json | undefined): readonly Part[] {
  return schema === undefined ? parts : [...parts, { data: schema, mediaType: SCHEMA_MEDIA_TYPE }];
}

const named = z.object({
  kind: z.enum(['approval', 'input']),
  pauseGeneration: z.number().int(),
  digest: z.string().regex(/^[0-9a-f]{64}$/),
});

/**
 * What a decision must name, of a part that says so: no redactor may remove it, or a decision would
 * be impossible.
 */
export function toBeNamed({ data, mediaType }: { data?: Json; mediaType?: string }): JsonObject {
  if (mediaType !== APPROVAL_MEDIA_TYPE && mediaType !== INPUT_MEDIA_TYPE) return {};
  return named.safeParse(data).data ?? {};
}
