import { toTheEnd } from '../shared/system/to-the-end.ts';
import { CliError, wordsOf } from './cli/cli-error.ts';
import { startProblem } from './start-problem.ts';

/**
 * Runs a command to its exit code. What a person can mend ends it with words on stderr: a CliError
 * with its own code, bad options and what else `startProblem` knows with 2. Throws anything else.
 * A wait in its midst keeps the process alive: a store that is locked by another process is tried
 * again after a while, and a server that starts has no socket yet.
 */
export async function runCommand(run: () => Promise<number>): Promise<number> {
  try {
    return await toTheEnd(run);
  } catch (error) {
    if (error instanceof CliError) {
      process.stderr.write(wordsOf(error));
      return error.exit;
    }
    const problem = startProblem(error);
    if (problem === undefined) throw error;
    process.stderr.write(`holdfast: ${problem}\n`);
    return 2;
  }
}
