// The official SDK as its guides set it up: DefaultRequestHandler, its database task store over
// SQLite in WAL mode, express. Plain JavaScript, because the types of its packages are not among
// the product's. Or the same on the task store for the SDK.
//   node bench/peer.mjs <database file> | folder <folder> | bucket <bucket> <endpoint>
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { Role, TaskState } from '@a2a-js/sdk';
import { AgentEvent, DefaultRequestHandler } from '@a2a-js/sdk/server';
import { DatabaseTaskStore } from '@a2a-js/sdk/server/database';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import Database from 'better-sqlite3';
import express from 'express';
import { Kysely, SqliteDialect } from 'kysely';

const card = {
  name: 'scripted',
  description: 'Does what its message says.',
  supportedInterfaces: [
    { url: 'http://127.0.0.1/', protocolBinding: 'JSONRPC', protocolVersion: '1.0', tenant: '' },
  ],
  provider: undefined,
  version: '1.0.0',
  capabilities: { streaming: true, pushNotifications: false, extensions: [] },
  securitySchemes: {},
  securityRequirements: [],
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [],
  signatures: [],
};

const textPart = (text) => ({
  content: { $case: 'text', value: text },
  metadata: undefined,
  filename: '',
  mediaType: '',
});

const says = (text, { taskId, contextId }) => ({
  messageId: randomUUID(),
  contextId,
  taskId,
  role: Role.ROLE_AGENT,
  parts: [textPart(text)],
  metadata: undefined,
  extensions: [],
  referenceTaskIds: [],
});

const statusOf = (state, message) => ({ state, message, timestamp: new Date().toISOString() });

/**
 * The script of test/fixtures/agents/scripted.ts: the same words, and the same events in the same
 * order.
 */
class ScriptedExecutor {
  async execute({ taskId, contextId, userMessage }, bus) {
    const task = { taskId, contextId };
    const [part] = userMessage.parts;
    const text = part?.content?.$case === 'text' ? part.content.value : '';
    const script = new Map(text.split(' ').map((word) => word.split('=')));
    const count = (name) => Number(script.get(name) ?? 0);
    const status = (state, words) => {
      const message = words === undefined ? undefined : says(words, task);
      const update = { ...task, status: statusOf(state, message), metadata: undefined };
      bus.publish(AgentEvent.statusUpdate(update));
    };
    const first = statusOf(TaskState.TASK_STATE_SUBMITTED);
    const empty = { history: [userMessage], artifacts: [], metadata: undefined };
    bus.publish(AgentEvent.task({ id: taskId, contextId, status: first, ...empty }));
    status(TaskState.TASK_STATE_WORKING);
    if (script.has('ask')) {
      status(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which colour?');
      bus.finished();
      return;
    }
    const pause = count('delay') > 0 ? () => wait(count('delay')) : () => undefined;
    for (let chunk = 1; chunk <= count('chunks'); chunk += 1) {
      await pause();
      bus.publish(AgentEvent.artifactUpdate({ ...task, ...artifactChunk(chunk, count('chunks')) }));
    }
    for (let event = 1; event <= count('events'); event += 1) {
      await pause();
      status(TaskState.TASK_STATE_WORKING, `event ${event}`);
    }
    status(TaskState.TASK_STATE_COMPLETED, `done: ${text.slice(0, 80)}`);
    bus.finished();
  }

  async cancelTask() {}
}

function artifactChunk(chunk, chunks) {
  const artifact = {
    artifactId: 'chunks',
    name: '',
    description: '',
    parts: [textPart(`chunk ${chunk};`)],
    metadata: undefined,
    extensions: [],
  };
  return { artifact, append: chunk > 1, lastChunk: chunk === chunks, metadata: undefined };
}

function sqliteStore(file) {
  const database = new Database(file);
  database.pragma('journal_mode = WAL');
  // As ours: flushed by checkpoints.
  database.pragma('synchronous = NORMAL');
  return new DatabaseTaskStore(new Kysely({ dialect: new SqliteDialect({ database }) }));
}

async function objectStore(kind, where, endpoint) {
  const { createGcsBlobs, GcsTaskStore, openFolderBlobs } = await import(
    '../shared/task-store/index.ts'
  );
  const bucket = { bucket: where, endpoint };
  const blobs = kind === 'bucket' ? createGcsBlobs(bucket) : openFolderBlobs({ root: where });
  return new GcsTaskStore({ blobs });
}

const [first, ...more] = process.argv.slice(2);
const store = more.length === 0 ? sqliteStore(first) : await objectStore(first, ...more);
const requestHandler = new DefaultRequestHandler(card, store, new ScriptedExecutor());
const app = express();
app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
const server = createServer(app).listen(0, '127.0.0.1', () => {
  process.stdout.write(`peer ready http://127.0.0.1:${server.address().port}\n`);
});
process.on('SIGTERM', () => process.exit(0));
