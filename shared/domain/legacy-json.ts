import { isJsonObject, type Json, type JsonObject } from './json.ts';

// What A2A v0.3 says as JSON, out of the ProtoJSON of 1.0 (v0.3.0 sections 6 and 7): the results of
// its JSON-RPC, and what its webhooks are told.

/**
 * The mark by which the official SDKs tell that a value which is no object was wrapped in one, for
 * v0.3 knows no other data.
 */
export const WRAPPED = 'data_part_compat';

/** A task, message or event of 1.0 as v0.3 says it; `last` when the stream ends with it. */
export function legacyResult(response: JsonObject, last = true): JsonObject {
  const { artifactUpdate, message, statusUpdate, task } = response;
  if (isJsonObject(task)) return legacyTask(task);
  if (isJsonObject(message)) return legacyMessage(message);
  if (isJsonObject(artifactUpdate)) {
    const { artifact, ...rest } = artifactUpdate;
    return { kind: 'artifact-update', ...rest, artifact: legacyArtifact(artifact) };
  }
  const { status, ...rest } = isJsonObject(statusUpdate) ? statusUpdate : {};
  return { kind: 'status-update', ...rest, status: legacyStatus(status), final: last };
}

export function legacyTask({ artifacts, history, status, ...rest }: JsonObject): JsonObject {
  return {
    kind: 'task',
    ...rest,
    status: legacyStatus(status),
    ...(Array.isArray(history) && { history: history.map(legacyMessage) }),
    ...(Array.isArray(artifacts) && { artifacts: artifacts.map(legacyArtifact) }),
  };
}

function legacyStatus(given: Json | undefined): JsonObject {
  const { message, state, ...rest } = isJsonObject(given) ? given : {};
  return {
    ...rest,
    state:
      typeof state === 'string'
        ? state.replace('TASK_STATE_', '').replace('_', '-').toLowerCase()
        : 'unknown',
    ...(message !== undefined && { message: legacyMessage(message) }),
  };
}

function legacyMessage(given: Json): JsonObject {
  const { parts, role, ...rest } = isJsonObject(given) ? given : {};
  return {
    kind: 'message',
    ...rest,
    role: role === 'ROLE_USER' ? 'user' : 'agent',
    parts: legacyParts(parts),
  };
}

function legacyArtifact(given: Json | undefined): JsonObject {
  const { parts, ...rest } = isJsonObject(given) ? given : {};
  return { ...rest, parts: legacyParts(parts) };
}

const legacyParts = (parts: Json | undefined): Json =>
  Array.isArray(parts) ? parts.map(legacyPart) : [];

function legacyPart(given: Json): JsonObject {
  const part = isJsonObject(given) ? given : {};
  const { data, filename, mediaType, metadata, raw, text, url } = part;
  const around = metadata === undefined ? {} : { metadata };
  if (text !== undefined) return { kind: 'text', text, ...around };
  if (raw !== undefined || url !== undefined) {
    const file = {
      ...(raw === undefined ? { uri: url ?? '' } : { bytes: raw }),
      ...(mediaType !== undefined && { mimeType: mediaType }),
      ...(filename !== undefined && { name: filename }),
    };
    return { kind: 'file', file, ...around };
  }
  if (isJsonObject(data)) return { kind: 'data', data, ...around };
  const marked = isJsonObject(metadata) ? metadata : {};
  return { kind: 'data', data: { value: data ?? null }, metadata: { ...marked, [WRAPPED]: true } };
}
