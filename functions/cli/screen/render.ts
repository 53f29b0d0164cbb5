import { asJson, plain, spanOf, timeOf } from '../table.ts';
import { columnWidths } from './column-widths.ts';
import { coloured } from './looks.ts';
import { shortIds } from './short-ids.ts';
import {
  type Cell,
  cellsOf,
  type Column,
  type Fact,
  type Part,
  type Table,
  type View,
  type Words,
} from './view.ts';
import { cut, padded, pieces, widthOf, wrapped } from './width.ts';

/** Where a view is shown. */
export interface Screen {
  /** In columns. Undefined: it is no terminal, so nothing is cut, broken or shortened. */
  readonly width: number | undefined;
  readonly colour: boolean;
  /** Instants as they are, in place of how long ago. */
  readonly exact: boolean;
  readonly now: number;
}

/** Where nothing is known of what it is shown on. */
export const PLAIN: Screen = { width: undefined, colour: false, exact: false, now: 0 };

/** Quoted lines fit any terminal, also where its width is not known. */
const QUOTED = 70;
const STEP = 2;
const GAP = 2;

/**
 * The lines of a view. What others wrote can't rewrite the terminal, nor pass for a line of ours.
 */
export function rendered(view: View, screen: Screen): string {
  const short = screen.width === undefined ? undefined : shortIds(idsOf(view));
  return new Renderer(screen, short).view(view, screen.width).join('\n');
}

class Renderer {
  readonly #screen: Screen;
  readonly #short: ((id: string) => string) | undefined;

  constructor(screen: Screen, short: ((id: string) => string) | undefined) {
    this.#screen = screen;
    this.#short = short;
  }

  view(view: View, width: number | undefined): readonly string[] {
    return view.flatMap((part) => this.#part(part, width));
  }

  #part(part: Part, width: number | undefined): readonly string[] {
    switch (part.kind) {
      case 'table':
        return this.#table(part, width);
      case 'facts':
        return this.#facts(part.pairs, width);
      case 'line':
        return this.#line(part.cells, width);
      case 'quoted':
        return quotedLines(part.text, Math.min(QUOTED, (width ?? QUOTED + STEP) - STEP));
      case 'json':
        return `${part.before ?? ''}${asJson(part.value)}`
          .split('\n')
          .flatMap((line) => unbroken(line, width));
      case 'indented': {
        const inner = width === undefined ? undefined : Math.max(1, width - STEP);
        return this.view(part.view, inner).map((line) => ' '.repeat(STEP) + line);
      }
      case 'apart':
        return part.views
          .map((view) => this.view(view, width))
          .filter((lines) => lines.length > 0)
          .flatMap((lines, at) => (at === 0 ? lines : ['', ...lines]));
    }
  }

  #text(cell: Cell): string {
    if (typeof cell === 'string') return plain(cell);
    if ('id' in cell) return plain(this.#short?.(cell.id) ?? cell.id);
    if ('text' in cell) return plain(cell.text);
    const { exact, now } = this.#screen;
    const ago = cell.at > now ? `in ${spanOf(cell.at - now)}` : `${spanOf(now - cell.at)} ago`;
    if (cell.both === true) return `${timeOf(cell.at)} (${ago})`;
    return exact || cell.iso === true ? timeOf(cell.at) : ago;
  }

  #look(text: string, cell: Cell): string {
    if (!this.#screen.colour || text === '') return text;
    if (typeof cell === 'string' || !('look' in cell) || cell.look === undefined) return text;
    return coloured(text, cell.look);
  }

  #table({ below, columns, none, rows }: Table, width: number | undefined): readonly string[] {
    if (rows.length === 0) return [none];
    const shown = columns.flatMap((column, at) => (column.hidden === true ? [] : [{ at, column }]));
    const headings = shown.map(({ column }) => ({
      text: column.heading ?? column.name,
      look: 'dim' as const,
    }));
    const cells = rows.map((row) => shown.map(({ at }) => row[at] ?? ''));
    const texts = [headings, ...cells].map((row) => row.map((cell) => this.#text(cell)));
    const natural = shown.map((_, at) => Math.max(...texts.map((row) => widthOf(row[at] ?? ''))));
    const widths =
      width === undefined
        ? natural
        : columnWidths(
            shown.map(({ column }) => column),
            natural,
            width - GAP * (shown.length - 1),
          );
    const lineOf = (row: readonly Cell[], at: number): string =>
      row
        .map((cell, column) => {
          const given = texts[at]?.[column] ?? '';
          const columnWidth = widths[column] ?? 0;
          const text = width === undefined ? given : cut(given, columnWidth);
          const last = column === row.length - 1;
          return filled(this.#look(text, cell), text, columnWidth, shown[column]?.column, last);
        })
        .join(' '.repeat(GAP))
        .trimEnd();
    return [
      lineOf(headings, 0),
      ...cells.flatMap((row, at) => {
        const under = below?.[at];
        const line = lineOf(row, at + 1);
        return under === undefined
          ? [line]
          : [line, ...this.#part({ kind: 'indented', view: under }, width)];
      }),
    ];
  }

  #facts(pairs: readonly Fact[], width: number | undefined): readonly string[] {
    const there = pairs.flatMap(([name, value]) =>
      value === undefined ? [] : [{ name: wordsOf(name), cells: cellsOf(value) }],
    );
    const column = Math.max(0, ...there.map(({ name }) => widthOf(name.text)));
    return there.flatMap(({ cells, name }) => {
      const head = this.#look(padded(name.text, column), name);
      const room = width === undefined ? undefined : width - column - GAP;
      const longest = Math.max(
        ...cells.flatMap((cell) => this.#text(cell).split(' ').map(widthOf)),
      );
      // A word that does not fit beside its name stands whole below it.
      if (room !== undefined && longest > room)
        return [
          ...(name.text === '' ? [] : [head.trimEnd()]),
          ...this.#line(cells, (width ?? 0) - STEP).map((line) => ' '.repeat(STEP) + line),
        ];
      const [first = '', ...rest] = this.#line(cells, room, 0);
      const space = ' '.repeat(column + GAP);
      return [`${head}${' '.repeat(GAP)}${first}`.trimEnd(), ...rest.map((line) => space + line)];
    });
  }

  #line(cells: readonly Cell[], width: number | undefined, hanging = STEP): readonly string[] {
    const whole = cells.map((cell) => this.#text(cell)).join('');
    if (width === undefined || widthOf(whole) <= width)
      return [cells.map((cell) => this.#look(this.#text(cell), cell)).join('')];
    const [first = '', ...rest] = wrapped(whole, width, hanging);
    return [first, ...rest.map((line) => ' '.repeat(hanging) + line)];
  }
}

/** Names are ours; those without a look stand back behind their values. */
const wordsOf = (name: string | Words): Words =>
  typeof name === 'string' ? { text: name, look: 'dim' } : name;

function filled(
  shown: string,
  text: string,
  width: number,
  column: Column | undefined,
  last: boolean,
): string {
  if (column?.right === true) return padded(text, width, true).replace(text, () => shown);
  return last ? shown : shown + ' '.repeat(Math.max(0, width - widthOf(text)));
}

/** Several lines that others wrote: each behind a bar, so that none can pass for one of ours. */
function quotedLines(text: string, width: number): readonly string[] {
  return text
    .split(/\r?\n/)
    .flatMap((line) => pieces(plain(line.replaceAll('\t', '  ')), Math.max(1, width)))
    .map((line) => `| ${line}`);
}

/** A line of JSON in as many as it needs, each of them deeper than where it begins. */
function unbroken(line: string, width: number | undefined): readonly string[] {
  if (width === undefined || widthOf(line) <= width) return [line];
  const depth = (/^ */.exec(line)?.[0].length ?? 0) + 2 * STEP;
  const [first = ''] = pieces(line, width);
  const rest = pieces(line.slice(first.length), Math.max(1, width - depth));
  return [first, ...rest.map((piece) => ' '.repeat(depth) + piece)];
}

function idsOf(view: View): readonly string[] {
  const cells = (all: readonly Cell[]) =>
    all.flatMap((cell) => (typeof cell !== 'string' && 'id' in cell ? [cell.id] : []));
  return view.flatMap((part) => {
    switch (part.kind) {
      case 'table':
        return [
          ...part.rows.flatMap(cells),
          ...(part.below ?? []).flatMap((under) => (under === undefined ? [] : idsOf(under))),
        ];
      case 'facts':
        return part.pairs.flatMap(([, value]) =>
          value === undefined ? [] : cells(cellsOf(value)),
        );
      case 'line':
        return cells(part.cells);
      case 'indented':
        return idsOf(part.view);
      case 'apart':
        return part.views.flatMap(idsOf);
      case 'quoted':
      case 'json':
        return [];
    }
  });
}
