import { expect, test } from 'vitest';
import { CommitGroup, type GroupTransaction } from './commit-group.ts';

function recorded(fail: (step: string) => boolean = () => false) {
  const steps: string[] = [];
  const step = (name: string) => {
    steps.push(name);
    if (fail(name)) throw new Error(`${name} failed`);
  };
  const transaction: GroupTransaction = {
    begin: () => step('begin'),
    commit: () => step('commit'),
    rollback: () => step('rollback'),
    alone: (change) => change(),
  };
  const change = (name: string, held = true) => {
    return () => {
      step(name);
      return held;
    };
  };
  return { steps, change, group: new CommitGroup(transaction) };
}

test('commits of one turn share a transaction, and each has its own outcome', async () => {
  const { steps, change, group } = recorded();
  const outcomes = [group.add(change('a')), group.add(change('b', false)), group.add(change('c'))];
  expect(await Promise.all(outcomes)).toEqual(['committed', 'conflict', 'committed']);
  expect(steps).toEqual(['begin', 'a', 'b', 'c', 'commit']);
});

test('a change that the database refuses fails alone', async () => {
  const { change, group } = recorded((step) => step === 'b');
  const outcomes = await Promise.allSettled([group.add(change('a')), group.add(change('b'))]);
  expect(outcomes).toMatchObject([
    { status: 'fulfilled', value: 'committed' },
    { status: 'rejected', reason: { message: 'b failed' } },
  ]);
});

test('nothing is answered as committed before the shared transaction is', async () => {
  const { steps, change, group } = recorded((step) => step === 'commit');
  const outcomes = await Promise.allSettled([group.add(change('a')), group.add(change('b'))]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(steps.filter((step) => step === 'commit')).toHaveLength(3);
});

test('a group in which nothing holds leaves no transaction behind', async () => {
  const { steps, change, group } = recorded();
  expect(await group.add(change('a', false))).toBe('conflict');
  expect(steps).toEqual(['begin', 'a', 'rollback']);
});
