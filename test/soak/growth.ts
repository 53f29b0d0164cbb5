import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** What a server holds when it is at rest; no task is old enough to be removed. */
export interface Held {
  readonly megabytes: number;
  readonly descriptors: number;
  readonly rowsPerTask: number;
  readonly filesPerTask: number;
}

/** Of a process on Linux, and of its data folder after so many tasks. */
export function heldBy(
  server: { readonly pid: number; readonly data: string },
  tasks: number,
): Held {
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const kilobytes = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]);
  return {
    megabytes: Math.round(kilobytes / 1_024),
    descriptors: readdirSync(`/proc/${server.pid}/fd`).length,
    rowsPerTask: rounded(rowsIn(join(server.data, 'store.sqlite')) / tasks),
    filesPerTask: rounded(filesIn(join(server.data, 'objects')) / tasks),
  };
}

const rounded = (value: number): number => Math.round(value * 10) / 10;

function filesIn(folder: string): number {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

function rowsIn(file: string): number {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const tables = database
      .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
      .all();
    return tables.reduce((sum, { name }) => {
      const { rows = 0 } =
        database.prepare(`SELECT count(*) AS rows FROM "${String(name)}"`).get() ?? {};
      return sum + Number(rows);
    }, 0);
  } finally {
    database.close();
  }
}

/** Beside noise: a heap that is collected late, a page that is kept for the next row. */
const ALLOWED: Held = { megabytes: 1.25, descriptors: 1.25, rowsPerTask: 1.1, filesPerTask: 1.1 };
const SLACK: Held = { megabytes: 40, descriptors: 20, rowsPerTask: 1, filesPerTask: 0.5 };

/**
 * What grew from round to round: the middle of the last third beside that of the second, so that
 * the first may fill caches.
 */
export function grown(rounds: readonly Held[]): readonly string[] {
  const third = Math.floor(rounds.length / 3);
  if (third < 3) return [];
  const names = ['megabytes', 'descriptors', 'rowsPerTask', 'filesPerTask'] as const;
  return names.flatMap((name) => {
    const before = middle(rounds.slice(third, 2 * third).map((each) => each[name]));
    const after = middle(rounds.slice(-third).map((each) => each[name]));
    const most = before * ALLOWED[name] + SLACK[name];
    return after > most ? [`${name}: ${before}, then ${after}`] : [];
  });
}

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;
}
