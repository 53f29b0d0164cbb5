import { fromEnvironment } from '../environment.ts';
import { FLUSH } from '../open-tracer.ts';
import { createEdge } from './edge.ts';
import { serveAsFunction } from './front.ts';

/**
 * The public edge. Composed before the framework asks for it, because the front takes the server's
 * place.
 */
const { app, agents, options } = await fromEnvironment('a2a');
const closing = new AbortController();
const edge = createEdge(app, agents, {
  ...options,
  closing: closing.signal,
  behindProxy: true,
  // On Cloud Run the front end decides which names lead here.
  hosts: options.allowHost.length > 0 ? options.allowHost : undefined,
});
const { clock, tracer } = app;
serveAsFunction('a2a', edge, { clock, closing, last: async () => tracer?.flush(FLUSH) });
