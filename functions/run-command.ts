import { CliError, wordsOf } from './cli/cli-error.ts';
import { startProblem } from './start-problem.ts';

/**
 * Runs a command to its exit code. What a person can mend ends it with words on stderr: a CliError
 * with its own code, bad options and what else `startProblem` knows with 2. Throws anything else.
 */
export async function runCommand(run: () => Promise<number>): Promise<number> {
  try {
    return await run();
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
