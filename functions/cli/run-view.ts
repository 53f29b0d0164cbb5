import type { z } from 'zod';
import type { timeline } from '../../shared/operator/timeline-schemas.ts';
import { asJson, facts, indented, plain, quoted, spanOf, table, timeOf } from './table.ts';
import { changesView, waitOf } from './views.ts';

type Run = z.input<typeof timeline>;

/** A run, and how it came to its present state. */
export function runView(run: Run, now: number, content: boolean): string {
  const { acts, decisions, models = [], pauses, segments, sends, steps } = run;
  const listOf = <T extends { readonly content?: unknown }>(
    headings: readonly string[],
    rows: readonly T[],
    cells: (row: T) => readonly string[],
  ): string | undefined =>
    content ? withContent(headings, rows, cells) : tableOf(headings, rows.map(cells));
  const sections: readonly (readonly [string, string | undefined])[] = [
    ['', headOf(run, now)],
    ['timeline', table(['revision', 'state', 'at'], run.timeline.map(lineOf))],
    [
      'segments',
      tableOf(['fence', 'enqueued', 'waited', 'worked', 'committed'], segments.map(segmentOf)),
    ],
    ['steps', listOf(['step', 'kind', 'at', 'fence'], steps, stepOf)],
    ['pauses', listOf(['pause', 'kind', 'at', 'came out'], pauses, pauseOf)],
    [
      'decisions',
      listOf(['pause', 'kind', 'by', 'mode', 'state', 'at', 'id'], decisions, decisionOf),
    ],
    [
      'models',
      tableOf(['model', 'turns', 'input', 'output', 'cached', 'reasoning'], models.map(modelOf)),
    ],
    ['errors', errorsOf(run.errors)],
    ['acts', tableOf(['act', 'at', 'operator', 'send'], acts.map(actOf))],
    ['sends', listOf(['send', 'remote', 'state', 'prepared', ''], sends, sendOf)],
  ];
  return sections
    .flatMap(([name, text]) => {
      if (text === undefined) return [];
      return [name === '' ? text : `${name}\n${indented(text)}`];
    })
    .join('\n\n');
}

function headOf(run: Run, now: number): string {
  const { dependency, limits, spent } = run;
  const used = (Object.keys(spent) as (keyof typeof spent)[])
    .filter((name) => (spent[name] ?? 0) > 0)
    .map((name) => `${name} ${spent[name]}${limits[name] === undefined ? '' : `/${limits[name]}`}`);
  return facts([
    ['run', run.id],
    ['agent', plain(run.agent)],
    ['owner', run.owner === undefined || run.owner === '' ? undefined : plain(run.owner)],
    ['context', plain(run.context)],
    ['status', `${plain(run.status)} (task: ${run.state})`],
    [run.reason === undefined ? 'waits for' : 'reason', waitOf(run, now) || undefined],
    ['digest', run.blocked?.digest ?? run.waitsFor?.digest],
    ['changed', run.changes && changesView(run.changes)],
    ['send', dependency?.send],
    [
      'remote task',
      dependency?.operation === undefined ? undefined : plain(dependency.operation.taskId),
    ],
    [
      'looks',
      dependency &&
        `${dependency.looks}, failed in a row ${dependency.failures}, next ${timeOf(dependency.nextLookAt)}`,
    ],
    ['created', timeOf(run.createdAt)],
    ['deadline', run.open ? timeOf(run.deadlineAt) : undefined],
    ['removed', run.purgeAt === undefined ? undefined : timeOf(run.purgeAt)],
    ['used', used.length === 0 ? undefined : used.join(', ')],
    ['you may', run.may.join(', ')],
  ]);
}

const modelOf = (use: NonNullable<Run['models']>[number]): readonly string[] => [
  plain(use.model),
  ...[use.turns, use.input, use.output, use.cached, use.reasoning].map(String),
];

const lineOf = ({ at, revision, state }: Run['timeline'][number]): readonly string[] => [
  String(revision),
  state,
  timeOf(at),
];

function segmentOf(segment: Run['segments'][number]): readonly string[] {
  const { committed, enqueued, fence, waited, worked } = segment;
  return [
    String(fence),
    timeOf(enqueued),
    spanOf(waited),
    worked === undefined ? '-' : spanOf(worked),
    committed === undefined ? 'not yet, or its worker was lost' : timeOf(committed),
  ];
}

const stepOf = ({ at, fence, kind, step }: Run['steps'][number]): readonly string[] => [
  String(step),
  kind,
  timeOf(at),
  String(fence),
];

const pauseOf = (pause: Run['pauses'][number]): readonly string[] => [
  String(pause.generation),
  pause.kind,
  timeOf(pause.at),
  pause.resolution ?? '',
];

const decisionOf = (decision: Run['decisions'][number]): readonly string[] => [
  String(decision.generation),
  decision.kind,
  decision.by,
  decision.mode,
  decision.state,
  timeOf(decision.storedAt),
  decision.id,
];

const actOf = ({ at, kind, operator, send }: Run['acts'][number]): readonly string[] => [
  plain(kind),
  timeOf(at),
  operator === undefined ? '-' : plain(operator),
  send ?? '',
];

/** Each with its words, where they are shown to this operator. */
function errorsOf(errors: Run['errors']): string | undefined {
  if (errors.length === 0) return undefined;
  const rows = errors.map(({ at, attempt, fault, status, tool, where }) => [
    timeOf(at),
    tool === undefined ? plain(where) : `${plain(where)} ${plain(tool)}`,
    String(attempt),
    plain(fault),
    status === undefined ? '' : String(status),
  ]);
  const [head = '', ...lines] = table(['at', 'where', 'attempt', 'class', 'status'], rows).split(
    '\n',
  );
  const body = lines.flatMap((line, at) => {
    const words = errors[at]?.words;
    return words === undefined ? [line] : [line, indented(quoted(words))];
  });
  return [head, ...body].join('\n');
}

function sendOf(send: Run['sends'][number]): readonly string[] {
  const notes = [
    send.reason === undefined ? '' : plain(send.reason),
    send.replaces === undefined ? '' : `in place of ${send.replaces}`,
    send.replacedBy === undefined ? '' : `replaced by ${send.replacedBy}`,
    cancelOf(send),
    `context ${plain(send.contextId)}`,
    send.card === undefined ? '' : `at ${plain(send.card)}`,
  ];
  const said = notes.filter((note) => note !== '').join('; ');
  return [send.id, plain(send.remote), send.state, timeOf(send.preparedAt), said];
}

function cancelOf({ cancelled, cancelledAt }: Run['sends'][number]): string {
  if (cancelled !== undefined) return `cancel: ${plain(cancelled)}`;
  return cancelledAt === undefined ? '' : 'cancel: no answer yet';
}

function tableOf(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
): string | undefined {
  return rows.length === 0 ? undefined : table(headings, rows);
}

/** A table, and below it what its rows hold, if that is shown to this operator. */
function withContent<T extends { readonly content?: unknown }>(
  headings: readonly string[],
  rows: readonly T[],
  cells: (row: T) => readonly string[],
): string | undefined {
  if (rows.length === 0) return undefined;
  const lines = table(headings, rows.map(cells)).split('\n');
  const [head = '', ...rest] = lines;
  const body = rest.map((line, at) => {
    const content = rows[at]?.content;
    return content === undefined ? line : `${line}\n${indented(indented(asJson(content)))}`;
  });
  return [head, ...body].join('\n');
}
