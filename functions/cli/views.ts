import type { z } from 'zod';
import type { asked } from '../../shared/operator/asked-schema.ts';
import type { inboxResponse } from '../../shared/operator/inbox-schemas.ts';
import type { runPage, runRow } from '../../shared/operator/run-schemas.ts';
import type { sendResponse } from '../../shared/operator/send-schemas.ts';
import type { statusResponse } from '../../shared/operator/status-schemas.ts';
import { asJson, facts, indented, plain, quoted, spanOf, table, timeOf } from './table.ts';

type Row = z.input<typeof runRow>;

export function statusView(status: z.input<typeof statusResponse>): string {
  const {
    at,
    blocked,
    changed,
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
  return facts([
    ['at', timeOf(at)],
    ['queued', String(queued)],
    ['running', String(running)],
    ['waiting for approval', String(approval)],
    ['waiting for input', String(input)],
    ['waiting for remote', `${dependency}, of which sends with an unknown outcome: ${unknownSend}`],
    ['expired leases', `${expiredLeases} (looked at the first ${looked} due rows)`],
    [
      'dead-lettered',
      `${dead} of the runs that are kept: attempts exhausted ${deadLettered.attemptsExhausted}, effect unknown ${deadLettered.effectUnknown}`,
    ],
    ['blocked', String(blocked)],
    [
      'oldest wait',
      oldestWait &&
        `${spanOf(at - oldestWait.since)} ${oldestWait.status} ${oldestWait.id ?? '(not yours to see)'}`,
    ],
    ['parked webhooks', parkedView(parkedWebhooks, at)],
    ...pausedAgents.map(
      ({ agent, since }) =>
        [
          'paused',
          `${plain(agent)} for ${spanOf(at - since)}: holdfast resume ${plain(agent)}`,
        ] as const,
    ),
    ...changed.map(
      ({ agent, changes, id, status: waits }) =>
        ['changed', `${id} of ${plain(agent)}, ${plain(waits)}: ${changesView(changes)}`] as const,
    ),
  ]);
}

type Parked = z.input<typeof statusResponse>['parkedWebhooks'];

function parkedView({ count, oldest }: Parked, now: number): string {
  if (count === 0) return '0';
  if (oldest === undefined) return `${count}: holdfast webhooks`;
  const id = oldest.id === undefined ? '(not yours to see)' : plain(oldest.id);
  return `${count}, the oldest for ${spanOf(now - oldest.since)} ${id}: holdfast webhooks`;
}

export function runsView(page: z.input<typeof runPage>, now: number): string {
  const { cursor, runs, sortedAmong, stoppedAfter } = page;
  const rows = runs.map((run) => [
    run.id,
    plain(run.agent),
    plain(run.status),
    `${spanOf(now - run.statusAt)} ago`,
    waitOf(run, now),
  ]);
  const list =
    runs.length === 0 ? 'no runs' : table(['run', 'agent', 'status', 'changed', ''], rows);
  const notes = [
    ...(sortedAmong === undefined
      ? []
      : [`sorted among the ${sortedAmong} whose change is the newest: filter more`]),
    ...(stoppedAfter === undefined ? [] : [`stopped after looking at ${stoppedAfter} runs`]),
    ...(cursor === undefined ? [] : [`more: --cursor ${cursor}`]),
  ];
  return notes.length === 0 ? list : `${list}\n\n${notes.join('\n')}`;
}

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
  const { generation, kind, remote, since, until } = waitsFor;
  const who = remote === undefined ? '' : ` of ${plain(remote)}`;
  const end = until === undefined ? '' : `, ${spanOf(until - now)} left`;
  return `${kind}${who} for ${spanOf(now - since)}${end} (pause ${generation})`;
}

export function inboxView(
  { blocked, decisions, more, sends }: z.input<typeof inboxResponse>,
  now: number,
): string {
  const parts = decisions.map(({ agent, asked, digest, generation, id, kind, since }) => {
    const verbs = kind === 'approval' ? 'holdfast approve|deny' : 'holdfast input';
    const values = kind === 'approval' ? '' : ' <text or json>';
    return [
      `${kind} of ${plain(agent)}, for ${spanOf(now - since)}: ${verbs} ${id}${values}`,
      indented(`pause ${generation}${digest === undefined ? '' : `, digest ${digest}`}`),
      ...(asked === undefined ? [] : [indented(askedView(asked))]),
    ].join('\n');
  });
  const unknown = sends.map(({ agent, id, reason, remote, since, state, until }) =>
    [
      `send of ${plain(agent)} to ${plain(remote)}, for ${spanOf(now - since)}: holdfast resend|link|abandon ${id}`,
      indented(
        `${state}${reason === undefined ? '' : ` (${plain(reason)})`}; the run goes on without it in ${spanOf(until - now)}`,
      ),
    ].join('\n'),
  );
  const stopped = blocked.map(({ agent, blocked: why, id }) =>
    [
      `blocked run of ${plain(agent)}, for ${spanOf(now - why.since)}: holdfast continue|cancel ${id}`,
      indented(`${changesView(why.changes)}; it looks again at ${timeOf(why.next)}`),
    ].join('\n'),
  );
  const all = [...parts, ...unknown, ...stopped];
  if (all.length === 0) return 'nothing waits for you';
  return [...all, ...(more ? ['... and more'] : [])].join('\n\n');
}

type Asked = z.input<typeof asked>;

/** What the agent says stands behind bars, so that no words of it pass for a call. */
export function askedView({ calls, schema, words }: Asked): string {
  return [
    ...words.map((part) => quoted(wordOf(part))),
    ...calls.map(
      ({ arguments: given, summary, tool }) =>
        `call ${plain(tool)}\n${indented([quoted(summary), ...(given === undefined ? [] : [asJson(given)])].join('\n'))}`,
    ),
    ...(schema === undefined ? [] : [`wants ${asJson(schema)}`]),
  ].join('\n');
}

/** A part in words, if it has words: as others wrote them, for plain() or quoted(). */
export function wordOf(part: unknown): string {
  if (typeof part !== 'object' || part === null) return '';
  if ('text' in part && typeof part.text === 'string') return part.text;
  return 'raw' in part ? '(bytes)' : asJson(part);
}

export function sendView({ reason, run, send, state }: z.input<typeof sendResponse>): string {
  return facts([
    ['send', send],
    ['state', state],
    ['reason', reason === undefined ? undefined : plain(reason)],
    ['run', run],
  ]);
}

export function rowView(row: Row, now: number): string {
  return facts([
    ['run', row.id],
    ['agent', plain(row.agent)],
    ['status', plain(row.status)],
    ['', waitOf(row, now) || undefined],
  ]);
}
