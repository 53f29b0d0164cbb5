import type { z } from 'zod';
import { auditPage } from '../../shared/operator/audit-operation.ts';
import type { Command, Found, Surroundings } from './command.ts';
import { type Cell, type Column, table, type View } from './screen/view.ts';
import { jsonLine } from './table.ts';
import { more } from './views.ts';
import { instantOf } from './when.ts';

type Page = z.input<typeof auditPage>;

const COLUMNS: readonly Column[] = [
  { name: 'at', fixed: true },
  { name: 'operator' },
  { name: 'act', fixed: true },
  { name: 'run' },
  { name: 'agent' },
  { name: 'outcome' },
  { name: 'subject', hidden: true },
];

/** Entries of a page of an export. */
const MOST = '1000';

/** What operators did. */
export const AUDIT: Command = {
  name: 'audit',
  summary: 'what operators did, oldest first; --json exports all of it, one entry a line',
  columns: COLUMNS,
  examples: [
    'audit --since 1d',
    'audit --run 98d1831f-f093-48ad-947e-05f306c18e87',
    'audit --json',
  ],
  options: [
    { name: 'since', value: 'when', help: 'at or after it: 2h or 1d ago, or 2026-01-31T12:00:00Z' },
    { name: 'until', value: 'when', help: 'before it' },
    { name: 'operator', value: 'name', help: 'what this operator did' },
    { name: 'act', value: 'act', help: 'such as approve, cancel, tighten or purge' },
    { name: 'run', value: 'id', help: 'what was done to this run, which may be removed by now' },
    { name: 'limit', value: 'number', help: 'entries of a page, 1000 at most (default 100)' },
    { name: 'cursor', value: 'cursor', help: 'goes on where a page ended' },
  ],
  run: (around) => (around.json ? exported(around) : shown(around)),
};

async function shown(around: Surroundings): Promise<Found> {
  const { raw, value } = await pageOf(around, around.options['cursor']);
  return { data: raw, text: auditView(value) };
}

/** Every entry from there on, each in a line of its own as it comes. */
async function exported(around: Surroundings): Promise<Found> {
  const { limit = MOST, cursor: from } = around.options;
  const wanted = { ...around, options: { ...around.options, limit } };
  for (let cursor = from; ; ) {
    const { value } = await pageOf(wanted, cursor);
    for (const { at, ...entry } of value.entries)
      around.show(jsonLine({ at: new Date(at).toISOString(), ...entry }));
    if (value.cursor === undefined) return { data: undefined, text: '' };
    ({ cursor } = value);
  }
}

function pageOf({ client, now, options }: Surroundings, cursor: string | boolean | undefined) {
  const query = new URLSearchParams();
  for (const name of ['since', 'until', 'operator', 'act', 'run', 'limit']) {
    const given = options[name];
    if (typeof given !== 'string') continue;
    const instant = name === 'since' || name === 'until';
    query.set(name, instant ? instantOf(name, given, now) : given);
  }
  if (typeof cursor === 'string') query.set('cursor', cursor);
  const text = query.toString();
  return client.get(text === '' ? '/audit' : `/audit?${text}`, auditPage);
}

function auditView({ cursor, entries }: Page): View {
  const rows = entries.map((entry): readonly Cell[] => {
    const { act, agent = '', at, operator = '(not readable)', outcome = '', run, subject } = entry;
    return [
      { at, iso: true },
      operator,
      act,
      run === undefined ? '' : { id: run },
      agent,
      outcome === '' ? (subject ?? '') : outcome,
      subject ?? '',
    ];
  });
  return [table({ columns: COLUMNS, rows, none: 'nothing is noted' }), ...more(cursor)];
}
