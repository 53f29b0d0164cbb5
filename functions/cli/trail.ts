import type { z } from 'zod';
import { trail } from '../../shared/operator/trail-schemas.ts';
import { usage } from './cli-error.ts';
import type { Command, Surroundings } from './command.ts';
import { errorsView } from './run-view.ts';
import {
  apart,
  type Cell,
  type Column,
  facts,
  indent,
  json,
  line,
  quote,
  table,
  type View,
} from './screen/view.ts';
import { spanOf } from './table.ts';

type Trail = z.input<typeof trail>;
export type Step = Trail['steps'][number];

const COLUMNS: readonly Column[] = [
  { name: 'step', fixed: true, right: true },
  { name: 'kind', fixed: true },
  { name: 'name' },
  { name: 'status' },
  { name: 'at', fixed: true },
  { name: 'took', right: true },
  { name: 'attempt', right: true },
  { name: 'fence', hidden: true, right: true },
  { name: 'notes', heading: '' },
];

/** Steps of a run, as far as they are kept. */
export const TRAIL: Command = {
  name: 'trail',
  takes: '<run>',
  summary: 'what a run did, step by step, also after its end, as far as it is kept',
  examples: ['trail 98d1831f', 'trail 98d1831f --from 101'],
  options: [
    { name: 'from', value: 'number', help: 'number of the first step (default 1)' },
    { name: 'limit', value: 'number', help: 'so many of them, 200 at most (default: all)' },
  ],
  watchable: true,
  async run(around) {
    const [id] = around.args;
    if (id === undefined || id === '') throw usage('the id of the run is missing');
    const { raw, value } = await trailOf(around, id);
    return { data: raw, text: trailView(value) };
  },
};

/** Of the requests that a long trail takes; the server has no larger pages. */
const PAGE = 200;

/** The trail of that run, from `--from` on: as one page of `--limit`, or all of it. */
export async function trailOf(
  { client, options }: Pick<Surroundings, 'client' | 'options'>,
  id: string,
) {
  const { from: given = '', limit } = options;
  const path = `/runs/${encodeURIComponent(id)}/trail`;
  const page = (from: string, most: string) => {
    const query = new URLSearchParams({ limit: most, ...(from !== '' && { from }) });
    return client.get(`${path}?${query}`, trail);
  };
  const first = await page(String(given), typeof limit === 'string' ? limit : String(PAGE));
  if (limit !== undefined || first.value.next === undefined) return first;
  const steps = [...first.value.steps];
  let last = first.value;
  while (last.next !== undefined) {
    last = (await page(String(last.next), String(PAGE))).value;
    steps.push(...last.steps);
  }
  const value = { ...last, steps };
  return { raw: value, value };
}

function trailView(found: Trail): View {
  const { agent, errors, run } = found;
  const head = facts([
    ['run', { id: run }],
    ['agent', agent],
    ['kept', keptOf(found)],
  ]);
  return [apart([head], stepsView(found), errorsView(errors))];
}

function keptOf({ keptUntil, level, open }: Trail): Cell | readonly Cell[] {
  if (open) return `${level}, once the run has ended; until then everything`;
  return keptUntil === undefined ? level : [`${level}, until `, { at: keptUntil, iso: true }];
}

/** Each step, with what was said in it below. */
export function stepsView({ next, steps }: Pick<Trail, 'steps' | 'next'>): View {
  const rows = steps.map(cellsOf);
  const below = steps.map(({ content }) => content && contentOf(content));
  const list = table({ columns: COLUMNS, rows, below, none: 'no steps' });
  return next === undefined ? [list] : [list, line({ text: `more: --from ${next}`, look: 'dim' })];
}

function cellsOf(step: Step): readonly Cell[] {
  const { at, attempt, by, kind, n, name, segment, status = '', tookMs } = step;
  const bad = status === 'error' || status === 'deny' || (kind === 'turn' && status !== '');
  return [
    String(n),
    kind,
    name ?? by ?? '',
    bad ? { text: status, look: 'bad' } : status,
    { at, iso: true },
    tookMs === undefined ? '' : { text: spanOf(tookMs), sort: tookMs },
    attempt === undefined ? '' : String(attempt),
    String(segment),
    notesOf(step),
  ];
}

/** What is known of a step besides, in words. */
export function notesOf({
  calls = [],
  cost,
  effect,
  error,
  model,
  reason,
  usage: used,
}: Step): string {
  const called = calls.map(({ effect: does, name = '(not offered)' }) =>
    does === undefined ? name : `${name} (${does})`,
  );
  const notes = [
    effect,
    reason,
    error?.class,
    model,
    used && `${used.input} + ${used.output} tokens`,
    cost === undefined ? undefined : `cost ${cost}`,
    called.length === 0 ? undefined : `calls ${called.join(', ')}`,
  ];
  return notes.filter((note) => note !== undefined).join('; ');
}

/** Behind bars, or as JSON: what callers, models and remote agents wrote. */
export function contentOf(content: NonNullable<Step['content']>): View {
  const { calls = [], input, instructions, parts = [], problem, result, words } = content;
  return [
    ...(instructions === undefined ? [] : named('instructions', quote(instructions))),
    ...(words === undefined ? [] : [typeof words === 'string' ? quote(words) : json(words)]),
    ...calls.flatMap(({ arguments: given, tool }) => named(`call ${tool}`, json(given ?? null))),
    ...(result === undefined ? [] : named('result', json(result))),
    ...(parts.length === 0 ? [] : named('files', json(parts))),
    ...(input === undefined ? [] : named('input', json(input))),
    ...(problem === undefined ? [] : named('problem', quote(problem))),
  ];
}

const named = (name: string, ...view: View): View => [line(name), indent(...view)];
