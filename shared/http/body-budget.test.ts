import { expect, test } from 'vitest';
import { createBodyBudget, type Turn } from './body-budget.ts';

const LARGE = 100 * 1024;

function budgetOf(room?: (alone: boolean) => boolean) {
  const budget = createBodyBudget({ held: 10 * LARGE, worked: 2 * LARGE, ...(room && { room }) });
  const turns: string[] = [];
  const open = (name: string, bytes = LARGE) => {
    const account = budget.open();
    expect(account.take(bytes)).toBe(true);
    const turn = account.turn().then((came: Turn) => turns.push(`${name}: ${came}`));
    return { account, turn };
  };
  return { budget, open, turns };
}

const settled = () => new Promise((resolve) => void setImmediate(resolve));

test('large bodies are worked on in the order in which they were read, as many as fit', async () => {
  const { open, turns } = budgetOf();
  const [a, b, c] = [open('a'), open('b'), open('c')];
  open('d');
  await settled();
  expect(turns).toEqual(['a: work', 'b: work']);
  b.account.release();
  await settled();
  expect(turns).toEqual(['a: work', 'b: work', 'c: work']);
  a.account.release();
  c.account.release();
  await settled();
  expect(turns).toEqual(['a: work', 'b: work', 'c: work', 'd: work']);
});

test('one that is larger than the bound is worked on alone', async () => {
  const { open, turns } = budgetOf();
  const first = open('first');
  const huge = open('huge', 5 * LARGE);
  await settled();
  expect(turns).toEqual(['first: work']);
  first.account.release();
  open('next');
  await settled();
  expect(turns).toEqual(['first: work', 'huge: work']);
  huge.account.release();
  await settled();
  expect(turns).toEqual(['first: work', 'huge: work', 'next: work']);
});

test('small ones wait for none', async () => {
  const { open, turns } = budgetOf();
  open('huge', 5 * LARGE);
  open('small', 64 * 1024);
  open('waits', 64 * 1024 + 1);
  await settled();
  expect(turns).toEqual(['huge: work', 'small: work']);
});

test('one whose client leaves gives its place to the next', async () => {
  const { budget, open, turns } = budgetOf();
  const huge = open('huge', 5 * LARGE);
  const gone = open('gone');
  open('next');
  gone.account.release();
  gone.account.release();
  await settled();
  expect(turns.toSorted()).toEqual(['gone: over', 'huge: work']);
  huge.account.release();
  await settled();
  expect(turns.toSorted()).toEqual(['gone: over', 'huge: work', 'next: work']);
  expect(budget.held).toBe(LARGE);
});

test('without memory for it a large body is not taken, unless nothing else is there', async () => {
  const memory = { free: false };
  const { budget, open, turns } = budgetOf((alone) => alone || memory.free);
  const first = open('first');
  expect(budget.open().take(LARGE)).toBe(false);
  expect(budget.open().take(1024)).toBe(true);
  memory.free = true;
  const second = open('second', 2 * LARGE);
  await settled();
  memory.free = false;
  const small = open('small', 1024);
  small.account.release();
  expect(turns).toEqual(['first: work', 'small: work'].slice(0, turns.length));
  first.account.release();
  await second.turn;
  expect(turns).toContain('second: work');
});

test('memory that is gone by the time of its turn is said then', async () => {
  const memory = { free: true };
  const { open, turns } = budgetOf((alone) => alone || memory.free);
  const a = open('a');
  open('b');
  open('c');
  memory.free = false;
  a.account.release();
  await settled();
  expect(turns).toEqual(['a: work', 'b: work', 'c: full']);
});
