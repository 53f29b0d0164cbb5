import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { errorPage } from '../../tools/docs/error-page.ts';

test('the page of error codes says what the tables say', () => {
  const page = readFileSync(new URL('../../docs/error-codes.md', import.meta.url), 'utf8');
  expect(page, 'run `node tools/node24.mjs tools/error-docs.ts`').toBe(errorPage());
});
