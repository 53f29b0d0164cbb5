import { isFault } from '../shared/ports/faults.ts';
import { BadConfiguration } from './settings.ts';

/**
 * What a person at the terminal is told about an error: what failed, with which file, and why.
 * Undefined for an error that only a programmer can read, which keeps its stack.
 */
export function startProblem(error: unknown): string | undefined {
  if (error instanceof BadConfiguration) return error.message;
  // Node's own parser of arguments, and errors of the system: both say what and where.
  const known =
    isFault(error) || (error instanceof Error && 'code' in error && isSystemCode(error.code));
  return known ? withCauses(error) : undefined;
}

const isSystemCode = (code: unknown): boolean =>
  typeof code === 'string' && /^(?:E[A-Z0-9]+|ERR_PARSE_ARGS_\w+|ERR_SQLITE_ERROR)$/.test(code);

function withCauses(error: Error): string {
  const { cause, message } = error;
  return cause instanceof Error ? `${message}: ${withCauses(cause)}` : message;
}
