import type { Artifact, StoredArtifact, StoredPart } from '../../domain/message.ts';
import { partSize } from '../content/task-size.ts';
import type { Ending } from '../agents.ts';
import type { App } from '../app.ts';
import { requireSize } from './item-size.ts';

/** The artifacts of a task are more than one may hold. Its agent's author reads this. */
export class ArtifactsExceeded extends Error {
  constructor(what: string, limit: string) {
    super(
      `the task would have ${what} (setting ${limit}): show less, or store it elsewhere and give its URL`,
    );
    this.name = 'ArtifactsExceeded';
  }
}

/**
 * Counts what the artifacts of one task come to, so that no agent fills store and bucket: those
 * that it has when a segment begins, and all that the segment shows, replaced or not, because the
 * journal keeps it.
 */
export class ShownArtifacts {
  readonly #app: App;
  readonly #ids: Set<string>;
  #bytes: number;

  /** `before`: the artifacts that the task has. */
  constructor(app: App, before: readonly StoredArtifact[]) {
    this.#app = app;
    this.#ids = new Set(before.map(({ artifactId }) => artifactId));
    this.#bytes = sum(before.flatMap(({ parts }) => parts));
  }

  /** To be asked before an artifact, or a piece of one, is shown. Throws ItemTooLarge too. */
  take({ artifactId, parts }: Artifact): void {
    requireSize(this.#app, `artifact ${JSON.stringify(artifactId)}`, parts);
    const { taskArtifactBytes, taskArtifacts } = this.#app.settings;
    const bytes = this.#bytes + sum(parts);
    if (bytes > taskArtifactBytes) {
      const what = `artifacts of ${bytes} bytes; at most ${taskArtifactBytes} are kept`;
      throw new ArtifactsExceeded(what, 'taskArtifactBytes');
    }
    if (!this.#ids.has(artifactId) && this.#ids.size >= taskArtifacts) {
      const what = `${this.#ids.size + 1} artifacts; at most ${taskArtifacts} are kept`;
      throw new ArtifactsExceeded(what, 'taskArtifacts');
    }
    this.#ids.add(artifactId);
    this.#bytes = bytes;
  }
}

function sum(parts: readonly StoredPart[]): number {
  return parts.reduce(
    (total, part) => total + ('stored' in part ? part.stored.bytes : partSize(part)),
    0,
  );
}

/** The same for all that a segment ends with. Throws ItemTooLarge, ArtifactsExceeded. */
export function requireEndingSize(app: App, ending: Ending, shown: ShownArtifacts): void {
  if (ending.kind === 'paused') return requireSize(app, 'the question', ending.pause.words);
  if (!('parts' in ending)) return;
  requireSize(app, ending.kind === 'asked' ? 'the question' : 'the result', ending.parts);
  const { artifacts = [] } = ending.kind === 'completed' ? ending : {};
  for (const artifact of artifacts) shown.take(artifact);
}
