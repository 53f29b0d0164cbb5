import { type ChildProcess, fork } from 'node:child_process';
import { Readable } from 'node:stream';
import { z } from 'zod';
import type { Bounds } from './fate.ts';
import type { Death, FromProcess, Link, OpenLink } from './messages.ts';
import { SentErrors } from './sent-errors.ts';

export interface ForkOptions {
  /** What the process runs: it calls `serveForked`. */
  readonly script: string;
  /** The module that has the agents; empty: those that come with the script. */
  readonly agents: string;
  readonly bounds: Bounds;
}

/** The process reports on itself there as it is ended by its watcher. */
export const REPORT = 4;
const STDIO = ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'] as const;

export const reportSchema = z.object({
  kind: z.enum(['stalled', 'memory']),
  run: z.number().optional(),
  stack: z.array(z.string()).readonly(),
});
export type Report = z.infer<typeof reportSchema>;

/** Starts agents in processes of their own. */
export function forkedAgents({ agents, bounds, script }: ForkOptions): OpenLink {
  return (agent, heard) => {
    const child = started(() =>
      fork(script, [agents, agent, ...[bounds.silence, bounds.memory, process.pid].map(String)], {
        serialization: 'advanced',
        stdio: [...STDIO],
        execArgv: execArgvWith(bounds.memory),
      }),
    );
    if (child instanceof Error) return notStarted(child, heard);
    child.once('error', (error) => heard(brokenBy(error)));
    child.on('message', (message) => {
      if (isMessage(message)) heard(message);
    });
    return {
      send: (message) => {
        if (child.connected) child.send(message, () => undefined);
      },
      ended: endOf(child),
      end: () => void child.kill('SIGKILL'),
    };
  };
}

/** A machine without memory throws at once; what else goes wrong is an event. */
function started(start: () => ChildProcess): ChildProcess | Error {
  try {
    return start();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

/** That is no fault of the run it was for. */
function notStarted(error: Error, heard: (message: FromProcess) => void): Link {
  const ended = Promise.resolve().then((): Death => {
    heard(brokenBy(error));
    return { kind: 'ended', how: error.message };
  });
  return { send: () => undefined, ended, end: () => undefined };
}

const brokenBy = (error: Error): FromProcess => ({
  kind: 'broken',
  error: new SentErrors().send(error),
});

/** Code of the agent may say something by the same way. */
function isMessage(value: unknown): value is FromProcess {
  return typeof value === 'object' && value !== null && 'kind' in value;
}

/** An inspector listens at one port, and the heap of an agent is bounded. */
function execArgvWith(memory: number): string[] {
  return [
    ...process.execArgv.filter((each) => !each.startsWith('--inspect')),
    `--max-old-space-size=${Math.floor(memory / 2 ** 20)}`,
  ];
}

function endOf(child: ChildProcess): Promise<Death> {
  const { promise, resolve } = Promise.withResolvers<Death>();
  const report = textOf(child.stdio[REPORT]);
  child.once('error', (error) => resolve({ kind: 'ended', how: error.message }));
  child.once('exit', (code, signal) => {
    void report.then((text) => resolve(reported(text) ?? howItEnded(code, signal)));
  });
  return promise;
}

async function textOf(stream: ChildProcess['stdio'][number] | undefined): Promise<string> {
  const chunks: string[] = [];
  if (!(stream instanceof Readable)) return '';
  try {
    for await (const chunk of stream) chunks.push(String(chunk));
  } catch {
    // What came until then is all that there is.
  }
  return chunks.join('');
}

function reported(text: string): Death | undefined {
  try {
    const { kind, run, stack } = reportSchema.parse(JSON.parse(text));
    return { kind, seen: { stack, ...(run !== undefined && { run }) } };
  } catch {
    return undefined;
  }
}

/** V8 aborts a process whose heap is full; a shell says that by its number. */
const ABORTED = 134;

function howItEnded(code: number | null, signal: string | null): Death {
  if (signal === 'SIGABRT' || code === ABORTED) return { kind: 'memory', seen: { stack: [] } };
  if (signal === 'SIGKILL')
    return { kind: 'ended', how: 'SIGKILL, as a machine does that is short of memory' };
  return { kind: 'ended', how: signal ?? `exit code ${code}` };
}
