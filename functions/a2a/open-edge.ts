import type { A2AAppOptions } from '../../shared/a2a/app.ts';
import { frontOf, openAccessOf } from '../access.ts';
import type { DrainOptions } from '../drain.ts';
import { fromEnvironment } from '../environment.ts';
import { openWarning, requireGuarded, requireNames } from '../exposure.ts';
import { openCardSigners } from '../open-card-signers.ts';
import { FLUSH } from '../open-tracer.ts';
import { patiently } from '../patient-start.ts';
import { edgeOf } from './edge.ts';

export interface OpenEdge {
  readonly edge: A2AAppOptions;
  readonly port: number;
  readonly drain: DrainOptions;
}

/**
 * The public edge of a deployment from the environment of `a2a`, for whichever binding the process
 * serves. Throws BadConfiguration.
 */
export async function openEdge(as: 'a2a' | 'grpc'): Promise<OpenEdge> {
  const { app, agents, options } = await patiently(() => fromEnvironment('a2a', { as }));
  const front = frontOf(options.store, process.env);
  requireGuarded(agents, options, front);
  requireNames(agents, options);
  const warning = openWarning(options, front);
  if (warning !== undefined)
    app.log.write('warning', 'callers are not told apart', { why: warning });
  const closing = new AbortController();
  const edge = edgeOf(app, agents, {
    ...options,
    access: openAccessOf(app, options.access, front, process.env),
    closing: closing.signal,
    cardSigners: await openCardSigners(options.cardSigners, process.env),
    behindProxy: true,
    // On Cloud Run the front end decides which names lead here.
    hosts: options.allowHost.length > 0 ? options.allowHost : undefined,
    grpc: options.grpcUrl === undefined ? undefined : { url: options.grpcUrl },
  });
  const { clock, metrics, tracer } = app;
  const last = async (): Promise<void> => {
    await Promise.all([tracer?.flush(FLUSH), metrics?.flush(FLUSH)]);
  };
  return { edge, port: options.port, drain: { clock, closing, last } };
}
