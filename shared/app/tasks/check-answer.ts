import type { Message } from '../../domain/message.ts';
import type { Refused } from '../../domain/refusal.ts';
import type { WaitingForPerson } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { readPause } from '../content/read-pause.ts';
import { misfit } from '../content/question-schema.ts';

/**
 * Data in an answer must fit the question's schema; an answer in words alone is the agent's to
 * understand. Refuses with the path of the value at fault, before anything is written.
 */
export async function checkAnswer(
  app: App,
  run: WaitingForPerson,
  message: Message,
): Promise<Refused | undefined> {
  const at = message.parts.findIndex((part) => 'data' in part);
  const part = message.parts[at];
  if (!run.expectsData || part === undefined || !('data' in part)) return undefined;
  const request = await readPause(app, run);
  const schema = request.kind === 'input' ? request.schema : undefined;
  return schema === undefined ? undefined : misfit(schema, part.data, `message.parts[${at}].data`);
}
