import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { eventually } from '../e2e/eventually.ts';

/**
 * Ends what it started when it ends, also when that is because this process was killed: nothing
 * reads what it writes then.
 */
const FIRST = `set -m; trap : PIPE; trap 'kill -9 $(jobs -p | sed s/^/-/) 2>/dev/null' EXIT\n`;

/** A bash with job control, as a reader has it who pastes one command after the other. */
export class Shell {
  readonly #bash: ChildProcess;
  #written = '';
  #commands = 0;

  constructor(cwd: string, env: Readonly<Record<string, string>>) {
    this.#bash = spawn('bash', ['--norc'], {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    for (const stream of [this.#bash.stdout, this.#bash.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#written += text;
      });
    this.#bash.stdin?.write(FIRST);
  }

  /**
   * Runs a command, and answers what was written until it was done; of one that goes on in the
   * background, until what it writes fits `ready`. Throws when it ends with an error.
   */
  async run(command: string, ready = /(?:)/): Promise<string> {
    const from = this.#written.length;
    this.#commands += 1;
    const done = new RegExp(`\\n@@${this.#commands} (\\d+)\\n`);
    const written = (): string => this.#written.slice(from);
    this.#bash.stdin?.write(`${command}\nprintf '\\n@@${this.#commands} %s\\n' $?\n`);
    const text = await eventually(written, (all) => done.test(all) && ready.test(all), 25_000);
    if (done.exec(text)?.[1] !== '0') throw new Error(`${command} failed:\n${text}`);
    return text.replace(done, '');
  }

  /** Whatever it runs ends with it, also a command that would go on for ever. */
  async close(): Promise<void> {
    if (this.#bash.exitCode !== null) return;
    const closed = once(this.#bash, 'close');
    this.#bash.stdin?.end();
    const cancel = setTimeout(() => killAll(this.#bash.pid), PATIENCE);
    await closed;
    clearTimeout(cancel);
  }
}

/** A shell that is at its prompt ends at once; one that waits for a command does not. */
const PATIENCE = 3_000;

/** A process and all that came from it: jobs of a shell have process groups of their own. */
function killAll(pid: number | undefined): void {
  if (pid === undefined) return;
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' });
  const rows = listed.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  const below = (parent: number): readonly number[] =>
    rows.flatMap(([child = 0, of]) => (of === parent ? [child, ...below(child)] : []));
  for (const each of [pid, ...below(pid)]) {
    try {
      process.kill(each, 'SIGKILL');
    } catch {
      // It has ended meanwhile.
    }
  }
}
