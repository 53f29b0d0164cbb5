import type { Remote } from '../../domain/remote.ts';
import type { Run } from '../../domain/run.ts';
import type { App } from '../app.ts';

/** Undefined: the agent, or its remote, is not published any more. Nobody can be asked then. */
export function knownRemote(app: App, run: Run, name: string): Remote | undefined {
  return app.agents.get(run.agent)?.remotes?.find((remote) => remote.name === name);
}
