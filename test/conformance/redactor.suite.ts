import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Redactor } from '../../shared/ports/redactor.ts';

export interface OpenedRedactor {
  readonly redactor: Redactor;
  close(): Promise<void>;
}

const MAIL = 'jane@example.org';
const PHONE = '+1 202-555-0147';

/**
 * Any redactor: what it must find here is only an e-mail address and a phone number in
 * international form.
 */
export function redactorSuite(name: string, open: () => Promise<OpenedRedactor>): void {
  describe(`${name}: redaction`, () => {
    let opened: OpenedRedactor;
    let redactor: Redactor;
    beforeAll(async () => {
      opened = await open();
      ({ redactor } = opened);
    });
    afterAll(() => opened.close());

    const one = async (text: string): Promise<string> => {
      const [redacted, ...rest] = await redactor.redact([text]);
      expect(rest).toEqual([]);
      return redacted ?? '';
    };

    test('no texts are no texts', async () => {
      expect(await redactor.redact([])).toEqual([]);
    });

    test('each text has its answer at its own place', async () => {
      const texts = Array.from({ length: 50 }, (_, n) => `number ${n} of ${MAIL}, done`);
      const redacted = await redactor.redact(texts);
      expect(redacted).toHaveLength(texts.length);
      for (const [n, text] of redacted.entries()) {
        expect(text).toMatch(new RegExp(`^number ${n} of \\[\\w+\\], done$`));
      }
    });

    test('a text with nothing to find comes back as it was', async () => {
      const texts = ['', ' ', '\n', 'Nothing here.', '{"a":[1,2.5,null]}', 'tab\there', ''];
      expect(await redactor.redact(texts)).toEqual(texts);
    });

    test.each([
      'Grüße aus Łódź 🙂',
      '漢字とかな',
      'العربية',
      '👩‍👩‍👧‍👦 e\u0301',
      '\u202eright',
      '\ud83d\ude00',
    ])('%j around a finding stays as it is', async (text) => {
      const redacted = await one(`${text} ${MAIL} ${text}`);
      expect(redacted.replace(/\[\w+\]/, '-')).toBe(`${text} - ${text}`);
    });

    test('what is found is gone, each with a marker of its kind', async () => {
      const redacted = await one(`${MAIL} and ${PHONE}`);
      expect(redacted).not.toMatch(/jane|555/);
      const [first, second] = redacted.split(' and ');
      expect(first).toMatch(/^\[\w*email\w*\]$/i);
      expect(second).toMatch(/^\[\w*phone\w*\]$/i);
    });

    test('a finding at either end of a text of 2,000 characters is found', async () => {
      const fill = 'word '.repeat(400).slice(0, 2_000 - MAIL.length - PHONE.length - 1);
      const redacted = await one(`${MAIL} ${fill}${PHONE}`);
      expect(redacted).not.toMatch(/jane|555/);
      expect(redacted).toContain(fill.trim());
    });

    test('redacting again changes nothing', async () => {
      const texts = [`write to ${MAIL}`, `${PHONE}`, `"${MAIL}","${PHONE}"`, 'plain', ''];
      const once = await redactor.redact(texts);
      expect(await redactor.redact(once)).toEqual(once);
    });

    test('a marker that was there before stays as it is', async () => {
      const text = 'password: [secret], [email], [EMAIL_ADDRESS] or [phone]';
      expect(await one(text)).toBe(text);
    });
  });
}
