import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, test } from 'vitest';
import { configurationPage } from '../tools/docs/configuration-page.ts';
import { help } from './cli/help.ts';
import { OPTIONS } from './configuration.ts';
import { readArguments } from './start/arguments.ts';
import { HELP } from './start/help.ts';

const ROOT = join(import.meta.dirname, '..');
const text = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

test('the page of the docs is that of the table (else: node tools/node24.mjs tools/configuration-docs.ts)', () => {
  expect(text('docs/configuration.md')).toBe(configurationPage());
});

/**
 * Names of log fields and environments that are not set by hand, and that only look like variables
 * of ours.
 */
const SET_BY_CLOUD_RUN = ['K_SERVICE', 'K_REVISION', 'K_CONFIGURATION'];

test('every variable that the code names is in the table, and every one in the table is read', () => {
  const files = globSync('{agents,emulators,examples,functions,shared}/**/*.{ts,mjs}', {
    cwd: ROOT,
  });
  const sources = files.filter(
    (file) => !file.endsWith('.test.ts') && !/(?:configuration|deployed-options)\.ts$/.test(file),
  );
  const name = /\b(?:HOLDFAST|OTEL|K|GOOGLE_CLOUD|FIRESTORE_EMULATOR)_[A-Z0-9_]+\b/g;
  const named = new Set(sources.flatMap((file) => text(file).match(name) ?? []));
  const known = new Set(OPTIONS.map(({ variable }) => variable));
  expect([...named].filter((each) => !known.has(each) && !SET_BY_CLOUD_RUN.includes(each))).toEqual(
    [],
  );
  // Options of npm start and the numbers are read by way of the table itself.
  const direct = OPTIONS.filter(({ start, unit }) => start === undefined && unit === undefined);
  expect(direct.filter(({ variable }) => !named.has(variable))).toEqual([]);
});

test('no variable is in the table twice', () => {
  const variables = OPTIONS.map(({ variable }) => variable);
  expect(variables).toEqual([...new Set(variables)]);
});

describe('the options of npm start', () => {
  const flags = OPTIONS.filter(({ start }) => start !== undefined);

  it.each(flags)('$start is in its help, with its variable', ({ start, variable }) => {
    expect(HELP).toContain(`--${start}`);
    expect(HELP).toContain(`[${variable}]`);
  });

  const choices = flags.filter(
    ({ start, value }) => start !== 'remote-private' && value?.includes('|'),
  );
  it.each(choices)('$start takes each of $value', ({ start, value = '' }) => {
    for (const each of value.split('|')) {
      const args = ['--project', 'p', `--${start}`, each];
      expect(JSON.stringify(readArguments(args, {}))).toContain(JSON.stringify(each));
    }
  });
});

test('the help of npx --no holdfast has its options from the table, too', () => {
  for (const { command, variable } of OPTIONS.filter((each) => each.command !== undefined)) {
    expect(help()).toMatch(new RegExp(`--${command} (?:(?!\\n {2}--)[^])*\\[${variable}\\]`));
  }
});
