import type { z } from 'zod';
import type { timeline } from '../../shared/operator/timeline-schemas.ts';
import { status } from './screen/looks.ts';
import {
  apart,
  type Cell,
  type Column,
  columns,
  type Fact,
  facts,
  json,
  quote,
  section,
  table,
  type View,
} from './screen/view.ts';
import { spanOf } from './table.ts';
import { attemptOf, costOf, errorLine, tokensOf } from './run-words.ts';
import { changesView, waitOf } from './views.ts';

type Run = z.input<typeof timeline>;

/**
 * A run, and how it came to its present state. `shownSteps`: its steps, as its trail shows them.
 */
export function runView(run: Run, now: number, content: boolean, shownSteps?: View): View {
  const { acts, decisions, models = [], pauses, segments, sends, steps } = run;
  const listOf = <T extends { readonly content?: unknown }>(
    name: string,
    headings: readonly Column[],
    rows: readonly T[],
    cells: (row: T) => readonly Cell[],
  ): View =>
    listed(
      name,
      headings,
      rows.map(cells),
      rows.map((row) => (content && row.content !== undefined ? [json(row.content)] : undefined)),
    );
  return [
    apart(
      [facts(headOf(run, now))],
      listed('timeline', columns('revision', 'state', 'at'), run.timeline.map(lineOf)),
      listed(
        'segments',
        columns('fence', 'enqueued', 'waited', 'worked', 'committed'),
        segments.map(segmentOf),
      ),
      shownSteps === undefined
        ? listOf('steps', columns('step', 'kind', 'at', 'fence'), steps, stepOf)
        : section('steps', ...shownSteps),
      listOf('pauses', columns('pause', 'kind', 'at', 'came out'), pauses, pauseOf),
      listOf(
        'decisions',
        columns('pause', 'kind', 'by', 'mode', 'state', 'at', 'id'),
        decisions,
        decisionOf,
      ),
      listOf('events', columns('event', 'name', 'by', 'at'), run.events, eventOf),
      listed(
        'models',
        columns('model', 'turns', 'input', 'output', 'cached', 'reasoning', 'cost'),
        models.map(modelOf),
      ),
      errorsView(run.errors),
      listed('acts', actColumns(acts), acts.map(actOf)),
      listOf('sends', columns('send', 'remote', 'state', 'prepared', ''), sends, sendOf),
    ),
  ];
}

function listed(
  name: string,
  headings: readonly Column[],
  rows: readonly (readonly Cell[])[],
  below?: readonly (View | undefined)[],
): View {
  if (rows.length === 0) return [];
  return section(name, table({ columns: headings, rows, ...(below !== undefined && { below }) }));
}

function headOf(run: Run, now: number): readonly Fact[] {
  const { dependency, limits, spent } = run;
  const used = (Object.keys(spent) as (keyof typeof spent)[])
    .filter((name) => (spent[name] ?? 0) > 0)
    .map((name) => `${name} ${spent[name]}${limits[name] === undefined ? '' : `/${limits[name]}`}`);
  return [
    ['run', run.id],
    ['agent', run.agent],
    ['owner', run.owner === undefined || run.owner === '' ? undefined : run.owner],
    ['context', run.context],
    ['status', [status(run.status), ` (task: ${run.state})`]],
    [run.reason === undefined ? 'waits for' : 'reason', waitOf(run, now) || undefined],
    ['attempt', attemptOf(run)],
    ['last error', run.lastError && errorLine(run.lastError)],
    ['progress', run.progress],
    ['digest', run.blocked?.digest ?? run.waitsFor?.digest],
    ['changed', run.changes && changesView(run.changes)],
    ['send', dependency?.send],
    ['remote task', dependency?.operation?.taskId],
    [
      'looks',
      dependency && [
        `${dependency.looks}, failed in a row ${dependency.failures}, next `,
        { at: dependency.nextLookAt, both: true },
      ],
    ],
    ['created', { at: run.createdAt, both: true }],
    ['deadline', run.open ? { at: run.deadlineAt, both: true } : undefined],
    ['removed', run.purgeAt === undefined ? undefined : { at: run.purgeAt, both: true }],
    ['model', run.model],
    ['tokens', tokensOf(run.used)],
    ['cost', costOf(run.used) || undefined],
    ['used', used.length === 0 ? undefined : used.join(', ')],
    ['you may', run.may.join(', ')],
  ];
}

const exactly = (at: number): Cell => ({ at, iso: true });

const modelOf = (use: NonNullable<Run['models']>[number]): readonly Cell[] => [
  use.model,
  ...[use.turns, use.input, use.output, use.cached, use.reasoning].map(String),
  costOf(use),
];

const lineOf = ({ at, revision, state }: Run['timeline'][number]): readonly Cell[] => [
  String(revision),
  state,
  exactly(at),
];

const eventOf = ({ at, by, name, number }: Run['events'][number]): readonly Cell[] => [
  String(number),
  name,
  by,
  exactly(at),
];

function segmentOf(segment: Run['segments'][number]): readonly Cell[] {
  const { committed, enqueued, fence, waited, worked } = segment;
  return [
    String(fence),
    exactly(enqueued),
    spanOf(waited),
    worked === undefined ? '-' : spanOf(worked),
    committed === undefined ? 'not yet, or its worker was lost' : exactly(committed),
  ];
}

const stepOf = ({ at, fence, kind, step }: Run['steps'][number]): readonly Cell[] => [
  String(step),
  kind,
  exactly(at),
  String(fence),
];

const pauseOf = (pause: Run['pauses'][number]): readonly Cell[] => [
  String(pause.generation),
  pause.kind,
  exactly(pause.at),
  pause.resolution ?? '',
];

const decisionOf = (decision: Run['decisions'][number]): readonly Cell[] => [
  String(decision.generation),
  decision.kind,
  decision.by,
  decision.mode,
  decision.state,
  exactly(decision.storedAt),
  { id: decision.id },
];

/** Few runs were made of others. */
const actColumns = (acts: Run['acts']): readonly Column[] =>
  acts.some(({ run }) => run !== undefined)
    ? columns('act', 'at', 'operator', 'send', 'run')
    : columns('act', 'at', 'operator', 'send');

const actOf = ({ at, kind, operator, run, send }: Run['acts'][number]): readonly Cell[] => [
  kind,
  exactly(at),
  operator ?? '-',
  send === undefined ? '' : { id: send },
  ...(run === undefined ? [] : [{ id: run }]),
];

/** Each with its words, where they are shown to this operator. */
export function errorsView(errors: Run['errors']): View {
  const rows = errors.map(({ at, attempt, fault, status: code, tool, where }): readonly Cell[] => [
    exactly(at),
    tool === undefined ? where : `${where} ${tool}`,
    String(attempt),
    { text: fault, look: 'bad' },
    code === undefined ? '' : String(code),
  ]);
  const words = errors.map((error) =>
    error.words === undefined ? undefined : [quote(error.words)],
  );
  return listed('errors', columns('at', 'where', 'attempt', 'class', 'status'), rows, words);
}

function sendOf(send: Run['sends'][number]): readonly Cell[] {
  const notes = [
    send.reason ?? '',
    send.replaces === undefined ? '' : `in place of ${send.replaces}`,
    send.replacedBy === undefined ? '' : `replaced by ${send.replacedBy}`,
    cancelOf(send),
    `context ${send.contextId}`,
    send.card === undefined ? '' : `at ${send.card}`,
  ];
  const said = notes.filter((note) => note !== '').join('; ');
  return [{ id: send.id }, send.remote, send.state, exactly(send.preparedAt), said];
}

function cancelOf({ cancelled, cancelledAt }: Run['sends'][number]): string {
  if (cancelled !== undefined) return `cancel: ${cancelled}`;
  return cancelledAt === undefined ? '' : 'cancel: no answer yet';
}
