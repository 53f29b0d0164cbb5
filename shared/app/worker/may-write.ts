import { FORMATS } from '../../domain/format.ts';
import type { Agent } from '../agents.ts';
import type { App } from '../app.ts';

/*
 * Consumers first: what functions of an older release could not read is not written yet
 * (docs/decisions/0026-consumers-first.md).
 */

/** They would drop what its row holds of files. */
export function mayHaveFiles(app: App, agent: Agent): Promise<boolean> {
  if (agent.files === undefined) return Promise.resolve(true);
  const what = 'runs with files may not be written yet';
  return allows(app, agent, FORMATS.files, 'run with files put off', what);
}

/** They could not read its row once its steps no longer fit, or would drop its events. */
export function mayTakeSteps(app: App, agent: Agent): Promise<boolean> {
  if (agent.steps === undefined) return Promise.resolve(true);
  const what = 'runs that work in steps may not be written yet';
  const format = agent.events === undefined ? FORMATS.steps : FORMATS.signals;
  return allows(app, agent, format, 'run in steps put off', what);
}

/** What they could not read is not offered to a model, nor to a function. */
export function mayDelegate(app: App, agent: Agent): Promise<boolean> {
  if ((agent.remotes ?? []).length === 0) return Promise.resolve(true);
  const what = 'runs that wait for a remote agent may not be written yet';
  return allows(app, agent, FORMATS.delegation, 'delegation not offered', what);
}

async function allows(
  { format: written, log }: App,
  { name }: Agent,
  format: number,
  event: string,
  what: string,
): Promise<boolean> {
  if (written === undefined || (await written.allows(format))) return true;
  const why = `${what} (format ${format}): when every function is of this release, npm run operate -- raise-format`;
  log.write('warning', event, { agent: name, why });
  return false;
}
