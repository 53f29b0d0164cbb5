import type { z } from 'zod';
import { runPage, type runRow } from '../../shared/operator/run-schemas.ts';
import { type BulkVerb, type Subject, VERBS } from './bulk-verbs.ts';
import { CliError, EXIT, usage } from './cli-error.ts';
import type { Found, Option, Surroundings } from './command.ts';
import { asQuery, queryOf, RUN_FILTERS } from './filters.ts';
import { facts, line, type Fact, type View } from './screen/view.ts';
import { runsView } from './views.ts';
import { instantOf } from './when.ts';

type Row = z.input<typeof runRow>;

/** What is done to many runs at once takes these, besides the filters of the list. */
export const BULK: readonly Option[] = [
  ...RUN_FILTERS,
  { name: 'dry-run', help: 'shows what it would be done to, and ends' },
  {
    name: 'confirm',
    value: 'number',
    help: 'with a filter: does it without a question, to no more runs than that',
  },
  {
    name: 'as-of',
    value: 'when',
    help: 'with --confirm: leaves alone what was accepted, or sent again, since then',
  },
];

/** What the help of such a command says beside its options. */
export const BULK_WORDS =
  'With a filter in the place of an id it is done to every run that the filter chooses: it shows them and asks for their number; without a terminal it needs --confirm and --as-of, which --dry-run shows. It ends with 1 if one of them was refused or left.';

/** More than this are not chosen by one filter. */
const MOST = 10_000;
const AT_ONCE = 8;
/** Rows that are shown before a question. */
const SHOWN = 10;

/** It names no run, and a filter. */
export function isBulk({ args, options }: Surroundings): boolean {
  return args.length === 0 && RUN_FILTERS.some(({ name }) => options[name] !== undefined);
}

/**
 * Does the same to each run that the filters choose, as the single command does it, some at a time.
 * Nothing is done before a person has seen what it would be, and has said the number. Killed in the
 * middle it can be said again: what is done is not done twice.
 */
export async function bulk(around: Surroundings, name: BulkVerb['name']): Promise<Found> {
  const { confirm, json, options, show } = around;
  const verb = VERBS[name];
  if (options['yes'] === true)
    throw usage('many runs are confirmed by their number: --confirm, as --dry-run shows it');
  const allowed = allowedIn(around);
  const asOf = asOfIn(around);
  const chosen = await choose(around, verb, asOf);
  const preview = previewOf(around, verb, chosen);
  const count = chosen.subjects.length;
  const about = { would: count, ...skippedOf(chosen), asOf: new Date(asOf).toISOString() };
  if (options['dry-run'] === true || count === 0) return { data: about, text: preview };
  if (allowed === undefined)
    await confirm(
      { shown: preview, question: verb.question(count), expects: String(count) },
      '--confirm',
      String(count),
      '--as-of',
      about.asOf,
    );
  else if (count > allowed)
    throw new CliError(
      EXIT.refused,
      `nothing was done: these are ${count} by now, more than the ${allowed} of --confirm; look at them with --dry-run`,
    );
  const told = json ? undefined : (done: number) => show(`${done} of ${count}`);
  const outcome = await doAll(around, verb, chosen.subjects, asOf, told);
  return {
    data: { ...about, ...outcome },
    text: outcomeView(outcome),
    ...(outcome.refused.length + outcome.left > 0 && { exit: EXIT.refused }),
  };
}

function asOfIn({ now, options }: Surroundings): number {
  const given = options['as-of'];
  return typeof given === 'string' ? Date.parse(instantOf('as-of', given, now)) : now;
}

function allowedIn({ options }: Surroundings): number | undefined {
  const { confirm: given } = options;
  if (given === undefined) return undefined;
  const allowed = Number(given);
  if (!Number.isSafeInteger(allowed) || allowed < 1)
    throw usage(`--confirm is ${JSON.stringify(given)}; it is the number of runs`);
  // Without it, a repetition could not tell what it has done already from what is new.
  if (options['as-of'] === undefined)
    throw usage('--confirm goes with --as-of; without both it shows them and asks, or --dry-run');
  return allowed;
}

interface Chosen {
  readonly subjects: readonly Subject[];
  /** Rows of the subjects, in their order. */
  readonly rows: readonly Row[];
  /** Runs that the filters choose and that are left alone: no right, done before. */
  readonly without: number;
  readonly before: number;
}

async function choose(around: Surroundings, verb: BulkVerb, asOf: number): Promise<Chosen> {
  const query = queryOf(around, RUN_FILTERS);
  for (const [name, value] of Object.entries(verb.always))
    if (!query.has(name)) query.set(name, value);
  query.set('limit', '100');
  const chosen = { subjects: new Array<Subject>(), rows: new Array<Row>(), without: 0, before: 0 };
  for (;;) {
    const { value: page } = await around.client.get(`/runs${asQuery(query)}`, runPage);
    for (const row of page.runs) {
      const subject = verb.subjectOf(row);
      if (subject === undefined || row.createdAt > asOf) continue;
      if (!row.may.includes(verb.right)) chosen.without += 1;
      else if ((subject.doneAt ?? 0) > asOf || subject.done === true) chosen.before += 1;
      else {
        chosen.subjects.push(subject);
        chosen.rows.push(row);
      }
    }
    if (chosen.subjects.length > MOST)
      throw usage(`more than ${MOST} runs are chosen by this; give a narrower filter`);
    if (page.cursor === undefined) return chosen;
    query.set('cursor', page.cursor);
  }
}

function skippedOf({ before, without }: Chosen) {
  return {
    ...(before > 0 && { doneBefore: before }),
    ...(without > 0 && { withoutRight: without }),
  };
}

function previewOf({ now }: Surroundings, verb: BulkVerb, chosen: Chosen): View {
  const { before, rows, subjects, without } = chosen;
  const summary = facts([
    [verb.name, `${subjects.length} ${subjects.length === 1 ? 'run' : 'runs'}`],
    ...counted('of', rows, ({ agent }) => agent),
    ...counted(
      'because',
      rows,
      ({ reason, status, waitsFor }) => reason ?? waitsFor?.kind ?? status,
    ),
    ['left alone', before === 0 ? undefined : `${before}: done before`],
    ['not yours', without === 0 ? undefined : `${without}: the right ${verb.right} is missing`],
  ]);
  if (rows.length === 0) return [summary];
  const first = runsView({ runs: rows.slice(0, SHOWN) }, now);
  const more = rows.length > SHOWN ? [line(`... and ${rows.length - SHOWN} more`)] : [];
  return [summary, ...first, ...more];
}

function counted(name: string, rows: readonly Row[], by: (row: Row) => string): readonly Fact[] {
  const counts = new Map<string, number>();
  for (const row of rows) counts.set(by(row), (counts.get(by(row)) ?? 0) + 1);
  const most = [...counts].toSorted(([, a], [, b]) => b - a);
  if (most.length === 0) return [];
  return [[name, most.map(([what, count]) => `${what} ${count}`).join(', ')]];
}

/** What became of it. */
interface Outcome {
  readonly done: number;
  /** It was so already. */
  readonly already: number;
  readonly refused: readonly { readonly id: string; readonly why: string }[];
  /** The API was not reached any more. */
  readonly left: number;
}

async function doAll(
  { client }: Surroundings,
  verb: BulkVerb,
  subjects: readonly Subject[],
  asOf: number,
  told: ((done: number) => void) | undefined,
): Promise<Outcome> {
  const refused: { id: string; why: string }[] = [];
  const step = Math.max(AT_ONCE, Math.ceil(subjects.length / 10));
  let already = 0;
  let done = 0;
  for (let at = 0; at < subjects.length; at += AT_ONCE) {
    const some = subjects.slice(at, at + AT_ONCE);
    const outcomes = await Promise.allSettled(some.map((each) => verb.act(client, each, asOf)));
    for (const [index, outcome] of outcomes.entries()) {
      if (outcome.status === 'fulfilled') done += 1;
      else {
        const error: unknown = outcome.reason;
        if (!(error instanceof CliError)) throw error;
        if (error.exit === EXIT.access)
          return {
            done,
            already,
            refused,
            left: subjects.length - done - already - refused.length,
          };
        if (verb.over.includes(error.code ?? '')) already += 1;
        else refused.push({ id: some[index]?.id ?? '', why: error.message });
      }
    }
    const all = at + some.length;
    if (Math.floor(all / step) > Math.floor(at / step) || all === subjects.length) told?.(all);
  }
  return { done, already, refused, left: 0 };
}

function outcomeView({ already, done, left, refused }: Outcome): View {
  return [
    facts([
      ['done', String(done)],
      ['already so', already === 0 ? undefined : String(already)],
      ['refused', refused.length === 0 ? undefined : { text: String(refused.length), look: 'bad' }],
      [
        'left',
        left === 0
          ? undefined
          : { text: `${left}: the API is not reached; the same command goes on`, look: 'bad' },
      ],
    ]),
    ...refused.slice(0, SHOWN).map(({ id, why }) => line({ id }, ` ${why}`)),
    ...(refused.length > SHOWN ? [line(`... and ${refused.length - SHOWN} more`)] : []),
  ];
}
