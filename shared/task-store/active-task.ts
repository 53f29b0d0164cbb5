import { z } from 'zod';
import type { Blobs } from '../ports/blobs.ts';
import { Contention, Unreadable } from '../ports/faults.ts';
import { ContextBusyError } from './errors.ts';
import { activeName, placeOf, type TaskPlace } from './layout.ts';
import { ROUNDS } from './rounds.ts';
import { isTerminal, type TaskJson } from './task-json.ts';
import type { TaskIndex } from './task-index.ts';
import { contentOf, readTask, type StoredTask, writeTask } from './task-object.ts';

/** The task of a context that was taken last; empty: it was deleted since. */
const activeTask = z.object({ taskId: z.string() });

interface Claiming {
  readonly blobs: Blobs;
  readonly index: TaskIndex | undefined;
}

/**
 * Makes the task the active one of its context, before it is stored. One that has ended gives way,
 * and so does one that was never stored: its writer died, or is about to find that it came second.
 * The compare-and-set of `active.json` decides between writers, and storing the ended task frees
 * the context: there is no second write that could be lost.
 *
 * Throws ContextBusyError while another task of the context is open.
 */
export async function claimContext(
  { blobs, index }: Claiming,
  place: TaskPlace,
  task: TaskJson,
): Promise<void> {
  const name = activeName(place);
  const body = activeBody(place.taskId);
  let expect = 'absent';
  for (let round = 1; round <= ROUNDS; round += 1) {
    const contentType = 'application/json';
    const written = await blobs.put(name, body, { contentType, expect });
    if (written !== 'stale') return;
    const present = await readActive(blobs, name);
    if (present?.taskId === place.taskId) return;
    if (present !== undefined && present.taskId !== '') {
      await requireEnded({ blobs, index }, place, present.taskId, task);
    }
    expect = present?.generation ?? 'absent';
  }
  throw new Contention(ROUNDS);
}

/** Lets go of a task that has ended, before it is deleted: later it would pass for never stored. */
export async function forgetActive(blobs: Blobs, place: TaskPlace): Promise<void> {
  const name = activeName(place);
  const present = await readActive(blobs, name);
  if (present?.taskId !== place.taskId) return;
  // Stale means that another task has taken the context.
  const { generation: expect } = present;
  await blobs.put(name, activeBody(''), { contentType: 'application/json', expect });
}

async function requireEnded(
  claiming: Claiming,
  place: TaskPlace,
  taskId: string,
  next: TaskJson,
): Promise<void> {
  const active = placeOf(place.scope, taskId, place.contextId);
  if (active === undefined) throw new Unreadable(activeName(place));
  const stored = await settled(claiming, active, next);
  if (!isTerminal(contentOf(stored, active))) throw new ContextBusyError(place.contextId, taskId);
}

/**
 * The task as it is stored; one that is not is stored here as rejected, so that a writer that comes
 * late finds its place taken and can't start a second task beside the next one.
 */
async function settled(
  { blobs, index }: Claiming,
  place: TaskPlace,
  next: TaskJson,
): Promise<StoredTask> {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const stored = await readTask(blobs, place.task);
    if (stored !== undefined) return stored;
    const withdrawal = { text: rejected(place, next), write: '', over: undefined };
    const written = await writeTask(blobs, place.task, { ...withdrawal, withdrawn: true });
    if (written === 'stale') continue;
    await index?.record(place, contentOf(written, place), written.revision);
    return written;
  }
  throw new Contention(ROUNDS);
}

/** At the time of the task that follows: no clock is asked, and lists show both together. */
function rejected({ taskId, contextId }: TaskPlace, { status }: TaskJson): string {
  const text = 'This task was never started: another task of its context was taken first.';
  const timestamp = status?.timestamp;
  return JSON.stringify({
    id: taskId,
    contextId,
    status: {
      state: 'TASK_STATE_REJECTED',
      message: {
        messageId: `rejected-${taskId}`,
        contextId,
        taskId,
        role: 'ROLE_AGENT',
        parts: [{ text }],
      },
      ...(timestamp !== undefined && { timestamp }),
    },
  });
}

async function readActive(blobs: Blobs, name: string) {
  const blob = await blobs.get(name);
  if (blob === undefined) return undefined;
  try {
    const { taskId } = activeTask.parse(JSON.parse(new TextDecoder().decode(blob.body)));
    return { taskId, generation: blob.generation };
  } catch (error) {
    throw new Unreadable(name, error);
  }
}

function activeBody(taskId: string): Uint8Array {
  return Buffer.from(JSON.stringify({ taskId }));
}
