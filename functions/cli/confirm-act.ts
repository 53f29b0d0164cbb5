import { timeline } from '../../shared/operator/timeline-schemas.ts';
import { CliError, EXIT } from './cli-error.ts';
import type { Surroundings } from './command.ts';
import { facts, line } from './screen/view.ts';
import { plain } from './table.ts';
import { changesView, rowView } from './views.ts';

/** Asks before a send is acted on. One that the API will refuse is left
 * to its words. */
export async function confirmSend(
  around: Surroundings,
  id: string,
  question: string,
): Promise<void> {
  const run = await runOf(around, id.split('.')[0] ?? '');
  const send = run?.sends.find((each) => each.id === decodeURIComponent(id));
  if (run?.may.includes('send') !== true || send === undefined) return;
  const shown = [
    facts([
      ['send', send.id],
      ['of', `${run.agent}, to ${send.remote}`],
      ['state', send.reason === undefined ? send.state : `${send.state} (${send.reason})`],
      ['prepared', { at: send.preparedAt, both: true }],
    ]),
  ];
  await around.confirm({ shown, question });
}

/** Asks before a run is cancelled. One that it will refuse is left to its words. */
export async function confirmCancel(around: Surroundings, id: string): Promise<void> {
  const run = await runOf(around, id);
  if (run?.open === true && run.may.includes('cancel'))
    await around.confirm({ shown: rowView(run, around.now), question: 'Cancel it' });
}

/**
 * The digest of the changes that a run is to go on with: the one that is named, or that of those
 * which block it, after they were shown and a person has said yes.
 */
export async function confirmContinue(around: Surroundings, id: string): Promise<string> {
  const { digest: named } = around.options;
  if (typeof named === 'string') return named;
  const { value: run } = await around.client.get(`/runs/${id}`, timeline);
  if (run.blocked === undefined)
    throw new CliError(EXIT.refused, `the run is not blocked: it is ${plain(run.status)}`);
  const { digest } = run.blocked;
  // The API says what is missing.
  if (!run.may.includes('decide')) return digest;
  const shown = [
    facts([
      ['run', run.id],
      ['agent', run.agent],
      ['blocked', changesView(run.blocked.changes)],
    ]),
    line('A call of what is gone gets an error result; what changed is called as it is now.'),
  ];
  await around.confirm({ shown, question: 'Let it go on' }, '--digest', digest);
  return digest;
}

async function runOf({ client }: Surroundings, id: string) {
  try {
    return (await client.get(`/runs/${id}`, timeline)).value;
  } catch (error) {
    if (error instanceof CliError && error.exit === EXIT.refused) return undefined;
    throw error;
  }
}
