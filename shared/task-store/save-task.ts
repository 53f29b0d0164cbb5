import { TaskNotFoundError } from '@a2a-js/sdk/errors';
import type { Blobs } from '../ports/blobs.ts';
import { Contention } from '../ports/faults.ts';
import { claimContext } from './active-task.ts';
import { ContextBusyError } from './errors.ts';
import type { TaskPlace } from './layout.ts';
import { mergeTask } from './merge-task.ts';
import type { Pointers } from './pointers.ts';
import { ROUNDS } from './rounds.ts';
import { isTerminal, parseTask, type TaskJson } from './task-json.ts';
import type { TaskIndex } from './task-index.ts';
import { contentOf, readTask, type StoredTask, writeTask } from './task-object.ts';

/** One try to write what an object said. */
interface Writing {
  readonly text: string;
  /** Names the try in what is stored. */
  readonly write: string;
}

/** What is known of a task by an object of the caller. */
export interface KnownTask {
  readonly place: string;
  /** What the object said when it was loaded or saved last. */
  readonly seen?: string;
  /** What was stored then. */
  readonly stored?: StoredTask;
  /** Tries since then that failed, or had no answer; the newest first. */
  readonly unanswered: readonly Writing[];
}

interface Parts {
  readonly blobs: Blobs;
  readonly pointers: Pointers;
  readonly parallel: boolean;
  readonly index: TaskIndex | undefined;
}

/** Answers what is stored from now on. Throws as `GcsTaskStore.save` does. */
export async function saveTask(
  parts: Parts,
  place: TaskPlace,
  writing: Writing,
  known: KnownTask,
): Promise<StoredTask> {
  const stored = await storeTask(parts, place, writing, known);
  // Also where nothing was to be written: the save before may have broken off here.
  await parts.index?.record(place, contentOf(stored, place), stored.revision);
  return stored;
}

async function storeTask(
  { blobs, pointers, parallel, index }: Parts,
  place: TaskPlace,
  { text, write }: Writing,
  known: KnownTask,
): Promise<StoredTask> {
  const saved = parseTask(text, place.task);
  let stored = known.stored ?? (await present(blobs, pointers, place));
  for (let round = 1; round <= ROUNDS; round += 1) {
    // Our own write, whose answer was lost.
    if (stored?.writes.includes(write) === true) return stored;
    if (stored === undefined) {
      if (!parallel && !isTerminal(saved)) await claimContext({ blobs, index }, place, saved);
      await index?.record(place, saved, 0);
    }
    const next = stored === undefined ? text : merged(place, known, stored, saved);
    if (next === stored?.text) return stored;
    const written = await writeTask(blobs, place.task, { text: next, write, over: stored });
    if (written !== 'stale') return written;
    stored = await readTask(blobs, place.task);
    if (stored === undefined && known.stored !== undefined) throw new TaskNotFoundError();
  }
  throw new Contention(ROUNDS);
}

/** What is stored of a task that the caller did not load. */
async function present(
  blobs: Blobs,
  pointers: Pointers,
  place: TaskPlace,
): Promise<StoredTask | undefined> {
  const isNew = await pointers.create(place);
  return isNew ? undefined : readTask(blobs, place.task);
}

function merged(place: TaskPlace, known: KnownTask, stored: StoredTask, saved: TaskJson): string {
  if (stored.withdrawn) throw new ContextBusyError(place.contextId);
  // A try that turns out to have been stored is what the object said last.
  const landed = known.unanswered.find(({ write }) => stored.writes.includes(write));
  const seen = landed?.text ?? known.seen;
  const content = contentOf(stored, place);
  const base = seen === undefined || seen === stored.text ? content : parseTask(seen, place.task);
  return JSON.stringify(
    mergeTask({ seen: seen === undefined ? undefined : base, stored: content, saved }),
  );
}
