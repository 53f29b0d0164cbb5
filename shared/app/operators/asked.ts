import type { Json } from '../../domain/json.ts';
import type { WaitingForPerson } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { heldCalls, readPause, type ShownCall } from '../content/read-pause.ts';
import { isNotReadable } from '../records/unreadable.ts';
import { partsJson } from './read-work.ts';

/** What a run asks a person, for operators who may see content. */
export interface Asked {
  readonly words: readonly Json[];
  readonly calls: readonly ShownCall[];
  /** JSON Schema of the data that is wanted. */
  readonly schema?: Json;
}

/**
 * What is asked in the pause that the row names. Undefined where it can't be read: the run waits
 * all the same, and can be cancelled.
 */
export async function askedOf(app: App, run: WaitingForPerson): Promise<Asked | undefined> {
  try {
    const request = await readPause(app, run);
    const schema = request.kind === 'input' ? request.schema : undefined;
    return {
      words: partsJson(request.words),
      calls: await heldCalls(app, run, request),
      ...(schema !== undefined && { schema }),
    };
  } catch (error) {
    if (!isNotReadable(error)) throw error;
    app.log.write('error', 'pause not readable', { task: run.taskId });
    return undefined;
  }
}
