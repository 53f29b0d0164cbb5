import type { Request } from './client.ts';
import type { Ask } from './confirm.ts';

/** The world as the command line sees it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly request: Request;
  /** Undefined where no person can be asked. */
  readonly ask: Ask | undefined;
  /**
   * How wide it is now; undefined where it is no terminal. Questions are put on the error output.
   */
  columns(stream: 'out' | 'error'): number | undefined;
  now(): number;
  /** Resolves after that span, or when the command is to end. */
  pause(milliseconds: number): Promise<void>;
  /** True once the command is to end. */
  ended(): boolean;
  out(text: string): void;
  error(text: string): void;
}
