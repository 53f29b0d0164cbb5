import type { App } from '../shared/app/app.ts';
import { createTaskService } from '../shared/app/tasks/task-service.ts';
import type { TaskService } from '../shared/app/service.ts';
import type { Policies } from '../functions/compose.ts';
import type { Agents } from '../shared/app/agents.ts';
import type { WakeUp } from '../shared/ports/queue.ts';
import { Breaking } from './breaking.ts';
import { memoryApp, type MemoryPorts } from './memory-app.ts';

export interface HostOptions {
  readonly ports: Omit<MemoryPorts, 'queue'>;
  /** Of a process: `isAlive` says whether it is still there. */
  readonly agents: (isAlive: () => boolean) => Agents;
  readonly policies: Policies;
  /** Takes what a process hands over that is alive. */
  readonly enqueue: (wakeUp: WakeUp) => void;
}

/** One process of a world. It ends only where a test says so, and takes what it was at with it. */
export class Host {
  readonly app: App;
  readonly service: TaskService;
  /** Resolves when the process is lost: an answer that a caller waits for never comes. */
  readonly died: Promise<'lost'>;
  /** Counts what it calls outside itself. */
  readonly breaking: Breaking;

  constructor({ agents, enqueue, policies, ports }: HostOptions) {
    const { promise, resolve } = Promise.withResolvers<'lost'>();
    this.died = promise;
    const onDeath = (): void => resolve('lost');
    const breaking = new Breaking(0, 'before', { only: 'commit', onDeath });
    this.breaking = breaking;
    const own: MemoryPorts = {
      ...ports,
      backend: breaking.store(ports.backend),
      remotes: breaking.remotes(ports.remotes),
      queue: {
        async enqueue(wakeUp) {
          if (!breaking.dead) enqueue(wakeUp);
        },
      },
    };
    this.app = memoryApp(
      own,
      agents(() => !breaking.dead),
      policies,
    );
    this.service = createTaskService(this.app);
  }

  get alive(): boolean {
    return !this.breaking.dead;
  }
}
