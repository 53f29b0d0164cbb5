import type { Artifact, StoredArtifact } from '../../domain/message.ts';
import type { Run } from '../../domain/run.ts';
import type { Task } from '../../domain/task.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { loadItem } from '../content/content.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import type { Input } from '../privacy/load-input.ts';

/**
 * A run's task as it stood when the message of this segment came: still in the state that it asked
 * in, with the question as its message. Undefined for the message that made it.
 */
export async function taskBefore(
  app: App,
  run: Run,
  runKey: SealingKey,
  { artifacts, history, message, metadata }: Input,
): Promise<Task | undefined> {
  if (history.length === 0) return undefined;
  const { askedAt = run.statusAt, auth } = run.continuation ?? {};
  const question = history.findLast(({ role }) => role === 'agent');
  const state = auth === true ? 'AUTH_REQUIRED' : 'INPUT_REQUIRED';
  return {
    taskId: run.taskId,
    contextId: run.contextId,
    status: { state, at: askedAt, ...(question && { message: question }) },
    history: [...history, message],
    artifacts: await Promise.all(artifacts.map((each) => whole(app, runKey, each))),
    ...(metadata && { metadata }),
  };
}

async function whole(app: App, runKey: SealingKey, artifact: StoredArtifact): Promise<Artifact> {
  const stored = { kind: 'artifact', artifact, append: false, lastChunk: true } as const;
  const loaded = await loadItem(app, runKey, stored);
  if (loaded.kind !== 'artifact') throw new Unreadable(artifact.artifactId);
  return loaded.artifact;
}
