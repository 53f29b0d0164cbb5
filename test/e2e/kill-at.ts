/**
 * Loaded into a server before its own code (`node --import`): the process kills itself right before
 * or right after the n-th commit that it makes from the moment on at which the file
 * HOLDFAST_E2E_KILL says so: `<any mark> before|after <n> any|books`. With `books` only commits
 * count that write a step, a send, a pause or a decision: those come in one order, whatever else
 * goes on. The file is gone then, so the next process on the same data lives. Nothing of this is in
 * the code that is tested.
 */
import { readFileSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

const file = process.env['HOLDFAST_E2E_KILL'] ?? '';
let order = '';
let commits = 0;
/** Whether the transaction that goes on writes one. */
let books = false;

function killAt(moment: 'before' | 'after'): void {
  const [, when, number, which] = order.split(' ');
  if (when !== moment || Number(number) !== commits || (which === 'books' && !books)) return;
  rmSync(file);
  process.kill(process.pid, 'SIGKILL');
  // Nothing more happens here, however long the signal takes.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}

function currentOrder(): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

const WRITES_BOOKS = /^(INSERT INTO|UPDATE|DELETE FROM) "(steps|sends|pauses|decisions)"/;

// oxlint-disable-next-line typescript/unbound-method -- called below, for the database that it is asked of
const { prepare } = DatabaseSync.prototype;
Object.defineProperty(DatabaseSync.prototype, 'prepare', {
  value(this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql);
    if (sql === 'COMMIT') around(statement, commit);
    if (sql === 'ROLLBACK') around(statement, (run) => noteBooks(run, false));
    if (WRITES_BOOKS.test(sql)) around(statement, (run) => noteBooks(run, true));
    return statement;
  },
});

type Run = () => unknown;

function around(statement: StatementSync, wrapper: (run: Run) => unknown): void {
  const run = statement.run.bind(statement);
  const value = (...values: Parameters<typeof run>) => wrapper(() => run(...values));
  Object.defineProperty(statement, 'run', { value });
}

function noteBooks(run: Run, written: boolean): unknown {
  books = written;
  return run();
}

function commit(run: Run): unknown {
  const given = currentOrder();
  if (given !== order) commits = 0;
  order = given;
  if (books || !order.endsWith('books')) commits += 1;
  killAt('before');
  const changes = run();
  killAt('after');
  books = false;
  return changes;
}
