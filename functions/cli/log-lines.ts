import type { z } from 'zod';
import type { timeline } from '../../shared/operator/timeline-schemas.ts';
import { status } from './screen/looks.ts';
import { type Cell, indent, json, line, quote, type View } from './screen/view.ts';
import { plain, spanOf } from './table.ts';
import { contentOf, notesOf, type Step } from './trail.ts';

type Run = z.input<typeof timeline>;

/** One thing that happened to a run. */
export interface LogLine {
  /** Of this happening alone: what was shown is not shown again. */
  readonly key: string;
  readonly at: number;
  readonly kind: string;
  readonly words: readonly Cell[];
  readonly below?: View;
}

/** Everything that is known to have happened to a run, oldest first. */
export function logLines(run: Run, steps: readonly Step[], content: boolean): readonly LogLine[] {
  const below = (held: unknown) =>
    content && held !== undefined ? { below: [json(held)] } : undefined;
  const lines: readonly LogLine[] = [
    ...run.timeline.map(({ at, revision, state }) => ({
      // A run that begins at once is SUBMITTED and WORKING in one revision.
      key: `revision ${revision} ${state}`,
      at,
      kind: 'state',
      words: [stateWords(state), ` (revision ${revision})`],
    })),
    ...run.segments.flatMap(segmentLines),
    ...steps.map((step) => stepLine(step, content)),
    ...run.pauses.flatMap((pause) => {
      const { at, content: held, generation, kind, resolution, resolvedAt } = pause;
      const waits = {
        key: `pause ${generation}`,
        at,
        kind: 'wait',
        words: [`for ${kind} (pause ${generation})`],
        ...below(held),
      };
      if (resolvedAt === undefined) return [waits];
      const over = `over: ${resolution ?? ''} (pause ${generation})`;
      return [
        waits,
        { key: `pause ${generation} over`, at: resolvedAt, kind: 'wait', words: [over] },
      ];
    }),
    ...run.decisions.map(({ by, content: held, generation, id, kind, mode, storedAt }) => ({
      key: `decision ${id}`,
      at: storedAt,
      kind: 'decision',
      words: [`${kind} by ${by}, ${mode} (pause ${generation})`],
      ...below(held),
    })),
    ...run.sends.flatMap(({ content: held, id, preparedAt, reason, remote, settledAt, state }) => {
      const name = id.slice(id.indexOf('.') + 1);
      const left = {
        key: `send ${name}`,
        at: preparedAt,
        kind: 'send',
        words: [`to ${remote} `, { id: name }],
        ...below(held),
      };
      if (state === 'prepared') return [left];
      const why = reason === undefined ? '' : ` (${reason})`;
      return [
        left,
        {
          key: `send ${name} ${state}`,
          at: settledAt ?? preparedAt,
          kind: 'send',
          words: [`to ${remote} `, { id: name }, ` is ${state}${why}`],
        },
      ];
    }),
    ...run.errors.map(({ at, attempt, fault, status: code, tool, where, words }, place) => ({
      key: `error ${at} ${where} ${tool ?? ''} ${attempt} ${words === undefined ? place : ''}`,
      at,
      kind: 'error',
      words: [
        { text: fault, look: 'bad' as const },
        ` in ${where}${tool === undefined ? '' : ` ${tool}`}, attempt ${attempt}${code === undefined ? '' : `, HTTP ${code}`}`,
      ],
      ...(words !== undefined && { below: [quote(words)] }),
    })),
    ...run.acts.map(({ at, kind, operator, send }, place) => ({
      key: `act ${place} ${kind} ${at}`,
      at,
      kind: 'operator',
      words: [
        `${operator ?? 'an operator'}: ${kind}`,
        ...(send === undefined ? [] : [' ', { id: send }]),
      ],
    })),
  ];
  return lines.toSorted((a, b) => a.at - b.at);
}

function stepLine(step: Step, content: boolean): LogLine {
  const { at, by, content: held, kind, n, name, status: outcome, tookMs } = step;
  const notes = notesOf(step);
  const bad = outcome === 'error' || outcome === 'deny';
  const shown = content && held !== undefined ? contentOf(held) : [];
  return {
    key: `step ${n}`,
    at,
    kind: 'step',
    words: [
      `${n} ${[kind, name ?? by].filter((each) => each !== undefined).join(' ')}`,
      ...(outcome === undefined
        ? []
        : [' ', bad ? { text: outcome, look: 'bad' as const } : outcome]),
      tookMs === undefined ? '' : ` in ${spanOf(tookMs)}`,
      notes === '' ? '' : `; ${notes}`,
    ],
    ...(shown.length > 0 && { below: shown }),
  };
}

function segmentLines(segment: Run['segments'][number]): readonly LogLine[] {
  const { claimed, committed, fence, waited, worked } = segment;
  const began = {
    key: `segment ${fence}`,
    at: claimed,
    kind: 'segment',
    words: [`${fence} begins, after ${spanOf(waited)} in the queue`],
  };
  if (committed === undefined) return [began];
  const ended = `${fence} ends, after ${spanOf(worked ?? committed - claimed)}`;
  return [began, { key: `segment ${fence} over`, at: committed, kind: 'segment', words: [ended] }];
}

const stateWords = (state: string): Cell => ({ ...status(state.toLowerCase()), text: state });

const KIND = 'operator'.length;

export function logView({ at, below, kind, words }: LogLine): View {
  const head = line(
    { at, iso: true },
    ' ',
    { text: kind.padEnd(KIND), look: 'dim' },
    ' ',
    ...words,
  );
  return below === undefined ? [head] : [head, indent(...below)];
}

/** The same for a program. */
export const logData = ({ at, kind, words }: LogLine): object => ({
  at: new Date(at).toISOString(),
  kind,
  words: words.map(textOf).join(''),
});

function textOf(cell: Cell): string {
  if (typeof cell === 'string') return plain(cell);
  if ('id' in cell) return plain(cell.id);
  return 'text' in cell ? plain(cell.text) : '';
}
