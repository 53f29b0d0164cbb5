import type { Blobs, Generation } from '../ports/blobs.ts';
import type { TaskPlace } from './layout.ts';
import { parseTask, type TaskJson } from './task-json.ts';

/** A `task.json` as it was read or written. */
export interface StoredTask {
  readonly text: string;
  readonly generation: Generation;
  /** How often it was written; each write is one more. */
  readonly revision: number;
  /** The newest write first, then those before it. */
  readonly writes: readonly string[];
  /** It was never started: another task took its context while it was being stored. */
  readonly withdrawn: boolean;
}

/** So many of the newest writes are named, so that one is known when others came after it. */
const WRITES = 8;
const NAMES = { revision: 'revision', writes: 'writes', withdrawn: 'withdrawn' } as const;

/** An object that no store wrote is one that was never written: revision 0. */
export async function readTask(blobs: Blobs, name: string): Promise<StoredTask | undefined> {
  const blob = await blobs.get(name);
  if (blob === undefined) return undefined;
  const { generation, metadata } = blob;
  return {
    text: new TextDecoder().decode(blob.body),
    generation,
    revision: Number(metadata[NAMES.revision] ?? 0),
    writes: (metadata[NAMES.writes] ?? '').split(',').filter((write) => write !== ''),
    withdrawn: metadata[NAMES.withdrawn] !== undefined,
  };
}

export interface TaskWrite {
  readonly text: string;
  /** Names this write; no other has the name. */
  readonly write: string;
  /** What it replaces; undefined: nothing. */
  readonly over: StoredTask | undefined;
  readonly withdrawn?: boolean;
}

/** Conditional on what it replaces, so it never overwrites unseen. */
export async function writeTask(
  blobs: Blobs,
  name: string,
  { text, write, over, withdrawn = false }: TaskWrite,
): Promise<StoredTask | 'stale'> {
  const revision = (over?.revision ?? 0) + 1;
  const writes = [write, ...(over?.writes ?? [])].slice(0, WRITES);
  const written = await blobs.put(name, Buffer.from(text), {
    contentType: 'application/json',
    metadata: {
      [NAMES.revision]: String(revision),
      [NAMES.writes]: writes.join(','),
      ...(withdrawn && { [NAMES.withdrawn]: 'true' }),
    },
    expect: over?.generation ?? 'absent',
  });
  if (written === 'stale') return 'stale';
  return { text, generation: written.generation, revision, writes, withdrawn };
}

export function contentOf({ text }: StoredTask, place: TaskPlace): TaskJson {
  return parseTask(text, place.task, place.taskId);
}
