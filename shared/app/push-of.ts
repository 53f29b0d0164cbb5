import type { Run } from '../domain/run.ts';
import type { Remote } from '../domain/remote.ts';
import type { SendIds } from '../domain/send.ts';
import type { Outgoing } from '../ports/remote-agents.ts';
import type { App } from './app.ts';

/** Where a remote may tell us that its task changed; nothing where it is not asked to, or can't reach us. */
export async function pushOf(
  _app: App,
  _run: Run,
  _remote: Remote,
  _ids: SendIds,
): Promise<Pick<Outgoing, 'push'>> {
  return {};
}
