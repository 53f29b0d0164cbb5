import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contextId } from './ids.ts';
import { taskToProtoJson } from './proto-json.ts';
import { TASK_STATES } from './status.ts';
import type { Task } from './task.ts';
import { taskFromProtoJson } from './task-from-json.ts';

const text = fc.string();
const json = fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value)));
const metadata = fc.dictionary(text, json);
const frame = fc.record({ mediaType: text, filename: text, metadata }, { requiredKeys: [] });
const part = fc
  .tuple(
    frame,
    fc.oneof(
      fc.record({ text }),
      fc.record({ url: text }),
      fc.record({ data: json }),
      fc.record({ raw: fc.uint8Array() }),
    ),
    fc.boolean(),
  )
  // An author may write either first, and what is read later is to be the same to the byte.
  .map(([about, content, before]) =>
    before ? { ...about, ...content } : { ...content, ...about },
  );
const message = fc.record(
  {
    messageId: text,
    role: fc.constantFrom('user', 'agent'),
    parts: fc.array(part, { maxLength: 3 }),
    metadata,
    extensions: fc.array(text, { minLength: 1, maxLength: 2 }),
    referenceTaskIds: fc.array(text, { minLength: 1, maxLength: 2 }),
  },
  { requiredKeys: ['messageId', 'role', 'parts'] },
);
const artifact = fc.record(
  {
    artifactId: text,
    name: text,
    description: text,
    metadata,
    extensions: fc.array(text, { maxLength: 2 }),
    parts: fc.array(part, { maxLength: 3 }),
  },
  { requiredKeys: ['artifactId', 'parts'] },
);
const task = fc.record(
  {
    taskId: fc.uuid({ version: 4 }),
    contextId: fc
      .stringMatching(/^[A-Za-z0-9._~:@=+-]{1,200}$/)
      .filter((id) => contextId(id) !== undefined),
    status: fc.record(
      {
        state: fc.constantFrom(...TASK_STATES),
        at: fc.integer({ min: 0, max: 4_000_000_000_000 }),
        message,
      },
      { requiredKeys: ['state', 'at'] },
    ),
    history: fc.array(message, { maxLength: 3 }),
    artifacts: fc.array(artifact, { maxLength: 3 }),
    metadata,
  },
  { requiredKeys: ['taskId', 'contextId', 'status', 'history', 'artifacts'] },
) as fc.Arbitrary<Task>;

const written = (of: Task): string => JSON.stringify(taskToProtoJson(of));

describe('a task in its standard form', () => {
  it('is read as the task that it was, and written again is the same to the byte', () => {
    fc.assert(
      fc.property(task, (drawn) => {
        const read = taskFromProtoJson(written(drawn));
        if ('problem' in read) throw new Error(read.problem);
        expect(written(read)).toBe(written(drawn));
        expect(read).toEqual(drawn);
      }),
    );
  });

  it.each([
    ['no JSON', '{"id":', 'it is not JSON'],
    ['no object', '[]', 'it: '],
    ['an id that is none', { id: '../x' }, 'id: '],
    ['a context id that is none', { contextId: 'a/b' }, 'contextId: '],
    ['no state', { status: { timestamp: '2026-01-31T12:00:00Z' } }, 'status.state: '],
    [
      'another state',
      { status: { state: 'completed', timestamp: '2026-01-31T12:00:00Z' } },
      'status.state: ',
    ],
    ['no time', { status: { state: 'TASK_STATE_FAILED' } }, 'status.timestamp: '],
    [
      'a part of nothing',
      { artifacts: [{ artifactId: 'a', parts: [{ kind: 'secret' }] }] },
      'artifacts.0.parts.0',
    ],
    [
      'a message without a role',
      { history: [{ messageId: 'secret', parts: [] }] },
      'history.0.role: ',
    ],
  ])('%s: it says where, and nothing of what is there', (_, over, where) => {
    const good = {
      id: '00000000-0000-4000-8000-000000000001',
      contextId: 'c',
      status: { state: 'TASK_STATE_COMPLETED', timestamp: '2026-01-31T12:00:00.000Z' },
    };
    const wrong = typeof over === 'string' ? over : JSON.stringify({ ...good, ...over });
    const read = taskFromProtoJson(wrong);
    if (!('problem' in read)) throw new Error('it was taken');
    expect(read.problem).toContain(where);
    expect(read.problem).not.toContain('secret');
  });
});
