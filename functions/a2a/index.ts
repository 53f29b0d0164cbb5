import { fromEnvironment } from '../environment.ts';
import { FLUSH } from '../open-tracer.ts';
import { frontOf, openAccessOf } from '../access.ts';
import { openWarning, requireGuarded, requireNames } from '../exposure.ts';
import { openCardSigners } from '../open-card-signers.ts';
import { createEdge } from './edge.ts';
import { serveAsFunction } from './front.ts';

/**
 * The public edge. Composed before the framework asks for it, because the front takes the server's
 * place.
 */
const { app, agents, options } = await fromEnvironment('a2a');
const front = frontOf(options.store, process.env);
requireGuarded(agents, options, front);
requireNames(agents, options);
const warning = openWarning(options, front);
if (warning !== undefined) app.log.write('warning', 'callers are not told apart', { why: warning });
const closing = new AbortController();
const edge = createEdge(app, agents, {
  ...options,
  access: openAccessOf(app, options.access, front, process.env),
  closing: closing.signal,
  cardSigners: openCardSigners(options.cardSigners, process.env),
  behindProxy: true,
  // On Cloud Run the front end decides which names lead here.
  hosts: options.allowHost.length > 0 ? options.allowHost : undefined,
});
const { clock, metrics, tracer } = app;
const last = async (): Promise<void> => {
  await Promise.all([tracer?.flush(FLUSH), metrics?.flush(FLUSH)]);
};
serveAsFunction('a2a', edge, { clock, closing, last });
