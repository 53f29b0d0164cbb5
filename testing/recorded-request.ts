import { createHash } from 'node:crypto';
import type { ModelEntry, ModelRequest } from '../shared/agent/index.ts';
import { toJson } from '../shared/agent/parts.ts';
import type { Json } from '../shared/domain/json.ts';
import type { Part } from '../shared/domain/message.ts';

/**
 * What a request says to a model, as JSON: without the ids of messages and calls, which differ from
 * world to world, and without what a provider was handed back of its own.
 */
export function recordedRequest({
  answer,
  instructions,
  memory = [],
  tools,
  transcript,
}: ModelRequest): Json {
  return toJson(
    {
      instructions,
      ...(memory.length > 0 && { memory: memory.map(entryOf) }),
      transcript: transcript.map(entryOf),
      tools,
      ...(answer && { answer }),
    },
    'the request',
  );
}

function entryOf(entry: ModelEntry): object {
  switch (entry.role) {
    case 'user':
      return { role: 'user', parts: entry.message.parts.map(partOf) };
    case 'model': {
      const calls = entry.calls.map(({ arguments: given, name }) => ({ name, arguments: given }));
      return { role: 'model', ...(entry.text !== undefined && { text: entry.text }), calls };
    }
    case 'tool': {
      const { name, parts, status, value } = entry;
      return { role: 'tool', name, status, value, ...(parts && { parts: parts.map(partOf) }) };
    }
    case 'notice':
      return { role: 'notice', text: entry.text };
  }
}

/** Of a file its size and digest: enough to tell it from another. */
function partOf(part: Part): object {
  if (!('raw' in part)) return part;
  const { raw, ...frame } = part;
  const sha256 = createHash('sha256').update(raw).digest('hex');
  return { ...frame, raw: { bytes: raw.byteLength, sha256 } };
}
