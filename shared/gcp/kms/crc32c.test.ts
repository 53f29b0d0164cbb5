import { expect, test } from 'vitest';
import { crc32c } from './crc32c.ts';

test('the checksums are those of the RFC', () => {
  expect(crc32c(new Uint8Array(32))).toBe(0x8a9136aa);
  expect(crc32c(new Uint8Array(32).fill(255))).toBe(0x62a8ab43);
  expect(crc32c(new TextEncoder().encode('123456789'))).toBe(0xe3069283);
});
