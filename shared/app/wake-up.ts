import type { Millis } from '../domain/brand.ts';
import { obligations } from '../domain/obligations.ts';
import type { Run } from '../domain/run.ts';
import { KeyMissing } from '../ports/faults.ts';
import { traceWithin } from '../domain/trace-context.ts';
import type { WakeUp } from '../ports/queue.ts';
import type { App } from './app.ts';

/**
 * Hands over what a committed row needs next. A hand-over that fails costs seconds, never a run:
 * the row says what is due and the sweeper acts on it (G24).
 */
export async function wakeUp(
  app: App,
  run: Run,
  kinds: readonly string[] = ['run'],
  repeatsOf: (at: Millis) => number = () => 0,
): Promise<void> {
  const trace = traceWithin(app.trace, run.trace);
  for (const { kind, at } of obligations(run)) {
    if (!kinds.includes(kind)) continue;
    const repeat = repeatsOf(at);
    const row = { kind, at, taskId: run.taskId, revision: run.revision };
    const given = trace === undefined ? row : { ...row, trace };
    try {
      await app.queue.enqueue(repeat === 0 ? given : { ...given, repeat });
    } catch (error) {
      app.log.write('warning', 'wake-up not handed over', {
        task: run.taskId,
        kind,
        fault: faultName(error),
      });
    }
  }
}

/**
 * A delivery that came before its row was due, by a clock behind the queue's: said done, it would
 * be lost until the next sweep. The very wake-up that is being delivered needs another name, or the
 * queue takes it for the one that it knows (decision 0009).
 */
export function wakeUpAgain(app: App, run: Run, given: WakeUp): Promise<void> {
  return wakeUp(app, run, [given.kind], (at) =>
    at === given.at && run.revision === given.revision ? repeated(given).repeat : 0,
  );
}

/**
 * Far beyond what the sweeper counts up to: a name that was used up here must not be one of its
 * own.
 */
const EARLY = 1_000_000;

/** The same wake-up under another name. */
export function repeated(given: WakeUp): WakeUp & { readonly repeat: number } {
  return { ...given, repeat: Math.max(given.repeat ?? 0, EARLY) + 1 };
}

/** Projects in this process; when that fails, the queue gets it (G3). */
export async function projectSoon(
  app: App,
  run: Run,
  project: () => Promise<unknown>,
): Promise<void> {
  try {
    await project();
  } catch (error) {
    app.log.write('warning', 'projection put off', {
      task: run.taskId,
      revision: run.revision,
      fault: faultName(error),
    });
    await wakeUp(app, run, ['project']);
  }
}

/**
 * A fault's name for the log, and the code of what is behind it where the system gave one:
 * `Unavailable (ENOSPC)`; of a missing key which one. Never a message, which may hold content.
 */
export function faultName(error: unknown): string {
  if (!(error instanceof Error)) return typeof error;
  if (error instanceof KeyMissing) return `${error.name} (${error.key})`;
  const code = codeOf(error);
  const name = NAME.test(error.name) ? error.name : 'Error';
  return code === undefined ? name : `${name} (${code})`;
}

/** Authors name their errors; what is more than a name could be content. */
const NAME = /^[A-Za-z_$][\w$.]{0,79}$/;

/** https://sqlite.org/rescode.html, of those that a person can do something about. */
const SQLITE_CODES: Readonly<Record<number, string>> = {
  8: 'SQLITE_READONLY',
  10: 'SQLITE_IOERR',
  11: 'SQLITE_CORRUPT',
  13: 'SQLITE_FULL',
  14: 'SQLITE_CANTOPEN',
  26: 'SQLITE_NOTADB',
};

function codeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined;
  if ('errcode' in cause && typeof cause.errcode === 'number')
    return SQLITE_CODES[cause.errcode & 0xff];
  if ('code' in cause && typeof cause.code === 'string' && /^[A-Z_0-9]+$/.test(cause.code))
    return cause.code;
  return codeOf(cause);
}
