/** What an executor did that no task can show; public as `metadata.fault` of its task. */
export type ExecutorFaultCode =
  /** It returned, or said that it had finished, and its task was still at work. */
  | 'NO_FINAL_STATE'
  /** It published an event of another task or context. */
  | 'FOREIGN_TASK'
  /** It published what can't follow what it had published before. */
  | 'ILLEGAL_TRANSITION'
  /** It published what A2A can't carry: a part without content, data that is no JSON. */
  | 'UNREADABLE_EVENT';

/** What callers may know. The error's own message names what was published: it is the author's. */
const WORDS: Readonly<Record<ExecutorFaultCode, string>> = {
  NO_FINAL_STATE: 'The agent ended without saying how its work came out.',
  FOREIGN_TASK: 'The agent answered for another task.',
  ILLEGAL_TRANSITION: 'The agent said what can not follow what it had said before.',
  UNREADABLE_EVENT: 'The agent said what can not be read.',
};

/** An executor broke the SDK's contract. Its task ends FAILED. */
export class ExecutorFault extends Error {
  readonly code: ExecutorFaultCode;

  constructor(code: ExecutorFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ExecutorFault';
    this.code = code;
  }

  get words(): string {
    return WORDS[this.code];
  }
}
