import type { Redactor } from '../ports/redactor.ts';

/**
 * What has a shape: e-mail addresses, phone numbers, IBANs, card numbers, known secrets. Offline,
 * and the same for the same text. Names, addresses and dates of birth have none and stay; Sensitive
 * Data Protection is for those. The patterns are loaded with the first text: most starts redact
 * none.
 */
export function createPatternRedactor(): Redactor {
  return {
    async redact(texts) {
      const { redactTexts } = await import('./redact-texts.ts');
      return redactTexts(texts);
    },
  };
}
