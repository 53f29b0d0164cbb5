import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createPatternRedactor } from './pattern-redactor.ts';

const redactor = createPatternRedactor();
/** Milliseconds of this process's own work: what else the machine does is not in them. */
async function processorTime(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

const redact = async (text: string): Promise<string> => (await redactor.redact([text]))[0] ?? '';

test('each kind has its marker', async () => {
  const text =
    'jane@example.org, +1 202-555-0147, DE89 3704 0044 0532 0130 00, 4111 1111 1111 1111, password=Tr0ub4dor&3';
  expect(await redact(text)).toBe('[email], [phone], [iban], [card], password=[secret]');
});

test('the user, the server and the path of a URL stay when its password goes', async () => {
  expect(await redact('postgres://app:x9-secret@db.example.com:5432/app')).toBe(
    'postgres://app:[secret]@db.example.com:5432/app',
  );
});

test('numbers that stand one behind the other are all found', async () => {
  expect(await redact('020 7946 0123 020 7946 0124 +49 30 23125 045 +49 30 23125 046')).toBe(
    '[phone] [phone] [phone] [phone]',
  );
});

describe('in hostile text', () => {
  const FRAGMENTS = [
    'jane@example.org',
    '@',
    '＠',
    '%40',
    '+49 30 23125 045',
    '020 7946 0123',
    '202-555-0147',
    'DE89370400440532013000',
    '4111 1111 1111 1111',
    'AKIA',
    'ABCDEFGHIJKLMNOP',
    'password',
    'token',
    ': "',
    '=',
    'Bearer ',
    '://u:',
    '-----BEGIN PRIVATE KEY-----\n',
    'AAAA\n',
    '-----END PRIVATE KEY-----',
    'eyJhbGciOiJIUzI1NiJ9.',
    `gh${'p_'}${'y1Z2'.repeat(9)}`,
    '[secret]',
    '"',
    '\\',
    ' ',
    '.',
    '-',
    '/',
    'a1',
    '00',
    '漢字',
    '🙂',
  ];

  test('redacting again changes nothing', async () => {
    const texts = fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(texts, async (pieces) => {
        const once = await redact(pieces.join(''));
        expect(await redact(once)).toBe(once);
      }),
      { numRuns: 2_000 },
    );
  });

  // A pattern that is quadratic in them takes minutes for these.
  const SIZE = 250_000;
  const lines = [
    'a',
    '1',
    ' ',
    '"',
    '(',
    '0123 ',
    '020 7946 0123 ',
    '4111 ',
    '+9',
    '01 ',
    '202-555-',
    'phone 1 2 3 ',
  ];
  const names = [
    'password=',
    'password="',
    `password='"\\"`,
    'password is ',
    'token=',
    '--a-token ',
  ];
  const shapes = [
    'AKIA',
    'ghp_',
    'xoxb-',
    'sk-',
    'eyJ',
    'eyJhbGciOiJIUzI1NiJ9.',
    'DE89',
    'Basic YTpi ',
  ];
  const marks = [
    '@',
    'a@',
    'a.',
    '%40',
    '://',
    '://a:b',
    '-----BEGIN PRIVATE KEY-----',
    '<password>',
  ];
  test.each([...lines, ...names, ...shapes, ...marks])(
    '%j over and over takes a time that grows with its length, not with the square of it',
    async (piece) => {
      const text = (size: number): string => piece.repeat(size / piece.length);
      const small = await processorTime(() => redact(text(SIZE / 8)));
      const large = await processorTime(() => redact(text(SIZE)));
      // Eight times as long takes eight times as long, and would take 64 times; the rest is for
      // what is measured too roughly.
      expect(large).toBeLessThan(24 * small + 50);
      const redacted = await redact(text(SIZE));
      expect(await redact(redacted)).toBe(redacted);
    },
  );
});
