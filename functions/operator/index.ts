import { createOperatorApp } from '../../shared/operator/operator-app.ts';
import { serveAsFunction } from '../a2a/front.ts';
import { fromEnvironment } from '../environment.ts';
import { patiently } from '../patient-start.ts';
import { FLUSH } from '../open-tracer.ts';
import { identifyFrom } from './identify.ts';

/** What operators and their command line call: runs, what they wait for, decisions, sends. */
const { app, agents, options } = await patiently(() => fromEnvironment('operator'));
const { clock, log, metrics, tracer } = app;
const closing = new AbortController();
const edge = createOperatorApp({
  app,
  agents: agents.all.map((agent) => agent.name),
  identify: identifyFrom(process.env, options.store, options.data, log),
  console: async () => (await import('../console/assets.ts')).openConsole(),
  cards: async (agent) => {
    const { agentCards } = await import('../agent-cards.ts');
    // What callers must prove, and its signatures, are settings of the a2a function alone.
    const source = { url: options.baseUrl, v03: options.v03, security: 'elsewhere' } as const;
    return agentCards(agents, source)(agent);
  },
  closing: closing.signal,
  host: async () => (await import('../host-findings.ts')).hostFindings(process.env),
});
// A decision that is carried out at once runs its agent here: the run goes back to the queue.
closing.signal.addEventListener('abort', () => app.segments.stopAll('shutdown'));
const last = async (): Promise<void> => {
  await Promise.all([tracer?.flush(FLUSH), metrics?.flush(FLUSH)]);
};
serveAsFunction('operator', edge, { clock, closing, last });
