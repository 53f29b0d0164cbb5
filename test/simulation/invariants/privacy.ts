import type { EventOf } from '../../../shared/domain/item.ts';
import type { Part } from '../../../shared/domain/message.ts';
import type { Value } from '../../../shared/ports/backend.ts';
import { isList } from '../../../shared/store/limits.ts';
import { PROMPT } from '../client.ts';
import type { World } from '../world.ts';
import { printOfEvent, printOfTask, type Tale } from './tale.ts';

/**
 * The journal holds only what may leave: a client's message is in the history of the task, never in
 * an event (G4).
 */
export function journalHoldsNoPrompt({ journal, run }: Tale): string | undefined {
  const prompts = (event: EventOf<Part>): boolean => printOfEvent(event).includes(PROMPT);
  return journal.some(prompts) ? `the journal of ${run.taskId} repeats its client` : undefined;
}

/**
 * What the redactor takes out of the answers of an agent whose ceiling is `redacted` is in no
 * revision, journal or view (G20).
 */
export function redactedWordsAreNowhere({ events, journal, run, tasks }: Tale): string | undefined {
  const told = [...events, ...journal].map(printOfEvent).concat(tasks.map(printOfTask));
  return told.some((print) => print.includes('secret-'))
    ? `${run.taskId} tells a secret`
    : undefined;
}

/**
 * What is stored is sealed: no row and no object of ours holds a word in the clear; the archive is
 * made to be read (G8, G20).
 */
export function storedContentIsSealed(world: World): string | undefined {
  const row = world.backend.everything().find(({ fields }) => holds(fields));
  if (row !== undefined) return `${row.path} holds words in the clear`;
  const objects = [...world.blobs.objects].filter(([name]) => name.includes('/blobs/'));
  const clear = objects.find(([, { body }]) => Buffer.from(body).includes(PROMPT));
  return clear && `${clear[0]} is not sealed`;
}

function holds(value: Value): boolean {
  if (typeof value === 'string') return value.includes(PROMPT);
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof Uint8Array) return Buffer.from(value).includes(PROMPT);
  return (isList(value) ? value : Object.values(value)).some(holds);
}
