/**
 * Loaded into a server before its own code (`node --import`): the process kills itself right before or right after the n-th commit
 * that it makes from the moment on at which the file HOLDFAST_E2E_KILL says so: `<any mark> before|after <n>`. The file is gone then, so
 * the next process on the same data lives. Nothing of this is in the code that is tested.
 */
import { readFileSync, rmSync } from 'node:fs';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

const file = process.env['HOLDFAST_E2E_KILL'] ?? '';
let order = '';
let commits = 0;

function killAt(moment: 'before' | 'after'): void {
  const [, when, number] = order.split(' ');
  if (when !== moment || Number(number) !== commits) return;
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

// oxlint-disable-next-line typescript/unbound-method -- called below, for the database that it is asked of
const { prepare } = DatabaseSync.prototype;
Object.defineProperty(DatabaseSync.prototype, 'prepare', {
  value(this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql);
    if (sql !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    statement.run = () => {
      const given = currentOrder();
      commits = given === order ? commits + 1 : 1;
      order = given;
      killAt('before');
      const changes = run();
      killAt('after');
      return changes;
    };
    return statement;
  },
});
