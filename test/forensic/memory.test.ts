import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { composeApp } from '../../functions/compose.ts';
import { publish } from '../../functions/load-agents.ts';
import { noToolServers } from '../../functions/no-tool-servers.ts';
import { defineAgent, type Model } from '../../shared/agent/index.ts';
import type { App } from '../../shared/app/app.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { loadSteps } from '../../shared/app/worker/transcript.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { openEmbedded } from '../../shared/embedded/index.ts';
import { openPlainFolder } from '../../shared/embedded/plain-folder.ts';
import { markingRedactor } from '../doubles/marking-redactor.ts';
import { noOutgoing, noRemotes } from '../../testing/no-remotes.ts';
import { noWorkspaces } from '../../testing/no-workspaces.ts';
import { call } from '../../testing/scripted-model.ts';
import { holding } from './payload-house.ts';

/** Said in the first task, which the model sums up with this word in it. */
const WORD = 'plum-of-the-first-task';
const LOUD = `${WORD} secret-${WORD}`;

/** Answers each task; asks when its client says `wait`, so that the task stays open. */
const model: Model = {
  name: 'talker',
  turn({ tools, transcript }) {
    if (tools.length === 0) return Promise.resolve({ text: `The client spoke of ${LOUD}.` });
    const waits = transcript.length === 1 && JSON.stringify(transcript).includes('wait');
    const asks = { calls: [call('ask_client', { question: 'What now?' })] };
    return Promise.resolve(waits ? asks : { text: 'Noted.' });
  },
};

/** An embedded installation on a folder of its own. */
class House {
  readonly folder: string;
  readonly app: App;
  readonly said: string[] = [];
  readonly #embedded: ReturnType<typeof openEmbedded>;
  readonly #service: ReturnType<typeof createTaskService>;
  readonly #agent = defineAgent({
    name: 'talker',
    description: 'Talks.',
    model,
    instructions: 'Talk.',
    ask: true,
    memory: { mode: 'summary', tokens: 40 },
  });

  constructor(folder: string) {
    this.folder = folder;
    const log = { write: (...line: readonly unknown[]) => this.#say(line) };
    this.#embedded = openEmbedded({ folder, log, settings: { ...defaults, progressDelay: 5 } });
    const ports = {
      ...this.#embedded.ports,
      redactor: markingRedactor,
      remotes: noRemotes,
      outgoing: noOutgoing,
      toolServers: noToolServers,
      workspaces: noWorkspaces,
      grants: { allows: () => Promise.resolve(true) },
    };
    this.app = composeApp(ports, publish([this.#agent], 'test'), {
      idempotency: 'always',
      installation: { answer: 'metadata', audit: 'metadata' },
      baseUrl: 'https://a2a.example',
    });
    this.#service = createTaskService(this.app);
    this.#embedded.queue.start((wakeUp) => {
      this.#say(wakeUp);
      return handleWakeUp(this.app, wakeUp);
    });
  }

  #say(line: unknown): void {
    this.said.push(JSON.stringify(line));
  }

  async task(text: string): Promise<string> {
    const principal = { agent: this.#agent.name, tenant: '', owner: '', authenticated: false };
    const messageId = this.app.ids.uuid();
    const message = { messageId, role: 'user' as const, parts: [{ text }] };
    const sent = await this.#service.send(principal, { message, contextId: 'talk' });
    if (sent.kind !== 'accepted') throw new Error(sent.kind);
    await this.#embedded.queue.idle();
    return sent.taskId;
  }

  async run(taskId: string) {
    const run = await this.app.store.get(runDoc(taskId));
    if (run === undefined) throw new Error('no row');
    return run;
  }

  async steps(taskId: string): Promise<string> {
    return JSON.stringify(await loadSteps(this.app, { run: await this.run(taskId) }));
  }

  async files(): Promise<ReadonlyMap<string, Buffer>> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const read = files.map(async ({ name, parentPath }) => {
      const path = join(parentPath, name);
      return [path.slice(this.folder.length + 1), await readFile(path)] as const;
    });
    return new Map(await Promise.all(read));
  }

  close = (): Promise<void> => this.#embedded.close();
}

let house: House;
let first: string;
let waiting: string;
beforeEach(async () => {
  house = new House(await mkdtemp(join(tmpdir(), 'holdfast-memory-')));
  first = await house.task(`I like ${LOUD}. ${'x'.repeat(100)}`);
  for (const fruit of ['fig', 'kiwi']) await house.task(`I like ${fruit}. ${'x'.repeat(100)}`);
  waiting = await house.task('wait');
});
afterEach(async () => {
  await house.close().catch(() => undefined);
  await rm(house.folder, { recursive: true });
});

describe('what a run remembers of an earlier task', () => {
  it('is in clear nowhere but in that task and its plain archive', async () => {
    expect(await house.steps(waiting)).toContain(WORD);
    expect(await house.run(waiting)).toMatchObject({ status: 'waiting_for_input' });
    expect(house.said.join()).not.toContain(WORD);
    const found = holding(await house.files(), WORD);
    expect(found.length).toBeGreaterThan(0);
    for (const path of found) expect(path).toMatch(/^objects\/archive\.sqlite/);
    const archive = openPlainFolder(join(house.folder, 'objects'));
    const copies: string[] = [];
    for await (const page of archive.entries('contexts/'))
      for (const { name } of page)
        if (Buffer.from((await archive.get(name))?.body ?? []).includes(WORD)) copies.push(name);
    expect(copies).toEqual([expect.stringMatching(new RegExp(`/${first}/task\\.json$`))]);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['purged', () => purgeRun(house.app, first)],
    ['tightened to none', () => tightenCeiling(house.app, first, { answer: 'none' })],
  ])(
    'is gone with it when it is %s: no word in clear, no key, and nothing that opens',
    async (_what, end) => {
      const { wrappedKey } = await house.run(first);
      await end();
      expect(await house.run(waiting)).toMatchObject({ status: 'waiting_for_input' });
      expect(await house.steps(waiting)).toContain('"kind":"summary"');
      expect(await house.steps(waiting)).not.toContain(WORD);
      await house.close();
      const files = await house.files();
      expect(holding(files, WORD)).toEqual([]);
      expect(holding(files, wrappedKey)).toEqual([]);
    },
  );

  it('is not read any more when it is redacted: neither there nor in the summary of it', async () => {
    const { wrappedKey } = await house.run(first);
    await tightenCeiling(house.app, first, { answer: 'redacted' });
    expect(await house.steps(waiting)).not.toContain(`secret-${WORD}`);
    await house.close();
    const files = await house.files();
    expect(holding(files, `secret-${WORD}`)).toEqual([]);
    expect(holding(files, wrappedKey)).toEqual([]);
  });
});
