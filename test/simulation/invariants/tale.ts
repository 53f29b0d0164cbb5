import { boundEntry } from '../../../shared/app/content/bindings.ts';
import type { App } from '../../../shared/app/app.ts';
import {
  itemsFromJson,
  itemToJson,
  loadItem,
  unsealFields,
} from '../../../shared/app/content/content.ts';
import { unsealRevision } from '../../../shared/app/content/publication.ts';
import { readRevisions } from '../../../shared/app/content/revisions.ts';
import { type EntryDoc, entryCodec } from '../../../shared/app/records/documents.ts';
import { type SealingKey, runKeyOf } from '../../../shared/app/content/sealing-key.ts';
import type { EventOf, Item, StoredEvent } from '../../../shared/domain/item.ts';
import { canonicalJson } from '../../../shared/domain/json.ts';
import type { Artifact, Message, Part } from '../../../shared/domain/message.ts';
import { taskToProtoJson } from '../../../shared/domain/proto-json.ts';
import type { Run } from '../../../shared/domain/run.ts';
import type { Task } from '../../../shared/domain/task.ts';
import type { MemoryBackend } from '../../../testing/memory-backend.ts';

/**
 * What the committed revisions of one task say, told by other means than the projector's: the truth
 * that answers are held to.
 */
export interface Tale {
  readonly run: Run;
  /** After its first event, which says that it was accepted: so its sender's stream begins. */
  readonly accepted: Task | undefined;
  /** The task after each revision; the first is that after revision 1. */
  readonly tasks: readonly Task[];
  /** Its events, numbered as the journal must number them. */
  readonly events: readonly EventOf<Part>[];
  /** How many events there are up to each revision. */
  readonly counts: readonly number[];
  /** The journal as it is stored. */
  readonly journal: readonly EventOf<Part>[];
}

export async function taleOf(app: App, backend: MemoryBackend, run: Run): Promise<Tale> {
  const runKey = await runKeyOf(app, run);
  const tasks: Task[] = [];
  const events: EventOf<Part>[] = [];
  const counts: number[] = [];
  let task: Task | undefined;
  let accepted: Task | undefined;
  for (const revision of await readRevisions(app, run.taskId, { from: 1, to: run.revision })) {
    const stored = await unsealRevision(app, runKey, revision);
    const items = await Promise.all(stored.map((item) => loadItem(app, runKey, item)));
    task ??= {
      taskId: run.taskId,
      contextId: run.contextId,
      status: { state: revision.state, at: revision.at },
      history: [],
      artifacts: [],
    };
    for (const item of items) {
      task = told(task, item);
      if (item.kind === 'status') accepted ??= task;
    }
    task = { ...task, status: { ...task.status, state: revision.state } };
    tasks.push(task);
    for (const item of items)
      if (item.kind !== 'message')
        events.push({ ...dated(item, revision.at, events), seq: events.length + 1 });
    counts.push(events.length);
  }
  return { run, accepted, tasks, events, counts, journal: await journalOf(app, backend, runKey) };
}

/** An artifact with the time of the revision that began it. */
function dated<T extends Exclude<Item, { kind: 'message' }>>(
  item: T,
  at: number,
  before: readonly EventOf<Part>[],
): T {
  if (item.kind !== 'artifact') return item;
  const { artifactId } = item.artifact;
  const earlier = before.findLast(
    (event) => event.kind === 'artifact' && event.artifact.artifactId === artifactId,
  );
  const since = item.append && earlier?.kind === 'artifact' ? earlier.at : at;
  return { ...item, ...(since !== undefined && { at: since }) };
}

/** One fact added, in the plainest way. */
function told(task: Task, item: Item): Task {
  switch (item.kind) {
    case 'message':
      return { ...task, history: [...task.history, item.message] };
    case 'status': {
      const { state, at, message, metadata } = item;
      const history: readonly Message[] =
        message === undefined ? task.history : [...task.history, message];
      const status = { state, at, ...(message && { message }) };
      return {
        ...task,
        status,
        history,
        ...(metadata && { metadata: { ...task.metadata, ...metadata } }),
      };
    }
    case 'artifact': {
      const old = task.artifacts.find(({ artifactId }) => artifactId === item.artifact.artifactId);
      const parts =
        old === undefined || !item.append
          ? item.artifact.parts
          : [...old.parts, ...item.artifact.parts];
      const whole: Artifact =
        item.append && old !== undefined
          ? { ...old, ...item.artifact, parts }
          : { ...item.artifact, parts };
      const artifacts =
        old === undefined
          ? [...task.artifacts, whole]
          : task.artifacts.map((each) => (each === old ? whole : each));
      return { ...task, artifacts };
    }
  }
}

async function journalOf(
  app: App,
  backend: MemoryBackend,
  runKey: SealingKey,
): Promise<readonly EventOf<Part>[]> {
  const rows = [...backend.all(`tasks/${runKey.taskId}/events`)].sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  const events: EventOf<Part>[] = [];
  for (const { path, fields } of rows) {
    const entry: EntryDoc = entryCodec.decode(fields, path);
    const content = await unsealFields(app, runKey, path, entry, boundEntry(entry));
    for (const event of itemsFromJson<StoredEvent>(content['events'], path)) {
      events.push({ ...(await loadItem(app, runKey, event)), seq: event.seq } as EventOf<Part>);
    }
  }
  return events;
}

/** Equal tasks and events have equal prints. Each is compared often, so its print is kept. */
export const printOfTask = kept((task: Task) => canonicalJson(taskToProtoJson(task)));
export const printOfEvent = kept((event: EventOf<Part>) => {
  const { at = null, ...rest } = itemToJson(event);
  const { seq } = event;
  return canonicalJson(event.kind === 'artifact' ? { ...rest, seq } : { ...rest, at, seq });
});

function kept<T extends object>(print: (value: T) => string): (value: T) => string {
  const known = new WeakMap<T, string>();
  return (value) => {
    const text = known.get(value) ?? print(value);
    known.set(value, text);
    return text;
  };
}
