import { AsyncLocalStorage } from 'node:async_hooks';
import type { Strays } from '../ports/strays.ts';
import { errorWords } from '../domain/error-words.ts';

type Owner = (error: unknown) => void;
type Listener = (error: unknown, ...rest: readonly unknown[]) => void;

const EVENTS = ['uncaughtException', 'unhandledRejection'] as const;

/** What this process listens with; a test has its own. */
export interface Listened {
  /** The domain that the code at hand runs in, where any of it uses `node:domain`. */
  domain?: unknown;
  rawListeners(event: string): unknown[];
  removeAllListeners(event: string): unknown;
  on(event: string, listener: Listener): unknown;
}

/**
 * Gives each error that nothing catches to the work that it comes from, as the context of
 * asynchronous calls tells it. What belongs to no work goes to those who listened before the first
 * work began, such as the functions framework, and else ends the process, as it would without this.
 */
export function processStrays(
  listened: Listened = process,
  end: (error: unknown) => void = endProcess,
): Strays {
  const owners = new AsyncLocalStorage<Owner>();
  const listening = { begun: false };
  return {
    within(owner, work) {
      if (!listening.begun) listen(listened, owners, end);
      listening.begun = true;
      return outsideDomains(listened, () => owners.run(owner, work));
    },
  };
}

function listen(
  listened: Listened,
  owners: AsyncLocalStorage<Owner>,
  end: (error: unknown) => void,
): void {
  for (const event of EVENTS) {
    const before = listened.rawListeners(event) as Listener[];
    listened.removeAllListeners(event);
    listened.on(event, (error, ...rest) => {
      const owner = owners.getStore();
      if (owner !== undefined) owner(error);
      else if (before.length === 0) end(error);
      else for (const listener of before) listener.call(listened, error, ...rest);
    });
  }
}

/**
 * The functions framework runs each request in a domain, which would take the errors of all that
 * the request began, and answer the request with them.
 */
function outsideDomains<T>(listened: Listened, work: () => T): T {
  const { domain } = listened;
  if (domain === undefined || domain === null) return work();
  listened.domain = null;
  try {
    return work();
  } finally {
    listened.domain = domain;
  }
}

/** https://nodejs.org/api/process.html#exit-codes */
const UNCAUGHT = 1;

function endProcess(error: unknown): void {
  process.stderr.write(`${errorWords(error)}\n`);
  process.exit(UNCAUGHT);
}
