import { createA2AApp } from '../../shared/a2a/app.ts';
import { createTaskService } from '../../shared/app/task-service.ts';
import { fromEnvironment } from '../environment.ts';
import { serveAsFunction } from './front.ts';

const { app, agents, options } = await fromEnvironment();
const closing = new AbortController();

/** The public edge: remote agents reach the application through it and nothing else. */
const edge = createA2AApp({
  service: createTaskService(app),
  agents: agents.all.map((agent) => agent.card),
  defaultAgent: agents.first.name,
  settings: app.settings,
  log: app.log,
  clock: app.clock,
  v03: options.v03,
  closing: closing.signal,
  trustForwarded: 'proto',
  ...(options.baseUrl === undefined ? {} : { baseUrl: options.baseUrl }),
});

serveAsFunction('a2a', edge, { clock: app.clock, closing });
