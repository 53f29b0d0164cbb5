/**
 * Loaded into a server by `--import`: answers the message `commits` with how many transactions on
 * SQLite it has committed. Node's own class is watched, so that nothing of the server knows of it.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';

let commits = 0;

// oxlint-disable-next-line typescript/unbound-method -- called below, for the database that it is asked of
const { prepare } = DatabaseSync.prototype;
Object.defineProperty(DatabaseSync.prototype, 'prepare', {
  value(this: DatabaseSync, sql: string): StatementSync {
    const statement = prepare.call(this, sql);
    if (sql !== 'COMMIT') return statement;
    const run = statement.run.bind(statement);
    const value = (...values: Parameters<typeof run>) => {
      commits += 1;
      return run(...values);
    };
    return Object.defineProperty(statement, 'run', { value });
  },
});

process.on('message', (asked) => {
  if (asked === 'commits') process.send?.(commits);
});
process.channel?.unref();
