import { describe, expect, it } from 'vitest';
import { orderIn } from './order.ts';

describe('what a message asks for', () => {
  it.each([
    ['profile:\na,b\n1,2\n', { kind: 'profile', table: 'a,b\n1,2\n' }],
    [' Profile : a,b', { kind: 'profile', table: 'a,b' }],
    ['pay Ada 120 euros', { kind: 'pay', to: 'Ada', euros: 120 }],
    ['Pay Ada Lovelace 12,50 €.', { kind: 'pay', to: 'Ada Lovelace', euros: 12.5 }],
    ["pay Anne O'Neil 1 euro", { kind: 'pay', to: "Anne O'Neil", euros: 1 }],
    ['pay Ada', { kind: 'pay', to: 'Ada' }],
    ['pay Ada 0 euros', { kind: 'pay', to: 'Ada' }],
  ])('%j is understood', (text, order) => {
    expect(orderIn(text)).toEqual(order);
  });

  it.each([
    '',
    'profile:',
    'profile: \n',
    'pay',
    'pay 120 euros',
    'pay Ada 120',
    'pay Ada -5 euros',
    'pay Ada 1234567 euros',
    'please pay Ada 120 euros and Grace 5 euros',
    'hello',
  ])('%j is not guessed at', (text) => {
    expect(orderIn(text)).toEqual({ kind: 'unclear' });
  });
});
