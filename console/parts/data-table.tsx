import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';

export interface Column<T> {
  readonly key: string;
  readonly title: string;
  readonly cell: (row: T) => ComponentChildren;
  /** Left out where the page is narrow. */
  readonly secondary?: boolean;
  readonly numeric?: boolean;
}

interface DataTableProps<T> {
  readonly caption: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** How the rows stand, if a column's heading can change that. */
  readonly sort?: { readonly key: string; readonly descending: boolean };
  readonly onSort?: (key: string) => void;
  readonly sortable?: readonly string[];
  /** Called when the end comes into sight, if there may be more. */
  readonly onEnd?: () => void;
}

/** As the style sheet has it. */
const ROW = 36;
/** Rows that are drawn before and after those in sight. */
const MARGIN = 12;
/** Fewer are simply all drawn. */
const WINDOWED = 120;

/**
 * A table of any length: of a long one only the rows in sight are in the document, and the table
 * says how many it has.
 */
export function DataTable<T>(props: DataTableProps<T>) {
  const { caption, columns, keyOf, onEnd, onSort, rows, sort, sortable = [] } = props;
  const box = useRef<HTMLDivElement>(null);
  const [sight, setSight] = useState({ top: 0, height: 800 });
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const look = (): void => setSight({ top: element.scrollTop, height: element.clientHeight });
    look();
    element.addEventListener('scroll', look, { passive: true });
    const resized = new ResizeObserver(look);
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, []);
  const windowed = rows.length > WINDOWED;
  const first = windowed ? Math.max(0, Math.floor(sight.top / ROW) - MARGIN) : 0;
  const last = windowed
    ? Math.min(rows.length, Math.ceil((sight.top + sight.height) / ROW) + MARGIN)
    : rows.length;
  const atEnd = rows.length * ROW - (sight.top + sight.height) < 10 * ROW;
  useEffect(() => {
    if (atEnd) onEnd?.();
  }, [atEnd, onEnd]);
  return (
    <div ref={box} class="table-box" role="region" aria-label={caption} tabIndex={0}>
      <table aria-rowcount={rows.length + 1}>
        <caption class="hidden">{caption}</caption>
        <thead>
          <tr aria-rowindex={1}>
            {columns.map((column) => (
              <Heading
                key={column.key}
                column={column}
                sort={sort}
                onSort={sortable.includes(column.key) ? onSort : undefined}
              />
            ))}
          </tr>
        </thead>
        <tbody>
          <Gap rows={first} columns={columns.length} />
          {rows.slice(first, last).map((row, at) => (
            <tr key={keyOf(row)} aria-rowindex={first + at + 2}>
              {columns.map((column) => (
                <td key={column.key} class={classOf(column)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
          <Gap rows={rows.length - last} columns={columns.length} />
        </tbody>
      </table>
    </div>
  );
}

function Heading<T>({
  column,
  onSort,
  sort,
}: {
  readonly column: Column<T>;
  readonly sort: DataTableProps<T>['sort'];
  readonly onSort: ((key: string) => void) | undefined;
}) {
  const { key, title } = column;
  const sorted = sort?.key === key ? (sort.descending ? 'descending' : 'ascending') : undefined;
  return (
    <th scope="col" class={classOf(column)} {...(sorted && { 'aria-sort': sorted })}>
      {onSort === undefined ? (
        title
      ) : (
        <button type="button" class="heading" onClick={() => onSort(key)}>
          {title}
          <span aria-hidden="true">
            {sorted === undefined ? '' : sorted === 'ascending' ? ' ↑' : ' ↓'}
          </span>
        </button>
      )}
    </th>
  );
}

/** The room that rows out of sight would take. */
function Gap({ columns, rows }: { readonly rows: number; readonly columns: number }) {
  if (rows <= 0) return null;
  return (
    <tr aria-hidden="true" class="gap">
      <td colSpan={columns} style={{ height: `${rows * ROW}px` }} />
    </tr>
  );
}

function classOf<T>({ numeric, secondary }: Column<T>): string {
  return `${numeric === true ? 'numeric' : ''} ${secondary === true ? 'secondary' : ''}`.trim();
}
