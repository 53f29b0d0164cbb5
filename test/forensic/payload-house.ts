import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { composeApp } from '../../functions/compose.ts';
import { publish } from '../../functions/load-agents.ts';
import { type DefinedAgent, defineAgent, defineTool, ToolError } from '../../shared/agent/index.ts';
import type { App } from '../../shared/app/app.ts';
import { runDoc, viewDoc } from '../../shared/app/records/documents.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { pollSooner } from '../../shared/app/delegation/poll-sooner.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import type { TaskService } from '../../shared/app/service.ts';
import type { Decision } from '../../shared/domain/decision.ts';
import type { Ceiling } from '../../shared/domain/ceiling.ts';
import type { Principal } from '../../shared/domain/ids.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Run } from '../../shared/domain/run.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { type Embedded, openEmbedded } from '../../shared/embedded/index.ts';
import { openPlainFolder } from '../../shared/embedded/plain-folder.ts';
import { markingRedactor } from '../doubles/marking-redactor.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { RecordingTracer } from '../doubles/recording-tracer.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { noOutgoing } from '../../testing/no-remotes.ts';
import { noToolServers } from '../../functions/no-tool-servers.ts';
import { noWorkspaces } from '../../testing/no-workspaces.ts';
import { Peer } from '../../testing/peer.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';

/** Stays inside, whatever happens: no reader outside may ever see it (G4). */
export const INNER = {
  instructions: 'inner-aardvark-instructions',
  beside: 'inner-baboon-text-beside-calls',
  argument: 'inner-caribou-argument',
  result: 'inner-dingo-result',
  error: 'inner-echidna-tool-error',
  /** Not even the model is told what a tool did not mean to say. */
  crash: 'inner-iguana-crash',
  sent: 'inner-falcon-sent-to-remote',
  received: 'inner-gecko-received-from-remote',
  operator: 'inner-heron-operator',
} as const;
/** May leave: in the task, and in the plain archive of it, and nowhere else. */
export const OUTER = {
  message: 'outer-ibex-client-message',
  artifact: 'outer-jackal-artifact',
  summary: 'outer-kiwi-summary',
  question: 'outer-lemur-question',
  input: 'outer-marmot-input',
  final: 'outer-narwhal-final',
} as const;

export type Wait = 'remote' | 'approval' | 'input' | 'ended';

const parameters = z.object({ at: z.string() });

function tools() {
  return [
    defineTool({
      name: 'note',
      description: 'Notes.',
      parameters,
      effect: 'idempotent',
      run: ({ at }) => ({ noted: at, result: INNER.result.repeat(30) }),
    }),
    defineTool({
      name: 'fail',
      description: 'Fails.',
      parameters,
      effect: 'read',
      run: () => {
        throw new ToolError(INNER.error);
      },
    }),
    defineTool({
      name: 'crash',
      description: 'Crashes.',
      parameters,
      effect: 'read',
      run: () => {
        throw new Error(INNER.crash);
      },
    }),
    defineTool({
      name: 'pay',
      description: 'Pays.',
      parameters,
      effect: 'once',
      approval: true,
      summary: () => OUTER.summary,
      run: () => INNER.result,
    }),
    defineTool({
      name: 'choose',
      description: 'Asks.',
      parameters,
      effect: 'read',
      input: { question: OUTER.question, schema: z.object({ which: z.string() }) },
      run: (_args, { input }) => ({ ...input, result: INNER.result }),
    }),
  ];
}

const args = { at: INNER.argument };
const script = () =>
  new ScriptedModel(
    {
      text: INNER.beside,
      artifacts: [{ artifactId: 'shown', name: OUTER.artifact, parts: OUTER.artifact }],
      calls: [call('note', args), call('fail', args), call('crash', args)],
      usage: { inputTokens: 10, outputTokens: 5 },
    },
    {
      text: INNER.beside,
      calls: [call('peer', { message: INNER.sent, data: { [INNER.sent]: INNER.sent } })],
    },
    { text: INNER.beside, calls: [call('pay', args)] },
    { text: INNER.beside, calls: [call('choose', args)] },
    { text: OUTER.final },
  );

interface Kept {
  readonly audit?: Ceiling;
  readonly trailRetention?: number;
}

/**
 * An embedded installation on a folder of its own, with one agent that waits in every way, and what
 * it says on the way.
 */
export class House {
  readonly folder: string;
  readonly app: App;
  readonly service: TaskService;
  readonly peer = new Peer();
  readonly model = script();
  readonly tracer = new RecordingTracer();
  /** Log lines and wake-ups. */
  readonly said: string[] = [];
  readonly #embedded: Embedded;
  readonly #principal: Principal;

  /** `trailRetention`: milliseconds. */
  static async open(kept: Kept = {}): Promise<House> {
    return new House(await mkdtemp(join(tmpdir(), 'holdfast-payload-')), kept);
  }

  private constructor(folder: string, { audit = 'metadata', trailRetention }: Kept) {
    this.folder = folder;
    const log = { write: (...line: readonly unknown[]) => this.#say(line) };
    const kept = trailRetention === undefined ? {} : { trailRetention };
    const settings = { ...defaults, progressDelay: 5, inlineContent: 500, ...kept };
    this.#embedded = openEmbedded({ folder, log, settings });
    const remotes = [
      remoteAt('https://peer.example/card', { pollInterval: 3_600_000, push: true }),
    ];
    const agent: DefinedAgent = defineAgent({
      name: 'waiting',
      description: 'Waits in every way.',
      model: this.model,
      instructions: INNER.instructions,
      tools: tools(),
      remotes,
    });
    const ports = {
      ...this.#embedded.ports,
      tracer: this.tracer,
      redactor: markingRedactor,
      remotes: new MemoryRemoteAgents(this.peer),
      outgoing: noOutgoing,
      toolServers: noToolServers,
      workspaces: noWorkspaces,
      grants: { allows: () => Promise.resolve(true) },
    };
    this.app = composeApp(ports, publish([agent], 'test'), {
      idempotency: 'always',
      installation: { answer: 'metadata', audit },
      baseUrl: 'https://a2a.example',
    });
    this.service = createTaskService(this.app);
    this.#principal = { agent: agent.name, tenant: '', owner: '', authenticated: false };
    this.#embedded.queue.start((wakeUp) => {
      this.#say(wakeUp);
      return handleWakeUp(this.app, wakeUp);
    });
  }

  #say(line: unknown): void {
    this.said.push(JSON.stringify(line));
  }

  /** A new task, brought to where it waits for that. */
  async until(wait: Wait): Promise<string> {
    const message = {
      messageId: this.app.ids.uuid(),
      role: 'user' as const,
      parts: [{ text: OUTER.message }],
    };
    const sent = await this.service.send(this.#principal, { message });
    if (sent.kind !== 'accepted') throw new Error(sent.kind);
    const { taskId } = sent;
    await this.idle();
    for (const at of ['remote', 'approval', 'input'] as const) {
      if (at === wait) return taskId;
      await this.goOn(at, taskId);
    }
    return taskId;
  }

  /** What the run waits for there comes. */
  async goOn(at: Exclude<Wait, 'ended'>, taskId: string): Promise<void> {
    const run = await this.run(taskId);
    switch (at) {
      case 'remote': {
        for (const { push, state, taskId: remote } of this.peer.tasks.values()) {
          if (state !== 'WORKING') continue;
          this.peer.settle(remote, 'COMPLETED', INNER.received);
          await pollSooner(this.app, push?.token ?? '');
        }
        break;
      }
      case 'approval':
      case 'input': {
        if (!('digest' in run)) throw new Error(`it is ${run.status}`);
        const named = { pauseGeneration: run.pauseGeneration, digest: run.digest };
        const input = { which: OUTER.input };
        await this.#decide(
          taskId,
          at === 'approval' ? { kind: 'approve', ...named } : { kind: 'input', ...named, input },
        );
        break;
      }
      default:
        at satisfies never;
    }
    await this.idle();
  }

  async #decide(taskId: string, decision: Decision): Promise<void> {
    const operator = { kind: 'operator', subject: INNER.operator } as const;
    const receipt = await storeDecision(this.app, operator, taskId, decision);
    if (isRefused(receipt)) throw new Error(receipt.message);
  }

  async run(taskId: string): Promise<Run> {
    const run = await this.app.store.get(runDoc(taskId));
    if (run === undefined) throw new Error('no row');
    return run;
  }

  /**
   * All that a caller can see of it: the task, the list, and its journal as a stream from the
   * beginning.
   */
  async seen(taskId: string): Promise<{ readonly task: string; readonly journal: string }> {
    const task = await this.service.get(this.#principal, taskId);
    const list = await this.service.list(this.#principal, { includeArtifacts: true });
    const view = await this.app.store.get(viewDoc(taskId));
    const request = { until: 'terminal', afterSeq: 0 } as const;
    const over = new AbortController();
    const stream = await this.service.stream(this.#principal, taskId, request, over.signal);
    if (isRefused(stream)) throw new Error(stream.code);
    const frames: unknown[] = [];
    for await (const frame of stream) {
      frames.push(frame);
      if (frame.kind === 'event' && frame.event.seq === view?.lastSeq) break;
    }
    over.abort();
    return { task: JSON.stringify([task, list]), journal: JSON.stringify(frames) };
  }

  /** Every file below the folder as it is now, by its path. */
  async files(): Promise<ReadonlyMap<string, Buffer>> {
    const entries = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    const read = files.map(async (entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path.slice(this.folder.length + 1), await readFile(path)] as const;
    });
    return new Map(await Promise.all(read));
  }

  /** Every copy in clear, as a reader of the archive finds it. */
  async archive(): Promise<string> {
    const source = openPlainFolder(join(this.folder, 'objects'));
    const copies: string[] = [];
    for await (const page of source.entries('contexts/'))
      for (const { name } of page.filter((entry) => entry.name.endsWith('/task.json')))
        copies.push(Buffer.from((await source.get(name))?.body ?? []).toString());
    return copies.join('\n');
  }

  idle(): Promise<void> {
    return this.#embedded.queue.idle();
  }

  close(): Promise<void> {
    return this.#embedded.close();
  }

  async remove(): Promise<void> {
    await this.close().catch(() => undefined);
    await rm(this.folder, { recursive: true });
  }
}

/** Names of the files in which a word stands, in their contents or their path. */
export function holding(
  files: ReadonlyMap<string, Buffer>,
  word: string | Uint8Array,
): readonly string[] {
  const bytes = Buffer.from(word);
  return [...files]
    .filter(([path, body]) => body.includes(bytes) || Buffer.from(path).includes(bytes))
    .map(([path]) => path);
}
