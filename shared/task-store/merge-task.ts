import { TaskTerminalError } from './errors.ts';
import {
  type ArtifactJson,
  isTerminal,
  type MessageJson,
  type StatusJson,
  stateOf,
  type TaskJson,
} from './task-json.ts';

export interface Merge {
  /** What the writer knew when it made its changes; undefined: nothing. */
  readonly seen: TaskJson | undefined;
  /** What is stored now. */
  readonly stored: TaskJson;
  /** What the writer wants. */
  readonly saved: TaskJson;
}

/**
 * What a writer changed, applied to what is stored: the same as if the writer had come later. What
 * another writer added meanwhile stays: a message by its id, an artifact by its id, a part that was
 * appended, a member of the metadata. Of two that changed the same, the later one wins, except the
 * end of a task: the first end stands.
 *
 * Throws TaskTerminalError when the task has ended and this would change its state, or adds a
 * message of its user.
 */
export function mergeTask(merge: Merge): TaskJson {
  const { seen, stored, saved } = merge;
  if (isTerminal(stored)) requireNoChange(merge);
  const status = isTerminal(stored) ? stored.status : mergeStatus(merge);
  const artifacts = mergeArtifacts(merge);
  const history = mergeHistory(stored.history ?? [], saved.history ?? []);
  const metadata = mergeMembers(seen?.metadata, stored.metadata, saved.metadata);
  return {
    id: stored.id,
    contextId: stored.contextId,
    ...(status !== undefined && { status }),
    ...(artifacts.length > 0 && { artifacts: [...artifacts] }),
    ...(history.length > 0 && { history: [...history] }),
    ...(metadata !== undefined && { metadata }),
  };
}

function requireNoChange({ seen, stored, saved }: Merge): void {
  const untouched = seen !== undefined && same(seen.status, saved.status);
  if (!untouched && stateOf(saved) !== stateOf(stored)) {
    throw new TaskTerminalError(stored.id, stateOf(stored));
  }
  const known = new Set((stored.history ?? []).map(messageKey));
  const late = (saved.history ?? []).some(
    (message) => message.role === 'ROLE_USER' && !known.has(messageKey(message)),
  );
  if (late) throw new TaskTerminalError(stored.id, stateOf(stored));
}

function mergeStatus({ seen, stored, saved }: Merge): StatusJson | undefined {
  const untouched = seen !== undefined && same(seen.status, saved.status);
  return untouched ? stored.status : saved.status;
}

/** In the order in which they were stored, then what is new. Of one id the writer's words stand. */
function mergeHistory(
  stored: readonly MessageJson[],
  saved: readonly MessageJson[],
): readonly MessageJson[] {
  const united = new Map(stored.map((message) => [messageKey(message), message]));
  for (const message of saved) united.set(messageKey(message), message);
  return [...united.values()];
}

/** A message without an id is itself only. */
function messageKey(message: MessageJson): string {
  return message.messageId ?? JSON.stringify(message);
}

function mergeArtifacts({ seen, stored, saved }: Merge): readonly ArtifactJson[] {
  const before = byId(seen?.artifacts);
  const theirs = byId(stored.artifacts);
  const wanted = byId(saved.artifacts);
  const merged = new Map(theirs);
  for (const [id, ours] of wanted) {
    const old = before.get(id);
    const present = theirs.get(id);
    if (present !== undefined) merged.set(id, mergeArtifact(old, present, ours));
    // One that another writer removed comes back only if this one changed it.
    else if (old === undefined || !same(old, ours)) merged.set(id, ours);
  }
  for (const id of before.keys()) if (!wanted.has(id)) merged.delete(id);
  return [...merged.values()];
}

function mergeArtifact(
  old: ArtifactJson | undefined,
  theirs: ArtifactJson,
  ours: ArtifactJson,
): ArtifactJson {
  if (old === undefined || same(old, theirs)) return ours;
  if (same(old, ours)) return theirs;
  const added = appended(old.parts ?? [], ours.parts ?? []);
  return added === undefined ? ours : { ...ours, parts: [...(theirs.parts ?? []), ...added] };
}

/** What stands behind the old parts; undefined when they were replaced. */
function appended(
  old: readonly unknown[],
  now: readonly unknown[],
): readonly unknown[] | undefined {
  return same(old, now.slice(0, old.length)) ? now.slice(old.length) : undefined;
}

function byId(artifacts: readonly ArtifactJson[] = []): ReadonlyMap<string, ArtifactJson> {
  return new Map(artifacts.map((each) => [each.artifactId ?? JSON.stringify(each), each]));
}

type Members = Readonly<Record<string, unknown>>;

function mergeMembers(
  seen: Members | undefined,
  stored: Members | undefined,
  saved: Members | undefined,
): Record<string, unknown> | undefined {
  if (stored === undefined || saved === undefined) {
    // The writer removed it all, or had nothing to say of it.
    if (saved === undefined && !same(seen, stored)) return stored;
    return saved;
  }
  const merged = new Map(Object.entries(stored));
  for (const [name, value] of Object.entries(saved)) {
    if (seen === undefined || !same(seen[name], value)) merged.set(name, value);
  }
  for (const name of Object.keys(seen ?? {})) if (!Object.hasOwn(saved, name)) merged.delete(name);
  return Object.fromEntries(merged);
}

/** The codec writes members in one order. */
function same(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
