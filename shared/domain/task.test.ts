import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Item } from './item.ts';
import type { Part } from './message.ts';
import { applyItems, joinContent, recent, type Snapshot } from './task.ts';

const empty: Snapshot<Part> = { status: { state: 'SUBMITTED', at: 0 }, history: [], artifacts: [] };

const said = (text: string): Item => ({
  kind: 'message',
  message: { messageId: text, role: 'user', parts: [{ text }] },
});
const artifact = (artifactId: string, text: string, append: boolean): Item => ({
  kind: 'artifact',
  artifact: { artifactId, parts: [{ text }] },
  append,
  lastChunk: false,
});
const status = (text: string): Item => ({
  kind: 'status',
  state: 'WORKING',
  at: 1,
  message: { messageId: text, role: 'agent', parts: [{ text }] },
});

const anyItem: fc.Arbitrary<Item> = fc.oneof(
  fc.string().map(said),
  fc.string().map(status),
  fc
    .tuple(fc.constantFrom('a', 'b', 'c'), fc.string(), fc.boolean())
    .map(([id, text, append]) => artifact(id, text, append)),
);

describe('a task as a fold over its items', () => {
  it('a chunk for an artifact that does not exist creates it', () => {
    const { artifacts } = applyItems(empty, [artifact('a', 'first', true)]);
    expect(joinContent([{ history: [], artifacts }]).artifacts).toEqual([
      { artifactId: 'a', parts: [{ text: 'first' }] },
    ]);
  });

  it('the history holds what both sides said, in order, each as often as it was said', () => {
    const { history } = applyItems(empty, [said('hello'), status('working'), said('hello')]);
    expect(history.map((message) => message.messageId)).toEqual(['hello', 'working', 'hello']);
  });

  it('cutting a task into pages anywhere gives the same task', () => {
    fc.assert(
      fc.property(
        fc.array(anyItem),
        fc.array(anyItem),
        fc.array(anyItem),
        (first, second, third) => {
          const whole = applyItems(empty, [...first, ...second, ...third]);
          const pages = [first, second, third].map((items) => applyItems(empty, items));
          expect(joinContent(pages)).toEqual(joinContent([whole]));
        },
      ),
    );
  });

  it('a reader who asks for few messages gets the newest, and the task keeps them all', () => {
    const messages = ['a', 'b', 'c'];
    expect(recent(messages, 2)).toEqual(['b', 'c']);
    expect(recent(messages, 0)).toEqual([]);
    expect(recent(messages, undefined)).toEqual(messages);
    expect(messages).toHaveLength(3);
  });
});
