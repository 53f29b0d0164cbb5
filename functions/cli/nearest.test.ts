import { expect, it } from 'vitest';
import { nearest } from './nearest.ts';

const known = ['runs', 'run', 'inbox', 'approve', 'status', 'retire-keys', 'restore'];

it.each([
  ['rnus', 'runs'],
  ['aprove', 'approve'],
  ['stat', 'status'],
  ['inobx', 'inbox'],
  ['retirekeys', 'retire-keys'],
  ['frobnicate', undefined],
  ['x', undefined],
  ['re', undefined],
])('%s was meant as %s', (given, meant) => {
  expect(nearest(given, known)).toBe(meant);
});
