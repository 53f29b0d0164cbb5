import { AgentCard } from '@a2a-js/sdk';
import { type AgentExecutor, DefaultRequestHandler } from '@a2a-js/sdk/server';
import { agentCardHandler, jsonRpcHandler, UserBuilder } from '@a2a-js/sdk/server/express';
import express from 'express';
import { GcsPushNotificationStore, GcsTaskStore, openFolderBlobs } from 'holdfast/task-store';
import { ActionItems } from '../action-items/executor.ts';

/**
 * The SDK's own request handler, and of Holdfast the stores alone: tasks and webhooks are in a
 * folder, and outlive the process. `createGcsBlobs({ bucket })` in the place of the folder keeps
 * them in Cloud Storage.
 */
export function handlerOver(
  folder: string,
  url: string,
  executor: AgentExecutor = new ActionItems(),
): DefaultRequestHandler {
  const blobs = openFolderBlobs({ root: folder });
  const card = AgentCard.fromJSON({
    name: 'Action items',
    description: 'Finds who does what in the notes of a meeting.',
    version: '1.0.0',
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    capabilities: { streaming: true, pushNotifications: true },
    defaultInputModes: ['text/plain'],
    defaultOutputModes: ['text/markdown'],
  });
  const tasks = new GcsTaskStore({ blobs });
  const pushes = new GcsPushNotificationStore({ blobs });
  return new DefaultRequestHandler(card, tasks, executor, undefined, pushes);
}

if (import.meta.main) {
  const port = Number(process.env['PORT'] ?? 8090);
  const requestHandler = handlerOver('./sdk-tasks', `http://127.0.0.1:${port}/`);
  const app = express();
  app.use('/.well-known/agent-card.json', agentCardHandler({ agentCardProvider: requestHandler }));
  app.use(jsonRpcHandler({ requestHandler, userBuilder: UserBuilder.noAuthentication }));
  app.listen(port, '127.0.0.1', () => process.stdout.write(`ready http://127.0.0.1:${port}\n`));
}
