import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

/** What these tests read of a task; the A2A specification has the rest. */
export interface Task {
  readonly id: string;
  readonly status: { readonly state: string };
  readonly artifacts?: readonly { readonly parts: readonly { readonly text?: string }[] }[];
}

const COMMAND = fileURLToPath(
  new URL('bin/holdfast.js', import.meta.resolve('holdfast/package.json')),
);

/** `holdfast start` on a data folder and ports of its own: what is tested is what is deployed. */
export class Server {
  readonly #data = mkdtempSync(join(tmpdir(), 'agents-'));
  #child: ChildProcess | undefined;
  #url = '';

  async start(): Promise<void> {
    const args = ['start', '--data', this.#data, '--port', '0', '--grpc-port', 'off'];
    const child = spawn(process.execPath, [COMMAND, ...args], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#child = child;
    for await (const line of createInterface({ input: child.stdout })) {
      const [, url] = /^holdfast ready (\S+)/.exec(line) ?? [];
      if (url === undefined) continue;
      this.#url = url;
      break;
    }
    child.stdout.resume();
    if (this.#url === '') throw new Error('the server did not start; its words are above');
  }

  async stop(): Promise<void> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  }

  /** Answers with the task as soon as it is finished or asks something. */
  async send(text: string, taskId?: string): Promise<Task> {
    const message = { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
    const body = { message: taskId === undefined ? message : { ...message, taskId } };
    const response = await fetch(`${this.#url}/message:send`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await response.text());
    const { task } = (await response.json()) as { readonly task: Task };
    return task;
  }
}
