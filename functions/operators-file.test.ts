import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { seededIds } from '../testing/seeded-ids.ts';
import type { AgentName } from '../shared/domain/ids.ts';
import { eitherGrants, grantsOf } from './operators.ts';
import { RIGHTS } from '../shared/ports/grants.ts';
import {
  makeOperatorsFile,
  openOperatorsFile,
  requireOperators,
  rightsSince,
} from './operators-file.ts';

const agent = 'echo' as AgentName;

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'holdfast-operators-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

function opened(file: string) {
  const logged: string[] = [];
  const operators = openOperatorsFile(file, { write: (_, event) => void logged.push(event) });
  const as = (token: string) => operators.identify({ authorization: [`Bearer ${token}`] });
  return { ...operators, logged, as };
}

describe('the file of operators', () => {
  test('is made once, with one operator who may do everything', async () => {
    const data = folder();
    const file = makeOperatorsFile(data, seededIds(1));
    expect(makeOperatorsFile(data, seededIds(2))).toBe(file);
    const { as, grants, read } = opened(file);
    const token = read()['local']?.token ?? '';
    expect(token.length).toBeGreaterThanOrEqual(40);
    expect(await as(token)).toBe('local');
    expect(await as(`${token}x`)).toBeUndefined();
    expect(await grants.allows('local', 'send', agent)).toBe(true);
  });

  test('is the one of the process that was first, where several start at once', () => {
    const data = folder();
    let first = '';
    const late = {
      token: () => {
        first ||= readFileSync(makeOperatorsFile(data, seededIds(1)), 'utf8');
        return 'late'.repeat(5);
      },
    };
    expect(readFileSync(makeOperatorsFile(data, late), 'utf8')).toBe(first);
    expect(readdirSync(data)).toEqual(['operators.json']);
  });

  test.each([
    [
      'of the first release',
      ['view', 'decide', 'send', 'cancel'],
      ['pause', 'retry', 'try', 'keys', 'audit'],
    ],
    [
      'of a later one',
      ['view', 'decide', 'send', 'cancel', 'keys'],
      ['pause', 'retry', 'try', 'audit'],
    ],
    [
      'of one before messages could be tried',
      ['view', 'decide', 'send', 'cancel', 'pause', 'retry', 'keys', 'audit'],
      ['try'],
    ],
    ['with rights that a person chose', ['view', 'decide'], []],
    ['of this release', [...RIGHTS], []],
  ])('%s has rights to be added: as many as came since', (_which, may, missing) => {
    const file = join(folder(), 'operators.json');
    expect(rightsSince(file)).toEqual([]);
    writeFileSync(file, JSON.stringify({ local: { token: 'a'.repeat(20), may } }));
    expect(rightsSince(file)).toEqual(missing);
  });

  test('is read again when it has changed; broken or gone, it has no operators', async () => {
    const file = join(folder(), 'operators.json');
    const { as, grants, logged } = opened(file);
    const write = (may: readonly string[]) =>
      writeFileSync(
        file,
        JSON.stringify({ ada: { token: 'a'.repeat(20), agents: ['echo'], may } }),
        { mode: 0o644 },
      );
    expect(await as('a'.repeat(20))).toBeUndefined();
    expect(logged).toEqual([]);
    write(['view', 'cancel']);
    expect(await as('a'.repeat(20))).toBe('ada');
    expect(await grants.allows('ada', 'cancel', agent)).toBe(true);
    expect(await grants.allows('ada', 'cancel', 'other' as AgentName)).toBe(false);
    write(['view']);
    expect(await grants.allows('ada', 'cancel', agent)).toBe(false);
    writeFileSync(file, '{"ada":');
    expect(await as('a'.repeat(20))).toBeUndefined();
    // Written by hand, it is closed to others when it is first read.
    expect(logged).toEqual(['file was open to others', 'operators file not readable']);
    if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
    write(['view']);
    expect(await as('a'.repeat(20))).toBe('ada');
    rmSync(file);
    expect(await grants.allows('ada', 'view', agent)).toBe(false);
  });

  test('whose one entry is wrong locks no one else out, and a start names it', async () => {
    const file = join(folder(), 'operators.json');
    const may = ['view'];
    const ada = { token: 'a'.repeat(16), may };
    const bad = {
      grace: { token: 'b'.repeat(15), may },
      mary: { token: 'c'.repeat(20), may: 'x' },
    };
    writeFileSync(file, JSON.stringify({ ada, ...bad }), { mode: 0o600 });
    const { as, logged } = opened(file);
    expect(await as('a'.repeat(16))).toBe('ada');
    expect(await as('b'.repeat(15))).toBeUndefined();
    expect(await as('c'.repeat(20))).toBeUndefined();
    expect(logged).toEqual(['operators file not readable', 'operators file not readable']);
    expect(() => requireOperators(file)).toThrow(
      `${file}: grace: token must have 16 characters or more`,
    );
    writeFileSync(file, JSON.stringify({ ada }));
    expect(() => requireOperators(file)).not.toThrow();
    writeFileSync(file, '[');
    expect(() => requireOperators(file)).toThrow(`${file}: must be a JSON object of operators`);
  });

  test('has no operator by a name that every object has', async () => {
    const grants = grantsOf(() => ({}));
    for (const name of ['constructor', '__proto__', 'toString'])
      expect(await grants.allows(name, 'view', agent)).toBe(false);
  });

  test('and the environment both give rights', async () => {
    const given = (name: string) => grantsOf(() => ({ [name]: { agents: ['*'], may: ['view'] } }));
    const both = eitherGrants(given('ada'), given('grace'));
    expect(await both.allows('ada', 'view', agent)).toBe(true);
    expect(await both.allows('grace', 'view', agent)).toBe(true);
    expect(await both.allows('grace', 'send', agent)).toBe(false);
  });
});
