import { fromEnvironment } from '../environment.ts';
import { createEdge } from './edge.ts';
import { serveAsFunction } from './front.ts';

/** The public edge. Composed before the framework asks for it, because the front takes the server's place. */
const { app, agents, options } = await fromEnvironment('a2a');
const closing = new AbortController();
const edge = createEdge(app, agents, { ...options, closing: closing.signal, behindProxy: true });
serveAsFunction('a2a', edge, { clock: app.clock, closing });
