import { isEnded, type Run, stateOf } from '../../domain/run.ts';
import type { ReadDoc } from '../../ports/store.ts';
import type { App } from '../app.ts';
import { errorWordsOf } from '../content/agent-errors.ts';
import { runKeyOf } from '../content/sealing-key.ts';
import { unsealSnapshot } from '../content/snapshot.ts';
import { readableViewCodec, type ViewDoc, viewDoc } from '../records/documents.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';
import type { Seen } from './operator-rights.ts';

/** Longer words are cut: a list shows a line of them. */
const CHARACTERS = 500;

/** What a run says of itself, for operators who may see content. */
export interface RunWords {
  /** What its agent has shown of its progress, as its caller sees it. */
  readonly progress?: string;
  /** Of its last error, as far as the ceilings let them be kept. */
  readonly error?: string;
}

/** By the id of each run that has any; one whose key is not at hand has none. */
export async function wordsOf(
  app: App,
  seen: readonly Seen[],
): Promise<ReadonlyMap<string, RunWords>> {
  const open = seen.filter(({ may, run }) => may.has('view') && says(run)).map(({ run }) => run);
  const docs = open.map(
    ({ taskId }): ReadDoc<ViewDoc | undefined> => ({
      path: viewDoc(taskId).path,
      codec: readableViewCodec,
    }),
  );
  const views = docs.length === 0 ? [] : await app.store.getAll(docs);
  const found = await Promise.all(
    open.map(async (run, at) => {
      const words = await undefinedIfUnreadable(() => wordsIn(app, run, views[at]));
      return [run.taskId, words ?? {}] as const;
    }),
  );
  return new Map(found);
}

/** Progress is that of a run which works; an error matters until its run has ended well. */
const says = (run: Run): boolean =>
  !isEnded(run) || (run.status === 'failed' && run.errors !== undefined);

async function wordsIn(app: App, run: Run, view: ViewDoc | undefined): Promise<RunWords> {
  const runKey = await runKeyOf(app, run);
  const last = run.errors?.at(-1);
  const error = last && (await errorWordsOf(runKey, last));
  const works = stateOf(run) === 'WORKING' && view?.state === 'WORKING';
  const message = works ? (await unsealSnapshot(app, runKey, view)).status.message : undefined;
  const progress = message?.parts.map((part) => ('text' in part ? part.text : '')).join(' ');
  return {
    ...(progress !== undefined && progress !== '' && { progress: progress.slice(0, CHARACTERS) }),
    ...(error !== undefined && { error: error.slice(0, CHARACTERS) }),
  };
}
