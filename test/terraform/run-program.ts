import { spawn } from 'node:child_process';

export interface ProgramOptions {
  readonly cwd?: string;
  /** Over the environment of this process. */
  readonly env?: Readonly<Record<string, string>>;
  /** Without it the whole environment of this process. */
  readonly inherit?: (name: string) => boolean;
  readonly timeout?: number;
}

export interface Ended {
  /** Undefined when it could not be started, or was killed. */
  readonly code: number | undefined;
  readonly stdout: string;
  /** Both streams, in the order in which they came. */
  readonly output: string;
}

/** Runs a program to its end; failing is an answer, not an exception. */
export function runProgram(
  command: string,
  args: readonly string[],
  { cwd, env = {}, inherit = () => true, timeout }: ProgramOptions = {},
): Promise<Ended> {
  const inherited = Object.entries(process.env).filter(([name]) => inherit(name));
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...Object.fromEntries(inherited), ...env },
      ...(cwd === undefined ? {} : { cwd }),
      ...(timeout === undefined ? {} : { timeout }),
    });
    const all: Buffer[] = [];
    const out: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => all.push(chunk) && out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => all.push(chunk));
    const end = (code: number | undefined): void => {
      const text = (chunks: readonly Buffer[]): string => Buffer.concat(chunks).toString('utf8');
      resolve({ code, stdout: text(out), output: text(all) });
    };
    child.once('error', () => end(undefined));
    child.once('close', (code) => end(code ?? undefined));
  });
}
