import { expect, test } from 'vitest';
import { encode } from './codec.ts';
import { countFields } from './count-fields.ts';
import { typeNamed } from './proto-types.ts';

const TYPE = 'lf.a2a.v1.SendMessageRequest';
const count = (bytes: Uint8Array): number => countFields(typeNamed(TYPE), bytes);
const sending = (data: object): Uint8Array =>
  encode(TYPE, {
    message: {
      messageId: 'm',
      role: 'ROLE_USER',
      parts: [{ data: JSON.parse(JSON.stringify(data)) }],
    },
  });

test('fields are counted at every depth, those of lists and maps, too', () => {
  const empty = count(sending([]));
  // Each null is an element of the list and a field of its own.
  expect(count(sending([null, null, null])) - empty).toBe(6);
  // An entry of the map, its key, its value, and what that holds.
  expect(count(sending({ a: { b: null } }))).toBe(empty + 8);
});

test('bytes that are no message are counted as far as they are one', () => {
  expect(count(new Uint8Array([0xff]))).toBe(0);
  const cut = sending(['a', 'b']).subarray(0, -1);
  expect(count(cut)).toBeLessThan(20);
});

test('millions of values are counted without being made', () => {
  const element = [0x0a, 0x02, 0x08, 0x00];
  const list = Uint8Array.from({ length: 4_000_000 }, (_, at) => element[at % 4] ?? 0);
  const type = typeNamed('google.protobuf.ListValue');
  expect(countFields(type, list)).toBe(2_000_000);
});
