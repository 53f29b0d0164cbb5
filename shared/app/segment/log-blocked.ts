import type { Change } from '../../domain/blocked.ts';
import type { RunFrame } from '../../domain/run.ts';
import type { App } from '../app.ts';

/** Names that an author gave, and no content. */
export function logBlocked(
  app: App,
  { agent, taskId: task }: RunFrame,
  changes: readonly Change[],
): void {
  for (const change of changes)
    app.log.write('warning', 'run is blocked', { task, agent, ...changeFacts(change) });
}

export function changeFacts({ facets, kind, name }: Change) {
  return { what: kind, name, changed: facets.length === 0 ? 'gone' : facets.join(', ') };
}
