import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import type { Millis } from '../domain/brand.ts';
import { sha256 } from '../domain/digest.ts';
import { contextId, taskId } from '../domain/ids.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import { TASK_STATES, type TaskState } from '../domain/status.ts';
import { ownMetadata, type Task } from '../domain/task.ts';
import { importProblem, type ImportProblem } from './import-problem.ts';

const MEBIBYTE = 1024 * 1024;
/** Of the object, and of what it unpacks to. The layout keeps a few settings in it. */
export const METADATA_BYTES = { packed: 8 * MEBIBYTE, unpacked: 32 * MEBIBYTE } as const;

const persisted = z.object({
  __persistedState: z.object({ _taskState: z.string() }),
  _contextId: z.string().optional(),
});

const unzip = promisify(gunzip);

/**
 * A task of the old layout: its `metadata.tar.gz`, which is gzipped JSON and no archive, holds the
 * state and the id of the context, and no history. `at`: when it was written. The whole of it
 * becomes the task's metadata, as that layout's own server shows it.
 */
export async function readOldTask(
  name: string,
  packed: Uint8Array,
  at: Millis,
): Promise<Task | ImportProblem> {
  if (packed.byteLength > METADATA_BYTES.packed)
    return importProblem(name, 'metadata-too-large', `${packed.byteLength} bytes`);
  let text: string;
  try {
    text = (await unzip(packed, { maxOutputLength: METADATA_BYTES.unpacked })).toString('utf8');
  } catch (error) {
    const large = error instanceof RangeError;
    return importProblem(name, large ? 'metadata-too-large' : 'metadata-not-gzip');
  }
  const json = parsed(text);
  if (json === undefined) return importProblem(name, 'metadata-not-json');
  const state = persisted.safeParse(json);
  if (!state.success) return importProblem(name, 'metadata-without-state');
  const { __persistedState, _contextId } = state.data;
  const id = taskId(name) ?? uuidOf('task', name);
  const context = placeOf(name, _contextId);
  return {
    taskId: id,
    contextId: context,
    status: { state: stateOf(__persistedState._taskState), at },
    history: [],
    artifacts: [],
    metadata: {
      // Names that are ours say something else here.
      ...ownMetadata(json, false),
      ...(id !== name && { importedTaskId: name }),
      ...(_contextId !== undefined && context !== _contextId && { importedContextId: _contextId }),
    },
  };
}

function parsed(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return isJsonObject(json) ? json : undefined;
  } catch {
    return undefined;
  }
}

/** Of A2A 0.3, in which these states were written: `input-required`. Others are taken as open. */
function stateOf(name: string): TaskState {
  const state = name.toUpperCase().replaceAll('-', '_');
  return TASK_STATES.find((known) => known === state) ?? 'WORKING';
}

/** A task without a context has one of its own; one that can't be an id here gets another. */
function placeOf(name: string, given: string | undefined): string {
  if (given === undefined || given === '') return uuidOf('context of', name);
  return contextId(given) ?? uuidOf('context', given);
}

/** The same for the same name, so that an import can be repeated. */
function uuidOf(kind: string, name: string): string {
  const hex = sha256(JSON.stringify(['holdfast import', kind, name]));
  const parts = [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
  ];
  return [...parts, hex.slice(20, 32)].join('-');
}
