import { describe, expect, it } from 'vitest';
import { type Conversation, heard, isOver, said } from './conversation.ts';

const begun = heard(said({ lines: [] }, [{ text: 'hello' }]), {
  task: { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } },
});
const piece = (text: string, append: boolean, artifactId = 'a') => ({
  artifactUpdate: { artifact: { artifactId, name: 'report', parts: [{ text }] }, append },
});

describe('a conversation with an agent', () => {
  it('has what was said, then each state and each artifact as it came', () => {
    const whole = [
      piece('one', false),
      piece('other', false, 'b'),
      piece(', two', true),
      {
        statusUpdate: {
          status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'done' }] } },
        },
      },
    ].reduce<Conversation>(heard, begun);
    expect(whole).toMatchObject({ task: 't', context: 'c', state: 'COMPLETED' });
    expect(whole.lines).toEqual([
      { kind: 'you', parts: [{ text: 'hello' }] },
      { kind: 'state', state: 'WORKING' },
      { kind: 'artifact', id: 'a', name: 'report', parts: [{ text: 'one, two' }] },
      { kind: 'artifact', id: 'b', name: 'report', parts: [{ text: 'other' }] },
      { kind: 'state', state: 'COMPLETED' },
      { kind: 'agent', parts: [{ text: 'done' }] },
    ]);
    expect([isOver(begun), isOver(whole)]).toEqual([false, true]);
  });

  it('is told of the task that a resumed stream begins with what it does not know', () => {
    const known = heard(begun, piece('one', false));
    const artifact = (artifactId: string) => ({ artifactId, parts: [{ text: artifactId }] });
    const at = (state: string, artifacts: readonly ReturnType<typeof artifact>[]) => ({
      task: { id: 't', contextId: 'c', status: { state }, artifacts },
    });
    expect(heard(known, at('TASK_STATE_WORKING', [artifact('a')]))).toEqual(known);
    const later = heard(known, at('TASK_STATE_INPUT_REQUIRED', [artifact('a'), artifact('b')]));
    expect(later.lines.slice(known.lines.length)).toEqual([
      { kind: 'state', state: 'INPUT_REQUIRED' },
      { kind: 'artifact', id: 'b', name: 'artifact', parts: [{ text: 'b' }] },
    ]);
  });

  it('has the answer of an agent that makes no task, and passes over what it does not know', () => {
    const told = heard({ lines: [] }, { message: { contextId: 'c', parts: [{ text: 'hi' }] } });
    expect(told).toEqual({ context: 'c', lines: [{ kind: 'agent', parts: [{ text: 'hi' }] }] });
    expect(heard(told, {})).toEqual(told);
    expect(isOver(told)).toBe(true);
  });
});
