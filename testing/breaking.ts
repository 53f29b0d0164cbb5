import type { Backend } from '../shared/ports/backend.ts';
import { Unavailable } from '../shared/ports/faults.ts';
import type { OutgoingHttp, OutgoingOutcome } from '../shared/ports/outgoing-http.ts';
import type { RemoteAgents } from '../shared/ports/remote-agents.ts';

/** `crash`: the process is gone from then on; it answers no call and reaches nothing. */
export type Break = 'before' | 'after' | 'crash-before' | 'crash-after';
export const BREAKS: readonly Break[] = ['before', 'after', 'crash-before', 'crash-after'];

/** What a process calls outside itself. */
export type CallName = 'read' | 'commit' | 'send' | 'look' | 'find' | 'cancel' | 'post';

export interface BreakingOptions {
  /** The only calls that are counted, and so broken. */
  readonly only?: CallName;
  readonly onDeath?: () => void;
}

/**
 * Counts the calls of one process, to its store and to remote agents alike, and breaks at one of
 * them.
 */
export class Breaking {
  calls = 0;
  /** All calls, also those that are not counted. */
  made = 0;
  /** What was called, for a failing test to say where it broke. */
  readonly names: string[] = [];
  dead = false;
  #at: number;
  #how: Break;
  readonly #only: CallName | undefined;
  readonly #onDeath: () => void;

  constructor(at: number, how: Break, { only, onDeath = () => undefined }: BreakingOptions = {}) {
    this.#at = at;
    this.#how = how;
    this.#only = only;
    this.#onDeath = onDeath;
  }

  /** It breaks there instead. */
  breakAt(at: number, how: Break): void {
    this.#at = at;
    this.#how = how;
  }

  /** The process is gone, whatever it is at. */
  lose(): void {
    this.dead = true;
    this.#onDeath();
  }

  store(below: Backend): Backend {
    const fault = (): never => {
      throw new Unavailable('the store');
    };
    return {
      read: (paths) => this.#call('read', () => below.read(paths), fault),
      commit: (checks, writes) => this.#call('commit', () => below.commit(checks, writes), fault),
      // The sweeper's; one that fails is made again ten seconds later.
      query: (query, after) =>
        this.dead ? new Promise<never>(() => undefined) : below.query(query, after),
      count: (query) => below.count(query),
      follow: (query, after, signal) => below.follow(query, after, signal),
      watch: (path, signal) => below.watch(path, signal),
      close: () => below.close(),
    };
  }

  remotes(below: RemoteAgents): RemoteAgents {
    const reason = 'broken';
    const lost = (left: boolean) =>
      ({ kind: left ? 'outcome_unknown' : 'not_sent', reason }) as const;
    const failed = () => ({ kind: 'failed', reason }) as const;
    const nothing = (): undefined => undefined;
    return {
      send: (...given) => this.#call('send', () => below.send(...given), lost),
      poll: (...given) => this.#call('look', () => below.poll(...given), failed),
      find: (...given) => this.#call('find', () => below.find(...given), nothing),
      cancel: (...given) => this.#call('cancel', () => below.cancel(...given), lost),
    };
  }

  outgoing(below: OutgoingHttp): OutgoingHttp {
    const reason = 'broken';
    const broken = (left: boolean): OutgoingOutcome =>
      left ? { kind: 'lost', reason } : { kind: 'not_sent', reason };
    return {
      objectionTo: (url) => below.objectionTo(url),
      send: (...given) => this.#call('post', () => below.send(...given), broken),
    };
  }

  async #call<T>(name: CallName, run: () => Promise<T>, broken: (left: boolean) => T): Promise<T> {
    if (this.dead) return new Promise<never>(() => undefined);
    this.made += 1;
    if (this.#only !== undefined && name !== this.#only) return run();
    this.calls += 1;
    this.names.push(name);
    if (this.calls !== this.#at) return run();
    const after = this.#how.endsWith('after');
    if (after) await run();
    if (!this.#how.startsWith('crash')) return broken(after);
    this.lose();
    return new Promise<never>(() => undefined);
  }
}
