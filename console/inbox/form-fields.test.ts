import { describe, expect, it } from 'vitest';
import { fieldsOf, filled } from './form-fields.ts';

const SCHEMA = {
  type: 'object',
  properties: {
    euros: { type: 'number', exclusiveMinimum: 0, maximum: 1_000, description: 'The amount.' },
    times: { type: 'integer' },
    to: { type: 'string', title: 'Receiver', maxLength: 20 },
    how: { enum: ['now', 'later', 3] },
    sure: { type: 'boolean' },
    tags: { type: 'array' },
  },
  required: ['euros', 'to'],
};

describe('a form of a JSON Schema', () => {
  const fields = fieldsOf(SCHEMA) ?? [];

  it('has a field for each property, of its kind, with its bounds in words', () => {
    expect(fields.map(({ kind, name }) => [name, kind])).toEqual([
      ['euros', 'number'],
      ['times', 'integer'],
      ['to', 'text'],
      ['how', 'choice'],
      ['sure', 'boolean'],
      ['tags', 'json'],
    ]);
    expect(fields[0]).toMatchObject({
      help: 'The amount. more than 0, at most 1000',
      required: true,
    });
    expect(fields[2]).toMatchObject({ title: 'Receiver', maxLength: 20 });
    expect(fields[3]?.choices).toEqual(['"now"', '"later"', '3']);
  });

  it('gives the data, without what was left empty', () => {
    const entered = {
      euros: '12.5',
      times: '',
      to: ' Ada ',
      how: '3',
      sure: 'false',
      tags: '["a"]',
    };
    expect(filled(fields, entered)).toEqual({
      kind: 'data',
      data: { euros: 12.5, to: ' Ada ', how: 3, sure: false, tags: ['a'] },
    });
  });

  it.each([
    [{ to: 'Ada' }, 'euros', /is needed/],
    [{ euros: 'x', to: 'Ada' }, 'euros', /must be a number/],
    [{ euros: '1', times: '1.5', to: 'Ada' }, 'times', /must be a whole number/],
    [{ euros: '1', to: 'Ada', tags: '[' }, 'tags', /must be JSON/],
  ])('names the field that is wrong (%j)', (entered, field, words) => {
    const found = filled(fields, entered);
    expect(found).toMatchObject({ kind: 'problem', field });
    expect(found.kind === 'problem' && found.words).toMatch(words);
  });

  it.each([[undefined], [true], [{ type: 'string' }], [{ type: 'object' }], [{ oneOf: [] }]])(
    'is not made of %j, which is filled in as JSON',
    (schema) => {
      expect(fieldsOf(schema)).toBeUndefined();
    },
  );
});
