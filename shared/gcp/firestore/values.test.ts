import { expect, test } from 'vitest';
import { encodeFields, updateTimeOf } from './values.ts';

test('whole numbers go as integers, so that a count is not stored as 1.0', () => {
  expect(encodeFields({ whole: 7, part: 0.5, large: 2 ** 60, zero: -0 })).toEqual({
    whole: { integerValue: 7 },
    part: { doubleValue: 0.5 },
    large: { doubleValue: 2 ** 60 },
    zero: { doubleValue: -0 },
  });
});

test('an array in an array, which Firestore refuses, goes as a marked map', () => {
  expect(encodeFields({ list: [[1]] })['list']).toEqual({
    arrayValue: {
      values: [
        { mapValue: { fields: { '[]': { arrayValue: { values: [{ integerValue: 1 }] } } } } },
      ],
    },
  });
});

test('only an update time is a version', () => {
  expect(updateTimeOf('1795983680.514231000')).toEqual({ seconds: '1795983680', nanos: 514231000 });
  expect(updateTimeOf('absent')).toBeUndefined();
  expect(updateTimeOf('12')).toBeUndefined();
});
