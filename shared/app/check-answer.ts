import type { Json } from '../domain/json.ts';
import type { Message, Part } from '../domain/message.ts';
import type { Refused } from '../domain/refusal.ts';
import type { WaitingForPerson } from '../domain/run.ts';
import type { App } from './app.ts';
import { loadItem } from './content.ts';
import { openRevision } from './delta.ts';
import { revisionDoc } from './documents.ts';
import type { Place } from './place.ts';
import { misfit } from './question-schema.ts';

/** The media type of the data part that holds the JSON Schema of a question. */
export const SCHEMA_MEDIA_TYPE = 'application/schema+json';

/** A question as parts: the words, and the JSON Schema of the data it wants. */
export function questionParts(parts: readonly Part[], schema: Json | undefined): readonly Part[] {
  return schema === undefined ? parts : [...parts, { data: schema, mediaType: SCHEMA_MEDIA_TYPE }];
}

/**
 * Data in an answer must fit the question's schema; an answer in words alone is the agent's to understand. Refuses with the
 * path of the value at fault, before anything is written.
 */
export async function checkAnswer(
  app: App,
  place: Place,
  run: WaitingForPerson,
  message: Message,
): Promise<Refused | undefined> {
  const at = message.parts.findIndex((part) => 'data' in part);
  const part = message.parts[at];
  if (!run.expectsData || part === undefined || !('data' in part)) return undefined;
  // While a run waits nothing else is published, so its newest revision is the one that asked.
  const asked = await app.store.get(revisionDoc(run.taskId, run.revision));
  const schema = asked === undefined ? undefined : await schemaOf(app, place, asked);
  return schema === undefined ? undefined : misfit(schema, part.data, `message.parts[${at}].data`);
}

async function schemaOf(
  app: App,
  place: Place,
  asked: Parameters<typeof openRevision>[2],
): Promise<Json | undefined> {
  const last = (await openRevision(app, place, asked)).at(-1);
  if (last?.kind !== 'status') return undefined;
  const said = await loadItem(app, place, last);
  const parts = said.kind === 'status' ? (said.message?.parts ?? []) : [];
  for (const part of parts) {
    if ('data' in part && part.mediaType === SCHEMA_MEDIA_TYPE) return part.data;
  }
  return undefined;
}
