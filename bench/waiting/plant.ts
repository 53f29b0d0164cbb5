import { composeApp } from '../../functions/compose.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import type { App } from '../../shared/app/app.ts';
import { createTaskService } from '../../shared/app/tasks/task-service.ts';
import type { Millis } from '../../shared/domain/brand.ts';
import { defaults } from '../../shared/domain/settings.ts';
import type { WakeUp } from '../../shared/ports/queue.ts';
import type { RemoteAgents } from '../../shared/ports/remote-agents.ts';
import { createStore } from '../../shared/store/store.ts';
import { type CountingBackend, countingBackend } from '../../test/budgets/counting-backend.ts';
import { type DelegatingAgent, delegatingAgent } from '../../test/doubles/delegating-agent.ts';
import { markingRedactor } from '../../test/doubles/marking-redactor.ts';
import { MemoryBackend } from '../../testing/memory-backend.ts';
import { MemoryBlobs } from '../../testing/memory-blobs.ts';
import { memorySealer } from '../../testing/memory-sealer.ts';
import { noGrants, noOutgoing } from '../../testing/no-remotes.ts';
import { noToolServers } from '../../functions/no-tool-servers.ts';
import { noWorkspaces } from '../../testing/no-workspaces.ts';
import { seededIds } from '../../testing/seeded-ids.ts';
import { VirtualClock } from '../../testing/virtual-clock.ts';
import { EventHeap } from '../scale/event-heap.ts';

const day: Millis = 24 * 3_600_000;

/** What was used since it was last asked. */
export interface Used {
  readonly looks: number;
  readonly reads: number;
  readonly writes: number;
  /** Wake-ups handed over, and delivered. */
  readonly enqueued: number;
  readonly delivered: number;
  /** Data keys that a key service had to open. */
  readonly unwrapped: number;
}

/**
 * The application over memory, with a queue in the order of time and a clock that jumps from one
 * wake-up to the next.
 */
export class Plant {
  readonly clock = new VirtualClock();
  readonly app: App;
  readonly #agent: DelegatingAgent;
  readonly #backend: CountingBackend;
  readonly #due = new EventHeap();
  readonly #wakeUps = new Map<number, WakeUp>();
  #numbers = 0;
  #polls = 0;
  #enqueued = 0;
  #delivered = 0;
  #unwrapped = 0;

  constructor(seed: number) {
    const { clock } = this;
    const ids = seededIds(seed);
    this.#backend = countingBackend(new MemoryBackend());
    const sealer = memorySealer(ids);
    const settings = { ...defaults, dependencyDeadline: day, runDeadline: day + 3_600_000 };
    const remote = {
      name: 'peer',
      description: 'Is at work.',
      card: 'https://peer.example/card',
      pollInterval: settings.pollInterval,
      deadline: day + 1_800_000,
      messageBytes: settings.remoteMessage,
      answerBytes: settings.remoteMessage,
      approval: false,
      push: false,
    };
    const agent = delegatingAgent({ remote });
    this.#agent = agent;
    this.app = composeApp(
      {
        store: createStore({ backend: this.#backend, clock, ids, deadline: 8_000 }),
        blobs: new MemoryBlobs(clock),
        workspaces: noWorkspaces,
        clock,
        ids,
        settings,
        sealer: {
          ...sealer,
          unwrap: (wrapped, owner) => {
            this.#unwrapped += 1;
            return sealer.unwrap(wrapped, owner);
          },
        },
        redactor: markingRedactor,
        remotes: this.#remotes(),
        outgoing: noOutgoing,
        toolServers: noToolServers,
        grants: noGrants,
        queue: { enqueue: (wakeUp) => Promise.resolve(this.#enqueue(wakeUp)) },
        log: { write: () => undefined },
      },
      { get: () => agent },
      { idempotency: 'off', installation: { answer: 'metadata', audit: 'metadata' } },
    );
  }

  /** A new task, and everything that is due by then. */
  async start(): Promise<string> {
    const service = createTaskService(this.app);
    const sent = await service.send(
      { agent: this.#agent.name, tenant: '', owner: '', authenticated: false },
      { message: { messageId: this.app.ids.uuid(), role: 'user', parts: [{ text: 'Wait.' }] } },
    );
    if (sent.kind !== 'accepted') throw new Error(sent.kind);
    await this.until(this.clock.now());
    return sent.taskId;
  }

  /** Delivers each wake-up when it is due. */
  async until(time: Millis): Promise<void> {
    while (this.#due.next <= time) {
      const at = this.#due.next;
      const number = this.#due.pop();
      const wakeUp = this.#wakeUps.get(number);
      this.#wakeUps.delete(number);
      if (at > this.clock.now()) await this.clock.advance(at - this.clock.now());
      this.#delivered += 1;
      if (wakeUp !== undefined) await handleWakeUp(this.app, wakeUp);
    }
    if (time > this.clock.now()) await this.clock.advance(time - this.clock.now());
  }

  used(): Used {
    const { reads, writes } = this.#backend.counted();
    const used = {
      looks: this.#polls,
      reads,
      writes,
      enqueued: this.#enqueued,
      delivered: this.#delivered,
      unwrapped: this.#unwrapped,
    };
    this.#polls = this.#enqueued = this.#delivered = this.#unwrapped = 0;
    return used;
  }

  #enqueue(wakeUp: WakeUp): void {
    this.#numbers += 1;
    this.#enqueued += 1;
    this.#wakeUps.set(this.#numbers, wakeUp);
    this.#due.push(wakeUp.at, this.#numbers);
  }

  /** Takes everything, and never comes to an end. */
  #remotes(): RemoteAgents {
    let tasks = 0;
    const working = (taskId: string, contextId: string) => ({
      ref: { taskId, contextId },
      state: 'WORKING' as const,
      artifacts: [],
      bytes: 200,
    });
    return {
      send: (_remote, { contextId }) => {
        tasks += 1;
        return Promise.resolve({
          kind: 'acknowledged',
          task: working(`task-${tasks}`, contextId),
        });
      },
      poll: (_remote, { taskId, contextId }) => {
        this.#polls += 1;
        return Promise.resolve({ kind: 'task', task: working(taskId, contextId) });
      },
      find: () => Promise.resolve([]),
      cancel: () => Promise.resolve({ kind: 'answered', state: 'CANCELED' }),
    };
  }
}
