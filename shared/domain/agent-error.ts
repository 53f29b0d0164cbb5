import type { Millis } from './brand.ts';

/** What an author's code threw in a run: in its row until the run is removed. */
export interface AgentError {
  readonly at: Millis;
  /** A Problem's `where`, or one that only a newer version knows. */
  readonly where: string;
  readonly tool?: string;
  readonly attempt: number;
  /** Its class. */
  readonly fault: string;
  /** HTTP status of the service that refused. */
  readonly status?: number;
  /** Message, stack and causes, sealed with the run key. Absent where they may not be kept. */
  readonly words?: Uint8Array;
}

/** A tool that always fails would add errors without end. */
const KEPT = 5;

type WithErrors = { readonly errors?: readonly AgentError[] };

/** The newest at the end. */
export function withErrors<T extends WithErrors>(row: T, added: readonly AgentError[]): T {
  const { errors = [] } = row;
  return added.length === 0 ? row : { ...row, errors: [...errors, ...added].slice(-KEPT) };
}

/** What is left of them when their key is destroyed, or no words may be kept any more. */
export function withoutWords<T extends WithErrors>(row: T): T {
  if (row.errors === undefined) return row;
  return { ...row, errors: row.errors.map(({ words: _, ...facts }) => facts) };
}
