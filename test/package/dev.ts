import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { eventually } from '../e2e/eventually.ts';
import { commandIn, optionsOf, type Place } from './installed.ts';

const taskSchema = z.object({ id: z.string(), status: z.object({ state: z.string() }) });
const artifactSchema = z.object({ parts: z.array(z.object({ text: z.string() })) });
const sentSchema = z.object({
  task: taskSchema.extend({ artifacts: z.array(artifactSchema).optional() }),
});
export type Task = z.infer<typeof sentSchema>['task'];

/** `holdfast dev` in a project, as its author has it in a terminal. */
export class Dev {
  /** What it said so far, on both streams. */
  readonly lines: string[] = [];
  readonly #child: ChildProcess;

  constructor(place: Place) {
    const { cwd, env, inherit } = optionsOf(place);
    const inherited = Object.entries(process.env).filter(([name]) => inherit(name));
    const args = ['dev', '--port=0', '--operator-port=0'];
    const node = place.node ?? process.execPath;
    const child = spawn(node, [commandIn(place.folder), ...args], {
      cwd,
      env: { ...Object.fromEntries(inherited), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      createInterface({ input: stream }).on('line', (line) => this.lines.push(line));
    this.#child = child;
  }

  /** The first thing said that matches, once it is; `after`: how many lines don't count. */
  async said(wanted: RegExp, after = 0): Promise<RegExpExecArray> {
    const found = () => wanted.exec(this.lines.slice(after).join('\n'));
    const unsaid = () => new Error(`${wanted} was not said, but:\n${this.lines.join('\n')}`);
    await eventually(found, (match) => match !== null).catch(() => Promise.reject(unsaid()));
    const match = found();
    if (match === null) throw unsaid();
    return match;
  }

  async send(text: string, taskId?: string): Promise<Task> {
    const [, url = ''] = await this.said(/^holdfast ready (\S+)/m);
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
    const response = await fetch(`${url}/message:send`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body: JSON.stringify({ message: taskId === undefined ? message : { ...message, taskId } }),
    });
    return sentSchema.parse(await response.json()).task;
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGTERM');
    await exited;
  }
}
