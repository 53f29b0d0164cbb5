import type { WaitingForDependency } from '../../domain/run.ts';
import type { App } from '../app.ts';
import { remoteResult } from './remote-result.ts';
import { resolveDependency } from './resolve-dependency.ts';

/** The deadline of a dependency: the run goes on with a result that says so, and the remote task is cancelled (G17). */
export async function timeOut(app: App, run: WaitingForDependency): Promise<void> {
  const value = remoteResult({ name: run.dependency.remote }, 'timeout');
  await resolveDependency(app, run, { resolution: 'timeout', value, cancel: true });
}
