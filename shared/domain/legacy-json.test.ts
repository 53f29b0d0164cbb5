import { expect, it } from 'vitest';
import { legacyResult, legacyTask } from './legacy-json.ts';

const said = { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'go' }] };
const saidThen = {
  kind: 'message',
  messageId: 'm',
  role: 'user',
  parts: [{ kind: 'text', text: 'go' }],
};
const status = { state: 'TASK_STATE_WORKING', timestamp: 't' };

it('a task says what it is, and its state in the words of v0.3', () => {
  expect(legacyResult({ task: { id: 'i', contextId: 'c', status } })).toStrictEqual({
    kind: 'task',
    id: 'i',
    contextId: 'c',
    status: { state: 'working', timestamp: 't' },
  });
  const asks = { state: 'TASK_STATE_INPUT_REQUIRED', message: said };
  expect(legacyTask({ id: 'i', status: asks })).toStrictEqual({
    kind: 'task',
    id: 'i',
    status: { state: 'input-required', message: saidThen },
  });
});

it('a task keeps its history and its artifacts, and has none that it did not have', () => {
  const artifact = { artifactId: 'a', parts: [{ text: 'done' }] };
  expect(legacyTask({ status, history: [said], artifacts: [artifact] })).toStrictEqual({
    kind: 'task',
    status: { state: 'working', timestamp: 't' },
    history: [saidThen],
    artifacts: [{ artifactId: 'a', parts: [{ kind: 'text', text: 'done' }] }],
  });
});

it('a message is of the user or of the agent', () => {
  expect(legacyResult({ message: said })).toStrictEqual(saidThen);
  expect(legacyResult({ message: { ...said, role: 'ROLE_AGENT' } })).toStrictEqual({
    ...saidThen,
    role: 'agent',
  });
});

it('an event of a status says whether the stream ends with it', () => {
  const statusUpdate = { taskId: 'i', status };
  const told = { kind: 'status-update', taskId: 'i', status: { state: 'working', timestamp: 't' } };
  expect(legacyResult({ statusUpdate })).toStrictEqual({ ...told, final: true });
  expect(legacyResult({ statusUpdate }, false)).toStrictEqual({ ...told, final: false });
});

it('an event of an artifact keeps what stands beside the artifact', () => {
  const artifact = { artifactId: 'a', parts: [{ text: 'on' }] };
  expect(legacyResult({ artifactUpdate: { append: true, artifact } })).toStrictEqual({
    kind: 'artifact-update',
    append: true,
    artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'on' }] },
  });
});

it.each([
  [
    { text: 'go', metadata: { a: 1 } },
    { kind: 'text', text: 'go', metadata: { a: 1 } },
  ],
  [{ raw: 'AA==' }, { kind: 'file', file: { bytes: 'AA==' } }],
  [
    { url: 'https://files.example/f', mediaType: 'text/plain', filename: 'f', metadata: { a: 1 } },
    {
      kind: 'file',
      file: { uri: 'https://files.example/f', mimeType: 'text/plain', name: 'f' },
      metadata: { a: 1 },
    },
  ],
  [{ data: { a: 1 } }, { kind: 'data', data: { a: 1 } }],
  [
    { data: { a: 1 }, metadata: { b: 2 } },
    { kind: 'data', data: { a: 1 }, metadata: { b: 2 } },
  ],
  // Only an object is data of v0.3; another value is wrapped in one, and marked.
  [{ data: [1] }, { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } }],
  [
    { data: 7, metadata: { b: 2 } },
    { kind: 'data', data: { value: 7 }, metadata: { b: 2, data_part_compat: true } },
  ],
  [{ data: null }, { kind: 'data', data: { value: null }, metadata: { data_part_compat: true } }],
])('the part %j is %j', (part, then) => {
  expect(legacyResult({ message: { ...said, parts: [part] } })).toStrictEqual({
    ...saidThen,
    parts: [then],
  });
});

it('what has not the shape of 1.0 still has that of v0.3', () => {
  expect(legacyResult({})).toStrictEqual({
    kind: 'status-update',
    status: { state: 'unknown' },
    final: true,
  });
  const empty = { kind: 'message', role: 'agent', parts: [] };
  expect(legacyTask({ history: [null], artifacts: ['no'] })).toStrictEqual({
    kind: 'task',
    status: { state: 'unknown' },
    history: [empty],
    artifacts: [{ parts: [] }],
  });
});
