import { backoff } from '../domain/backoff.ts';
import type { Millis } from '../domain/brand.ts';
import type { JsonObject } from '../domain/json.ts';
import type { ToolServer } from '../domain/tool-server.ts';
import type { ListedTool, ToolCallOutcome, ToolListing } from '../ports/tool-servers.ts';
import { callDeadline } from '../outgoing/call-deadline.ts';
import { answered, failedCall, isForgotten, reasonOf } from './answer.ts';
import {
  type Connection,
  type ConnectionOptions,
  LONGEST,
  openConnection,
  START,
} from './connection.ts';
import { listedTools } from './listed-tools.ts';
import { traceCall } from './sent-call.ts';

/** A listing is taken for true this long, unless the server says that it changed. */
const FRESH = 60_000;
/** What is not used for as long is closed. */
const IDLE = 5 * 60_000;
/** The first try after a failure comes at once, the others after these. */
const AGAIN = { first: 1_000, most: 60_000 };
/** A connection that lasted is not counted as a failure. */
const LASTED = 60_000;

/** What keeps a request from leaving although the server may be there. */
const PRIVATE = ['not https', 'private address'];
const ADVICE =
  'if it is one of yours, allow its host by --remote-private (HOLDFAST_REMOTE_PRIVATE)';

type Opened =
  | { readonly kind: 'open'; readonly connection: Connection }
  | { readonly kind: 'away'; readonly reason: string };

/** One server as this process knows it: its connection, its tools, and its failures in a row. */
export class ServerSession {
  readonly #server: ToolServer;
  readonly #options: ConnectionOptions;
  #opened: Promise<Opened> | undefined;
  #listing: Promise<ToolListing> | undefined;
  #listed: { readonly at: Millis; readonly listing: ToolListing } | undefined;
  #failures = 0;
  #away: { readonly until: Millis; readonly reason: string } | undefined;
  #calls = 0;
  readonly #closing = new AbortController();
  #cancelIdle: (() => void) | undefined;

  constructor(server: ToolServer, options: ConnectionOptions) {
    this.#server = server;
    this.#options = options;
  }

  /** What was told within the last minute, or is asked for now, once for all who want to know. */
  async list(signal?: AbortSignal): Promise<ToolListing> {
    const { clock } = this.#options;
    const known = this.#listed;
    if (known !== undefined && clock.now() - known.at < FRESH) return known.listing;
    this.#listing ??= this.#ask().finally(() => {
      this.#listing = undefined;
    });
    return orAborted(this.#listing, signal);
  }

  async call(
    tool: ListedTool,
    given: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<ToolCallOutcome> {
    const first = await this.#callOnce(tool, given, signal);
    if (first.kind !== 'forgotten') return first;
    await this.#drop();
    const second = await this.#callOnce(tool, given, signal);
    return second.kind === 'forgotten' ? { kind: 'refused', reason: 'http 404' } : second;
  }

  async close(): Promise<void> {
    this.#cancelIdle?.();
    // What is being opened is not waited for.
    this.#closing.abort();
    await this.#drop();
  }

  async #callOnce(
    { name, schema }: ListedTool,
    given: JsonObject,
    signal: AbortSignal | undefined,
  ): Promise<ToolCallOutcome | { readonly kind: 'forgotten' }> {
    const deadline = callDeadline(this.#options.clock, this.#server.timeout, signal);
    const done = this.#inUse();
    try {
      const opening = this.#open();
      const opened = await orAborted(opening, deadline.signal);
      if (opened.kind === 'away') return { kind: 'not_sent', reason: opened.reason };
      const { client } = opened.connection;
      // Told the tool without its output schema: what came is for the model to judge.
      const toolDefinition = { name, inputSchema: { ...schema, type: 'object' as const } };
      const options = { signal: deadline.signal, timeout: LONGEST, toolDefinition };
      const result = await traceCall(() =>
        client.callTool({ name, arguments: { ...given } }, options),
      );
      if ('value' in result) return answered(result.value);
      if (isForgotten(result.sent)) return { kind: 'forgotten' };
      const gone = this.#opened === opening ? undefined : this.#away?.reason;
      const aborted = deadline.signal.aborted ? deadline.why() : undefined;
      return failedCall(result.error, result.sent, aborted ?? gone);
    } finally {
      deadline.end();
      done();
    }
  }

  async #ask(): Promise<ToolListing> {
    const first = await this.#askOnce();
    if (first.kind !== 'forgotten') return first.listing;
    await this.#drop();
    const second = await this.#askOnce();
    return second.kind === 'forgotten' ? { kind: 'away', reason: 'http 404' } : second.listing;
  }

  async #askOnce(): Promise<
    { readonly kind: 'asked'; readonly listing: ToolListing } | { readonly kind: 'forgotten' }
  > {
    const { clock, log } = this.#options;
    const deadline = callDeadline(clock, START);
    const done = this.#inUse();
    try {
      const opened = await orAborted(this.#open(), deadline.signal);
      if (opened.kind === 'away') return { kind: 'asked', listing: opened };
      const options = { signal: deadline.signal, timeout: LONGEST, cacheMode: 'refresh' as const };
      const result = await traceCall(() => opened.connection.client.listTools(undefined, options));
      if ('error' in result) {
        if (isForgotten(result.sent)) return { kind: 'forgotten' };
        const aborted = deadline.signal.aborted ? deadline.why() : undefined;
        const reason = aborted ?? reasonOf(result.error, result.sent);
        this.#failed(reason);
        await this.#drop();
        return { kind: 'asked', listing: { kind: 'away', reason } };
      }
      const { left, tools } = listedTools(result.value.tools);
      const server = this.#server.name;
      log.write('debug', 'tool server listed its tools', { server, tools: tools.length, left });
      const listing: ToolListing = { kind: 'tools', tools };
      this.#listed = { at: clock.now(), listing };
      this.#failures = 0;
      return { kind: 'asked', listing };
    } finally {
      deadline.end();
      done();
    }
  }

  #open(): Promise<Opened> {
    const { clock } = this.#options;
    if (this.#opened === undefined && this.#away !== undefined && clock.now() < this.#away.until)
      return Promise.resolve({ kind: 'away', reason: this.#away.reason });
    this.#opened ??= this.#connect();
    return this.#opened;
  }

  #connect(): Promise<Opened> {
    const { clock } = this.#options;
    const deadline = callDeadline(clock, START, this.#closing.signal);
    const began = clock.now();
    const gone = (how: string) => {
      // Only the connection that is in use: one that was closed here is forgotten already.
      if (this.#opened !== mine) return;
      this.#opened = undefined;
      this.#listed = undefined;
      if (clock.now() - began >= LASTED) this.#failures = 0;
      this.#failed(how);
    };
    const changed = () => {
      this.#listed = undefined;
    };
    const opening = traceCall(() =>
      openConnection(this.#server, this.#options, deadline.signal, gone, changed),
    );
    const mine: Promise<Opened> = opening.then((result): Opened => {
      const why = deadline.signal.aborted ? deadline.why() : undefined;
      deadline.end();
      if ('value' in result) return { kind: 'open', connection: result.value };
      const reason = why ?? reasonOf(result.error, result.sent);
      if (this.#opened === mine) {
        this.#opened = undefined;
        this.#failed(reason);
      }
      return { kind: 'away', reason };
    });
    return mine;
  }

  #failed(reason: string): void {
    const { clock, log } = this.#options;
    const failures = (this.#failures += 1);
    const pause = failures === 1 ? 0 : backoff(AGAIN, failures - 1);
    this.#away = { until: clock.now() + pause, reason };
    const server = this.#server.name;
    const advice = PRIVATE.includes(reason) ? ADVICE : undefined;
    log.write('warning', 'tool server is away', { server, reason, failures, pause, advice });
  }

  /** Forgets the connection, and ends it. */
  async #drop(): Promise<void> {
    const opened = this.#opened;
    this.#opened = undefined;
    this.#listed = undefined;
    const was = await opened;
    if (was?.kind === 'open') await was.connection.close();
  }

  #inUse(): () => void {
    this.#cancelIdle?.();
    this.#calls += 1;
    return () => {
      this.#calls -= 1;
      if (this.#calls > 0) return;
      this.#cancelIdle = this.#options.clock.after(IDLE, () => void this.#drop());
    };
  }
}

/** What is waited for, or that it is waited for no longer; then it goes on for the others. */
function orAborted<T extends { readonly kind: string }>(
  wanted: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | { readonly kind: 'away'; readonly reason: string }> {
  if (signal === undefined) return wanted;
  return new Promise((resolve, reject) => {
    const away = () => resolve({ kind: 'away', reason: 'timeout' });
    if (signal.aborted) return away();
    signal.addEventListener('abort', away, { once: true });
    wanted.then(resolve, reject).finally(() => signal.removeEventListener('abort', away));
  });
}
