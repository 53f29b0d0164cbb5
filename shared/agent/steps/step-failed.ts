import { isJsonObject, type Json } from '../../domain/json.ts';
import { TaskFailed } from '../endings.ts';

/**
 * Thrown by `ctx.step` when its function threw: when it did, and whenever the run comes by there
 * again. The words are those of the error; callers see them only if the function threw TaskFailed.
 */
export class StepFailed extends Error {
  /** Class of what was thrown. */
  readonly fault: string;

  constructor(message: string, fault: string) {
    super(message);
    this.name = 'StepFailed';
    this.fault = fault;
  }
}

/** Of words that are kept. */
const WORDS = 4_000;

export function failureOf(error: unknown, fault: string): Json {
  const words = error instanceof Error ? error.message : String(error);
  const final = error instanceof TaskFailed;
  return { error: words.slice(0, WORDS), fault, ...(final && { final }) };
}

/** The same error each time. */
export function thrownBy(value: Json): StepFailed | TaskFailed {
  const { error, fault, final } = isJsonObject(value) ? value : {};
  const words = typeof error === 'string' ? error : '';
  if (final === true) return new TaskFailed(words);
  return new StepFailed(words, typeof fault === 'string' ? fault : 'Error');
}
