import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  ReadBuffer,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import type { Clock } from '../ports/clock.ts';
import { sentCall } from './sent-call.ts';

/** The default environment of the SDK's own transport for child processes. */
const INHERITED = ['HOME', 'LOGNAME', 'PATH', 'SHELL', 'TERM', 'USER'];

/** How long a child may take to end once its input has. */
const GRACE = 2_000;
const DRAIN = 200;

/**
 * Becomes the server, in a process group of its own. What it leaves beside itself waits for the
 * end of descriptor 3, which only this process holds open: when that is gone, however it went, the
 * whole group is killed.
 */
const GUARD = `(while read -r _line <&3; do :; done; sleep ${GRACE / 1_000}; kill -9 -$$) <&3 >/dev/null 2>&1 &
exec 3<&-
exec "$@"`;

export interface ChildOptions {
  readonly command: readonly string[];
  readonly folder?: string;
  /** Besides what each child inherits. */
  readonly env: Readonly<Record<string, string>>;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Bytes of one message at most. */
  readonly bytes: number;
  readonly clock: Pick<Clock, 'after'>;
  /** A line that is no message, or what it writes to stderr. */
  readonly onLine: (bytes: number) => void;
}

/**
 * An MCP server as a child process. It ends with this process: also when that is killed, and also a
 * server that does not look at the end of its input.
 */
export class ChildTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** How it ended, once it has. */
  ended: string | undefined;
  readonly #options: ChildOptions;
  readonly #buffer: ReadBuffer;
  #child: ChildProcess | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
    this.#buffer = new ReadBuffer({ maxBufferSize: options.bytes });
  }

  /** Rejects when the program can't be started. */
  start(): Promise<void> {
    const { command, env, environment, folder } = this.#options;
    const inherited = INHERITED.flatMap((name) => {
      const value = environment[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    const child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...command], {
      detached: true,
      env: { ...Object.fromEntries(inherited), ...env },
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      ...(folder !== undefined && { cwd: folder }),
    });
    this.#child = child;
    // The server that this is part of keeps the process alive.
    child.unref();
    for (const stream of child.stdio) if (stream) quiet(stream);
    child.stdout?.on('data', (chunk: Buffer) => this.#take(chunk));
    child.stderr?.on('data', (chunk: Buffer) => this.#options.onLine(chunk.length));
    return new Promise((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        reject(error);
        const code = 'code' in error && typeof error.code === 'string' ? error.code : 'fault';
        this.#over(`it could not be started: ${code}`);
      });
      child.once('exit', (code, signal) => {
        const how = signal === null ? `it ended with ${code ?? 0}` : `it was ended by ${signal}`;
        // What it wrote last may still be in the pipe; a child of its own may hold that open.
        child.stdout?.once('close', () => this.#over(how));
        this.#options.clock.after(DRAIN, () => this.#over(how));
      });
    });
  }

  send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (input === null || input === undefined || !input.writable || this.ended !== undefined)
      return Promise.reject(new Error(this.ended ?? 'it is not connected'));
    sentCall().sent = true;
    return new Promise((resolve) => {
      input.write(serializeMessage(message), () => resolve());
    });
  }

  /** Ends its input, and kills what has not gone by then. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === undefined || this.ended !== undefined) return;
    // It has gone, and what it wrote last is still being read.
    if (child.exitCode !== null || child.signalCode !== null)
      return this.#over('it was ended here');
    await new Promise<void>((resolve) => {
      const cancel = this.#options.clock.after(GRACE, () => {
        kill(child);
        resolve();
      });
      child.once('exit', () => {
        cancel();
        resolve();
      });
      child.stdin?.end();
    });
    this.#over('it was ended here');
  }

  #take(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk);
      for (let more = true; more; ) more = this.#read();
    } catch {
      this.#over('its message is too large');
      if (this.#child !== undefined) kill(this.#child);
    }
  }

  /** One message; false when there is no whole one. What is none is passed over. */
  #read(): boolean {
    try {
      const message = this.#buffer.readMessage();
      if (message === null) return false;
      this.onmessage?.(message);
    } catch {
      this.#options.onLine(0);
    }
    return true;
  }

  #over(how: string): void {
    if (this.ended !== undefined) return;
    this.ended = how;
    this.#buffer.clear();
    // Whatever it left in its group goes with it.
    for (const stream of this.#child?.stdio ?? []) stream?.destroy();
    this.onclose?.();
  }
}

/** Its errors come with the end of the child, and it keeps no process alive. */
function quiet(stream: Readable | Writable): void {
  stream.on('error', () => undefined);
  if (isSocket(stream)) stream.unref();
}

function isSocket(stream: object): stream is { unref(): unknown } {
  return 'unref' in stream && typeof stream.unref === 'function';
}

function kill({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has gone meanwhile.
  }
}
