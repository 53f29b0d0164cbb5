import type { Matter } from '../../domain/notice.ts';
import { type Run, waitsForPerson } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { readPause } from '../content/read-pause.ts';
import { isNotReadable } from '../records/unreadable.ts';
import { oneLine } from './escaping.ts';

/** Of the calls that one approval is about, so many are named. */
const CALLS = 5;

/**
 * What a matter asks of a person, in a few short lines: the tools that an approval is about and
 * what each would do, the question of an input, the remote agent of a send. Never arguments.
 * Undefined: it can't be read, or there is nothing to say.
 */
export async function contentOf(
  app: App,
  run: Run,
  { kind }: Matter,
): Promise<readonly string[] | undefined> {
  if (kind === 'unknown-send' && run.status === 'waiting_for_dependency')
    return [oneLine(run.dependency.remote)];
  if ((kind !== 'approval' && kind !== 'input' && kind !== 'deadline') || !waitsForPerson(run))
    return undefined;
  try {
    const request = await readPause(app, run);
    if (request.kind === 'approval')
      return request.calls
        .slice(0, CALLS)
        .map(({ summary, tool }) => oneLine(`${tool}: ${summary}`));
    const words = request.words.flatMap((part) => ('text' in part ? [part.text] : []));
    return words.length === 0 ? undefined : [oneLine(words.join(' '))];
  } catch (error) {
    if (isNotReadable(error)) return undefined;
    throw error;
  }
}
