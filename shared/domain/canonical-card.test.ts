import { expect, it } from 'vitest';
import { canonicalAsServed, canonicalForms } from './canonical-card.ts';

it('a card is signed without its signatures, its names in their order', () => {
  const card = { version: '1', name: 'n', signatures: [{ protected: 'p', signature: 's' }] };
  expect(canonicalForms(card)).toEqual(['{"name":"n","version":"1"}']);
  expect(canonicalAsServed(card)).toBe('{"name":"n","version":"1"}');
});

it('what says the same as its absence is not signed, wherever it stands', () => {
  const empty = { required: false, description: '', provider: null, tags: [] };
  const card = { ...empty, name: 'n', skills: [{ ...empty, id: 'i' }] };
  expect(canonicalForms(card)).toEqual(['{"name":"n","skills":[{"id":"i"}]}']);
  expect(canonicalAsServed({ name: 'n', tags: [] })).toBe('{"name":"n","tags":[]}');
});

it('false is signed where it is a word, and so is what is required', () => {
  const card = { capabilities: { streaming: false }, extensions: [{ required: true, uri: 'u' }] };
  expect(canonicalForms(card)).toEqual([
    '{"capabilities":{"streaming":false},"extensions":[{"required":true,"uri":"u"}]}',
  ]);
});

it('an empty object makes a second form, in which the official SDKs have dropped it', () => {
  const card = { name: 'n', securityRequirements: [{ schemes: { oauth: {} } }] };
  expect(canonicalForms(card)).toEqual([
    '{"name":"n","securityRequirements":[{"schemes":{"oauth":{}}}]}',
    '{"name":"n"}',
  ]);
});

it('what an extension says in its parameters is kept as it is; the SDKs drop what is empty', () => {
  const params = { required: false, note: '', none: null, list: ['', null, 0], deep: { a: [] } };
  expect(canonicalForms({ extensions: [{ uri: 'u', params }] })).toEqual([
    '{"extensions":[{"params":{"deep":{"a":[]},"list":["",null,0],"none":null,"note":"","required":false},"uri":"u"}]}',
    '{"extensions":[{"params":{"list":[0],"required":false},"uri":"u"}]}',
  ]);
});

it('a card of nothing has its form, too', () => {
  expect(canonicalForms({ provider: {} })).toEqual(['{"provider":{}}', '{}']);
});
