import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeTask } from './merge-task.ts';
import type { TaskJson } from './task-json.ts';

type Change = (task: TaskJson) => TaskJson;

const word = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const status = { state: 'TASK_STATE_WORKING', timestamp: '2026-01-02T03:04:05.000Z' };
const seenTask: fc.Arbitrary<TaskJson> = fc.record({
  id: fc.constant('task'),
  contextId: fc.constant('context'),
  status: fc.constant(status),
  history: fc.uniqueArray(word).map((words) => words.map((messageId) => ({ messageId }))),
  artifacts: fc
    .uniqueArray(word)
    .map((words) => words.map((artifactId) => ({ artifactId, parts: [{ text: 'old' }] }))),
  metadata: fc.dictionary(word, fc.integer()),
});

/** What a writer called `name` may do; each thing that it adds bears its name. */
function changeOf(name: string): fc.Arbitrary<{ readonly adds: string; readonly change: Change }> {
  const says: Change = (task) => ({
    ...task,
    history: [...(task.history ?? []), { messageId: name }],
  });
  const makes: Change = (task) => ({
    ...task,
    artifacts: [...(task.artifacts ?? []), { artifactId: name, parts: [{ text: name }] }],
  });
  const appends: Change = ({ artifacts = [], ...task }) => ({
    ...task,
    artifacts: artifacts.map(({ parts = [], ...each }) => ({
      ...each,
      parts: [...parts, { text: name }],
    })),
  });
  const notes: Change = (task) => ({ ...task, metadata: { ...task.metadata, [name]: 1 } });
  return fc.constantFrom(
    { adds: 'message', change: says },
    { adds: 'artifact', change: makes },
    { adds: 'part', change: appends },
    { adds: 'note', change: notes },
  );
}

/** The places in which a writer's name stands. */
function tracesOf(name: string, { history, artifacts, metadata }: TaskJson) {
  return {
    message: (history ?? []).some(({ messageId }) => messageId === name),
    artifact: (artifacts ?? []).some(({ artifactId }) => artifactId === name),
    part: (artifacts ?? []).every(({ artifactId, parts = [] }) => {
      const own = parts.filter((part) => JSON.stringify(part).includes(name)).length;
      return artifactId?.length !== 1 || own === 1;
    }),
    note: Object.hasOwn(metadata ?? {}, name),
  };
}

describe('what two writers made of one task', () => {
  test('is kept from both, in either order, and what was there before them', () => {
    fc.assert(
      fc.property(seenTask, changeOf('one'), changeOf('two'), (seen, first, second) => {
        const stored = first.change(seen);
        const merged = mergeTask({ seen, stored, saved: second.change(seen) });
        expect(tracesOf('one', merged)).toHaveProperty(first.adds, true);
        expect(tracesOf('two', merged)).toHaveProperty(second.adds, true);
        const ids = (task: TaskJson) => task.history?.map(({ messageId }) => messageId) ?? [];
        expect(ids(merged)).toEqual([...new Set([...ids(stored), ...ids(second.change(seen))])]);
        expect(merged.metadata).toMatchObject(seen.metadata ?? {});
      }),
    );
  });

  test('is the second one\u2019s own words where the first changed nothing', () => {
    fc.assert(
      fc.property(seenTask, changeOf('one'), (seen, { change }) => {
        const saved = change(seen);
        const { history = [], artifacts = [], ...rest } = saved;
        expect(mergeTask({ seen, stored: seen, saved })).toEqual({
          ...rest,
          ...(history.length > 0 && { history }),
          ...(artifacts.length > 0 && { artifacts }),
        });
      }),
    );
  });

  test('is what was stored where the second changed nothing, or said the same again', () => {
    fc.assert(
      fc.property(seenTask, changeOf('one'), (seen, { change }) => {
        const stored = mergeTask({ seen, stored: seen, saved: change(seen) });
        expect(mergeTask({ seen, stored, saved: seen })).toEqual(stored);
        expect(mergeTask({ seen: undefined, stored, saved: stored })).toEqual(stored);
        expect(mergeTask({ seen: stored, stored, saved: stored })).toEqual(stored);
      }),
    );
  });
});
