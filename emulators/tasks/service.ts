import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import {
  type handleUnaryCall,
  Server,
  type ServiceDefinition,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { fromJSON } from '@grpc/proto-loader';
import { z } from 'zod';
import type { TasksEngine } from './engine.ts';
import { Refusal } from './refusal.ts';
import { draftOf, queueMessage, queueOf, taskMessage } from './wire.ts';

/**
 * `unavailable`, or `denied` as without the right: nothing happens; `lost-answer`: it happens, and
 * the caller is told that the service is unavailable.
 */
export type CallFault = 'unavailable' | 'denied' | 'lost-answer' | 'silence';
export type CallFaultPlan = (method: string) => CallFault | undefined;

const request = z.object({
  name: z.string().default(''),
  parent: z.string().default(''),
  pageSize: z.number().default(0),
  pageToken: z.string().default(''),
  responseView: z.string().default('BASIC'),
  queue: z.unknown().optional(),
  task: z.unknown().optional(),
});
type Request = z.infer<typeof request>;

/**
 * The methods of google/cloud/tasks/v2/cloudtasks.proto; App Engine targets and IAM are not
 * emulated.
 */
function methodsOf(engine: TasksEngine): Record<string, (request: Request) => object> {
  const queueById = ({ name }: Request) => engine.queue(name);
  const find = ({ name }: Request) => engine.queueOfTask(name).find(name);
  return {
    CreateQueue({ parent, queue }) {
      const { name, config } = queueOf(queue);
      if (!name.startsWith(`${parent}/queues/`)) throw new Refusal(status.INVALID_ARGUMENT, name);
      return queueMessage(engine.createQueue(name, config));
    },
    GetQueue: (given) => queueMessage(queueById(given)),
    ListQueues: ({ parent }) => ({
      queues: [...engine.queues.values()]
        .filter(({ name }) => name.startsWith(`${parent}/queues/`))
        .map(queueMessage),
    }),
    // "Creates the queue if it doesn't exist"; the mask is taken to be what is set.
    UpdateQueue({ queue }) {
      const { name, config } = queueOf(queue);
      const found = engine.queues.get(name) ?? engine.createQueue(name);
      found.config = { ...found.config, ...config };
      found.pump();
      return queueMessage(found);
    },
    DeleteQueue({ name }) {
      engine.deleteQueue(name);
      return {};
    },
    PurgeQueue: ({ name }) => queueMessage(engine.purge(name)),
    PauseQueue: ({ name }) => queueMessage(engine.setPaused(name, true)),
    ResumeQueue: ({ name }) => queueMessage(engine.setPaused(name, false)),
    CreateTask: ({ parent, task, responseView }) =>
      taskMessage(engine.queue(parent).create(draftOf(task)), responseView),
    GetTask: (given) => taskMessage(find(given), given.responseView),
    DeleteTask(given) {
      engine.queueOfTask(given.name).remove(find(given));
      return {};
    },
    // Forced at once, also when the queue is paused or at its limits.
    RunTask(given) {
      const task = find(given);
      task.scheduleTime = Math.min(task.scheduleTime, task.createTime);
      if (!task.running) engine.queueOfTask(given.name).attempt(task);
      return taskMessage(task, given.responseView);
    },
    ListTasks({ parent, pageSize, pageToken, responseView }) {
      const all = [...engine.queue(parent).tasks.values()];
      const from = Number(pageToken);
      const to = from + Math.min(pageSize || 1_000, 1_000);
      return {
        tasks: all.slice(from, to).map((task) => taskMessage(task, responseView)),
        nextPageToken: to < all.length ? String(to) : '',
      };
    },
  };
}

/** A gRPC server that speaks the protocol of the client's own definitions. */
export function serverOf(engine: TasksEngine, fault: CallFaultPlan): Server {
  const methods = Object.entries(methodsOf(engine)).map(([name, method]) => {
    const handler: handleUnaryCall<unknown, object> = (call, answer) => {
      const planned = fault(name);
      const unavailable = { code: status.UNAVAILABLE, details: 'Planned fault' };
      if (planned === 'silence') return;
      if (planned === 'unavailable') return answer(unavailable);
      if (planned === 'denied') {
        return answer({
          code: status.PERMISSION_DENIED,
          details: 'Permission denied on resource.',
        });
      }
      try {
        const done = method(request.parse(call.request));
        if (planned === 'lost-answer') answer(unavailable);
        else answer(null, done);
      } catch (error) {
        const code = error instanceof Refusal ? error.code : status.INTERNAL;
        answer({ code, details: error instanceof Error ? error.message : String(error) });
      }
    };
    return [name, handler] as const;
  });
  const server = new Server();
  const implementation: UntypedServiceImplementation = Object.fromEntries(methods);
  server.addService(definition(), implementation);
  return server;
}

function definition(): ServiceDefinition {
  const library = createRequire(import.meta.url).resolve('@google-cloud/tasks/build/protos');
  const protos = readFileSync(join(dirname(library), 'protos.json'), 'utf8');
  const root = JSON.parse(protos) as Parameters<typeof fromJSON>[0];
  const options = { longs: Number, enums: String, bytes: Buffer, defaults: false } as const;
  return fromJSON(root, options)['google.cloud.tasks.v2.CloudTasks'] as ServiceDefinition;
}
