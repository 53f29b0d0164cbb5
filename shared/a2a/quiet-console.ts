import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '../ports/log.ts';

const logs = new AsyncLocalStorage<Log | undefined>();
let installed = false;

/**
 * The SDK prints errors and tenants to the console, with whatever a message holds. Whatever it prints while it serves a request
 * becomes a log line without content; all other code keeps its console.
 */
export function quietly<T>(log: Log, work: () => T): T {
  install();
  return logs.run(log, work);
}

/** For our own code behind the SDK, such as an agent that runs in this process: its console is its author's. */
export function aloud<T>(work: () => T): T {
  return logs.run(undefined, work);
}

/** A log may itself print; what it prints is meant. */
export function aloudLog(log: Log): Log {
  return {
    write: (level, event, fields, trace) => {
      aloud(() => {
        log.write(level, event, fields, trace);
      });
    },
  };
}

function install(): void {
  if (installed) return;
  installed = true;
  const target = globalThis.console;
  for (const level of ['error', 'warn'] as const) {
    const print = target[level].bind(target);
    target[level] = (...data: unknown[]) => {
      const log = logs.getStore();
      if (log === undefined) print(...data);
      else log.write('warning', 'a2a.sdk', { console: level });
    };
  }
}
