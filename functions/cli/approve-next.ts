import { inboxResponse } from '../../shared/operator/inbox-schemas.ts';
import { receipt } from '../../shared/operator/receipt-schema.ts';
import { timeline } from '../../shared/operator/timeline-schemas.ts';
import { CliError, EXIT, usage } from './cli-error.ts';
import type { Found, Surroundings } from './command.ts';
import { heldIn, heldView } from './decide.ts';
import { line } from './screen/view.ts';

const ANSWERS = { y: 'approve', n: 'deny', s: 'skip', q: 'quit' } as const;
type Answer = (typeof ANSWERS)[keyof typeof ANSWERS];

interface Counts {
  readonly approved: number;
  readonly denied: number;
  readonly skipped: number;
}

/**
 * Walks the approvals of the inbox, longest wait first: shows each call whole, and decides about
 * exactly what was shown. One that has moved meanwhile is left. Throws CliError without a terminal.
 */
export async function approveNext(around: Surroundings): Promise<Found> {
  const { ask } = around;
  if (ask === undefined)
    throw usage('approve --next asks about each run, and there is no terminal to ask at');
  const seen = new Set<string>();
  let counts: Counts = { approved: 0, denied: 0, skipped: 0 };
  for (;;) {
    const { value: inbox } = await around.client.get('/inbox', inboxResponse);
    const next = inbox.decisions.find(
      ({ generation, id, kind }) => kind === 'approval' && !seen.has(`${id} ${generation}`),
    );
    if (next === undefined) {
      const inputs = inbox.decisions.filter(({ kind }) => kind === 'input').length;
      return summary(counts, inputs);
    }
    seen.add(`${next.id} ${next.generation}`);
    const did = await one(around, ask, next.id, next.generation);
    if (did === 'quit') return summary(counts, 0);
    counts = counted(counts, did);
  }
}

async function one(
  around: Surroundings,
  ask: NonNullable<Surroundings['ask']>,
  id: string,
  generation: number,
): Promise<Answer | 'moved'> {
  const { client, json } = around;
  const say = (words: string): void => (json ? undefined : around.show(words));
  const { value: run } = await client.get(`/runs/${id}`, timeline);
  const held = heldIn(run);
  // Decided, or asked anew, since the inbox was read.
  if (held?.kind !== 'approval' || held.generation !== generation) return 'moved';
  const answer = await answerOf((question) => ask(heldView(run, held), question));
  if (answer === 'quit' || answer === 'skip') return answer;
  const note = answer === 'deny' ? (await ask('', NOTE)).trim() : '';
  const body = {
    kind: answer,
    ...(note !== '' && { note }),
    pauseGeneration: held.generation,
    ...(held.digest !== undefined && { digest: held.digest }),
    mode: 'stored',
  };
  try {
    const { value } = await client.post(`/runs/${id}/decisions`, body, receipt);
    say(`${value.kind}: stored as ${value.id}\n`);
    return answer;
  } catch (error) {
    if (!(error instanceof CliError) || error.exit !== EXIT.refused) throw error;
    say(`nothing was decided: ${error.message}\n`);
    return 'moved';
  }
}

const NOTE = 'Why, for its model to read? Nothing: no reason is given. ';

/** The end of the input is a way to leave, not an answer. */
async function answerOf(ask: (question: string) => Promise<string>): Promise<Answer> {
  for (;;) {
    const given = (await ask('Approve? y(es), n(o), s(kip), q(uit): ')).trim().toLowerCase();
    if (given === '') return 'quit';
    const answer = /^(y|yes|n|no|s|skip|q|quit)$/.test(given) ? letterOf(given) : undefined;
    if (answer !== undefined) return answer;
  }
}

function letterOf(given: string): Answer | undefined {
  const letter = given.slice(0, 1);
  return letter === 'y' || letter === 'n' || letter === 's' || letter === 'q'
    ? ANSWERS[letter]
    : undefined;
}

function counted(counts: Counts, did: Exclude<Answer, 'quit'> | 'moved'): Counts {
  if (did === 'moved') return counts;
  if (did === 'approve') return { ...counts, approved: counts.approved + 1 };
  if (did === 'deny') return { ...counts, denied: counts.denied + 1 };
  return { ...counts, skipped: counts.skipped + 1 };
}

function summary({ approved, denied, skipped }: Counts, inputs: number): Found {
  const none = approved + denied + skipped === 0;
  const what = none
    ? 'no approval was decided'
    : `approved ${approved}, denied ${denied}, skipped ${skipped}`;
  const rest = inputs === 0 ? '' : `; ${inputs} wait for input: holdfast inbox`;
  return { data: { approved, denied, skipped }, text: [line(`${what}${rest}`)] };
}
