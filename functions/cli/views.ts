import type { z } from 'zod';
import type { asked } from '../../shared/operator/asked-schema.ts';
import type { inboxResponse } from '../../shared/operator/inbox-schemas.ts';
import type { runPage, runRow } from '../../shared/operator/run-schemas.ts';
import type { sendResponse } from '../../shared/operator/send-schemas.ts';
import type { statusResponse } from '../../shared/operator/status-schemas.ts';
import { circuitCell } from './remotes.ts';
import { status as statusWords } from './screen/looks.ts';
import {
  apart,
  type Cell,
  type Column,
  type Fact,
  facts,
  indent,
  json,
  line,
  quote,
  table,
  type View,
} from './screen/view.ts';
import { costOf, triesOf } from './run-words.ts';
import { asJson, plain, spanOf } from './table.ts';

type Row = z.input<typeof runRow>;

/** A number that should be 0. */
const alarming = (count: number, text = String(count)): Cell =>
  count === 0 ? text : { text, look: 'bad' };

export function statusView(status: z.input<typeof statusResponse>): View {
  const {
    at,
    blocked,
    changed,
    circuits,
    deadLettered,
    expiredLeases,
    looked,
    oldestWait,
    parkedWebhooks,
    pausedAgents,
    queued,
    running,
    waiting,
  } = status;
  const { approval, dependency, input, unknownSend } = waiting;
  const dead = deadLettered.attemptsExhausted + deadLettered.effectUnknown;
  const { attemptsExhausted, effectUnknown } = deadLettered;
  const exhausted = `of the runs that are kept: attempts exhausted ${attemptsExhausted}, effect unknown ${effectUnknown}`;
  return [
    facts([
      ['at', { at, iso: true }],
      ['queued', String(queued)],
      ['running', String(running)],
      ['waiting for approval', String(approval)],
      ['waiting for input', String(input)],
      [
        'waiting for remote',
        [`${dependency}, of which sends with an unknown outcome: `, alarming(unknownSend)],
      ],
      ['expired leases', `${expiredLeases} (looked at the first ${looked} due rows)`],
      ['dead-lettered', [alarming(dead), ` ${exhausted}`]],
      ['blocked', alarming(blocked)],
      [
        'oldest wait',
        oldestWait && [
          `${spanOf(at - oldestWait.since)} `,
          statusWords(oldestWait.status),
          ' ',
          seenId(oldestWait.id),
        ],
      ],
      ['parked webhooks', parkedView(parkedWebhooks, at)],
      ...circuits.map((each): Fact => {
        const then = `: holdfast reset ${each.remote}`;
        return ['remote', [strong(each.remote), ' ', circuitCell(each, at), then]];
      }),
      ...pausedAgents.map(
        ({ agent, since }): Fact => [
          'paused',
          [strong(agent), ` for ${spanOf(at - since)}: holdfast resume ${agent}`],
        ],
      ),
      ...changed.map(
        ({ agent, changes, id, status: waits }): Fact => [
          'changed',
          [{ id }, ` of ${agent}, `, statusWords(waits), `: ${changesView(changes)}`],
        ],
      ),
    ]),
  ];
}

const seenId = (id: string | undefined): Cell => (id === undefined ? '(not yours to see)' : { id });

type Parked = z.input<typeof statusResponse>['parkedWebhooks'];

function parkedView({ count, oldest }: Parked, now: number): readonly Cell[] {
  if (count === 0) return ['0'];
  const counted = alarming(count);
  if (oldest === undefined) return [counted, ': holdfast webhooks'];
  const since = `, the oldest for ${spanOf(now - oldest.since)} `;
  return [counted, since, seenId(oldest.id), ': holdfast webhooks'];
}

/** What a list of runs can show. */
export const RUN_COLUMNS: readonly Column[] = [
  { name: 'run', fixed: true },
  { name: 'agent' },
  { name: 'status', fixed: true },
  { name: 'changed', fixed: true },
  { name: 'cost', right: true, hidden: true },
  { name: 'waits', heading: '' },
  { name: 'reason', hidden: true },
  { name: 'model', hidden: true },
  { name: 'context', hidden: true },
  { name: 'created', hidden: true },
  { name: 'task', hidden: true },
];

/** Costs are shown where there are any. */
const runColumns = (priced: boolean): readonly Column[] =>
  RUN_COLUMNS.map((column) =>
    column.name === 'cost' && priced ? { name: 'cost', right: true } : column,
  );

export function runsView(page: z.input<typeof runPage>, now: number): View {
  const { cursor, runs, sortedAmong, stoppedAfter } = page;
  const priced = runs.some(({ used }) => costOf(used) !== '');
  const rows = runs.map((run): readonly Cell[] => [
    { id: run.id },
    run.agent,
    statusWords(run.status),
    { at: run.statusAt },
    { text: costOf(run.used), sort: run.used?.cost ?? 0 },
    {
      text: waitOf(run, now) || triesOf(run, now),
      ...(run.blocked !== undefined && { look: 'bad' }),
    },
    run.reason ?? '',
    run.model ?? '',
    run.context,
    { at: run.createdAt },
    run.state,
  ]);
  const list = table({ columns: runColumns(priced), rows, none: 'no runs' });
  const notes = [
    ...(sortedAmong === undefined
      ? []
      : [line(`sorted among the ${sortedAmong} whose change is the newest: filter more`)]),
    ...(stoppedAfter === undefined ? [] : [line(`stopped after looking at ${stoppedAfter} runs`)]),
    ...more(cursor),
  ];
  return [apart([list], notes)];
}

/** How a list goes on. */
export const more = (cursor: string | undefined): View =>
  cursor === undefined ? [] : [line(`more: --cursor ${cursor}`)];

/** What is gone or changed, each with what of it. */
export function changesView(changes: NonNullable<Row['blocked']>['changes']): string {
  const said = changes.map(({ changed, kind, name }) => {
    const what = changed.length === 0 ? 'gone' : `changed (${changed.map(plain).join(', ')})`;
    return `${kind} ${plain(name)} is ${what}`;
  });
  return said.join('; ');
}

export function waitOf({ blocked, reason, waitsFor }: Row, now: number): string {
  if (reason !== undefined) return plain(reason);
  if (blocked !== undefined)
    return `blocked for ${spanOf(now - blocked.since)}: ${changesView(blocked.changes)}`;
  if (waitsFor === undefined) return '';
  const { events = [], generation, kind, remote, since, until } = waitsFor;
  const named = events.length === 0 ? '' : ` ${plain(events.join(', '))}`;
  const who = remote === undefined ? named : ` of ${plain(remote)}`;
  const end = until === undefined ? '' : `, ${spanOf(until - now)} left`;
  // What is no pause is named by none.
  const pause = kind === 'event' || kind === 'sleep' ? '' : ` (pause ${generation})`;
  return `${kind}${who} for ${spanOf(now - since)}${end}${pause}`;
}

export function inboxView(
  { blocked, decisions, more: others, sends }: z.input<typeof inboxResponse>,
  now: number,
): View {
  const held = decisions.map(({ agent, asked, digest, generation, id, kind, since }): View => {
    const verbs = kind === 'approval' ? 'holdfast approve|deny' : 'holdfast input';
    const values = kind === 'approval' ? '' : ' <text or json>';
    return [
      line(
        strong(`${kind} of ${agent}`),
        `, for ${spanOf(now - since)}: ${verbs} `,
        { id },
        values,
      ),
      indent(
        line(`pause ${generation}${digest === undefined ? '' : `, digest ${digest}`}`),
        ...(asked === undefined ? [] : askedView(asked)),
      ),
    ];
  });
  const unknown = sends.map(
    ({ agent, id, reason, remote, since, state, until }): View => [
      line(
        strong(`send of ${agent} to ${remote}`),
        `, for ${spanOf(now - since)}: holdfast resend|link|abandon `,
        { id },
      ),
      indent(
        line(
          `${state}${reason === undefined ? '' : ` (${reason})`}; the run goes on without it in ${spanOf(until - now)}`,
        ),
      ),
    ],
  );
  const stopped = blocked.map(
    ({ agent, blocked: why, id }): View => [
      line(
        strong(`blocked run of ${agent}`),
        `, for ${spanOf(now - why.since)}: holdfast continue|cancel `,
        { id },
      ),
      indent(line(`${changesView(why.changes)}; it looks again at `, { at: why.next, iso: true })),
    ],
  );
  const all = [...held, ...unknown, ...stopped];
  if (all.length === 0) return [line('nothing waits for you')];
  return [apart(...all, ...(others ? [[line('... and more')]] : []))];
}

const strong = (text: string): Cell => ({ text, look: 'strong' });

type Asked = z.input<typeof asked>;

/** What the agent says stands behind bars, so that no words of it pass for a call. */
export function askedView({ calls, schema, words }: Asked): View {
  return [
    ...words.map((part) => quote(wordOf(part))),
    ...calls.flatMap(({ arguments: given, summary, tool }) => [
      line('call ', strong(tool)),
      indent(quote(summary), ...(given === undefined ? [] : [json(given)])),
    ]),
    ...(schema === undefined ? [] : [json(schema, 'wants ')]),
  ];
}

/** A part in words, if it has words: as others wrote them, for plain() or quoted(). */
export function wordOf(part: unknown): string {
  if (typeof part !== 'object' || part === null) return '';
  if ('text' in part && typeof part.text === 'string') return part.text;
  return 'raw' in part ? '(bytes)' : asJson(part);
}

export function sendView({ reason, run, send, state }: z.input<typeof sendResponse>): View {
  return [
    facts([
      ['send', send],
      ['state', state],
      ['reason', reason],
      ['run', run],
    ]),
  ];
}

export function rowView(row: Row, now: number): View {
  return [
    facts([
      ['run', row.id],
      ['agent', row.agent],
      ['status', statusWords(row.status)],
      ['', waitOf(row, now) || undefined],
    ]),
  ];
}
