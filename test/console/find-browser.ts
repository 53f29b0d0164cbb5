import { existsSync } from 'node:fs';

/** Chromium as these tests need it: alone, and in no conversation with its maker. */
export const ARGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const PLACES = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/**
 * A Chromium of this machine: the one that CHROME_PATH names, or one where systems put it. Where
 * there is none, the tests of the console are skipped, and say so; in CI that is a failure.
 */
export function findBrowser(): string | undefined {
  const named = process.env['CHROME_PATH'];
  if (named !== undefined && named !== '') return named;
  const found = PLACES.find((path) => existsSync(path));
  if (found !== undefined) return found;
  const required = process.env['CI'] ?? process.env['HOLDFAST_TEST_REPORT'];
  const words = 'no Chromium: install one (apt-get install chromium), or name it in CHROME_PATH';
  if (required !== undefined) throw new Error(words);
  process.stderr.write(`\nSKIPPED: the tests of the console. ${words}.\n\n`);
  return undefined;
}
