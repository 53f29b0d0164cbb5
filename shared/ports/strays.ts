/**
 * Errors that an author's code leaves behind: a promise that nothing waits for, a timer, an event
 * without a listener. They end a process unless someone owns them.
 */
export interface Strays {
  /** Does work; what it, or anything that it ever began, leaves behind goes to its owner. */
  within<T>(owner: (error: unknown) => void, work: () => T): T;
}
