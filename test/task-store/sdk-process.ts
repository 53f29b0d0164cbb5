import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const SERVER = fileURLToPath(new URL('../fixtures/task-store/sdk-server.ts', import.meta.url));
const answer = z.object({
  result: z.unknown().optional(),
  error: z
    .object({
      code: z.number(),
      message: z.string(),
      data: z.array(z.object({ metadata: z.record(z.string(), z.string()).optional() })).optional(),
    })
    .optional(),
});
const task = z.looseObject({
  id: z.string(),
  contextId: z.string(),
  status: z.looseObject({ state: z.string() }),
  history: z.array(z.looseObject({ messageId: z.string() })).optional(),
});
const sent = z.object({ task });
const listed = z.object({ tasks: z.array(task), totalSize: z.number() });

/** A server of the SDK's own making on our store, in a process that can be killed. */
export class SdkProcess {
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #url = '';

  constructor(args: readonly string[]) {
    this.#args = args;
  }

  async start(): Promise<this> {
    const child = spawn(process.execPath, [SERVER, ...this.#args], {
      // What the SDK complains of to its console is no concern of the test's.
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    this.#child = child;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    createInterface({ input: child.stdout }).on('line', (line) => {
      const [, url] = /^sdk ready (\S+)$/.exec(line) ?? [];
      if (url !== undefined) resolve(url);
    });
    child.once('exit', (code) => reject(new Error(`ended with ${code} before ready`)));
    this.#url = await promise;
    return this;
  }

  async kill(): Promise<void> {
    if (this.#child === undefined || this.#child.exitCode !== null) return;
    const exited = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await exited;
  }

  async restart(): Promise<void> {
    await this.kill();
    await this.start();
  }

  async release(): Promise<void> {
    await fetch(`${this.#url}/release`, { method: 'POST' });
  }

  /** How many tasks its executor began to work on. */
  async started(): Promise<number> {
    return Number(await (await fetch(`${this.#url}/started`)).text());
  }

  /** The answer as it came. */
  async text(method: string, params: object, user = ''): Promise<string> {
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'a2a-version': '1.0',
        ...(user !== '' && { 'x-user': user }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });
    return response.text();
  }

  async call(method: string, params: object, user = '') {
    return answer.parse(JSON.parse(await this.text(method, params, user)));
  }

  /** The task of a message that is taken. */
  async send(text: string, more: Partial<Sending> = {}) {
    return sent.parse((await this.trySend(text, more)).result).task;
  }

  async trySend(text: string, { user, wait = true, ...message }: Partial<Sending> = {}) {
    return this.call(
      'SendMessage',
      {
        message: { messageId: randomUUID(), role: 'ROLE_USER', parts: [{ text }], ...message },
        configuration: { returnImmediately: !wait },
      },
      user,
    );
  }

  async get(id: string, user = '') {
    return task.parse((await this.call('GetTask', { id }, user)).result);
  }

  async list(params: object = {}, user = '') {
    return listed.parse((await this.call('ListTasks', params, user)).result);
  }
}

interface Sending {
  readonly user: string;
  /** False: answered as soon as there is a task. */
  readonly wait: boolean;
  readonly messageId: string;
  readonly taskId: string;
  readonly contextId: string;
}
