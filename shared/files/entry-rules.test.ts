import { expect, test } from 'vitest';
import { foldedName, refusalOfLink, refusalOfNames, refusalOfPath } from './entry-rules.ts';

test.each([
  '.git',
  'a/.git',
  '.GIT',
  '.Git ',
  '.git...',
  'git~1',
  'GIT~12',
  '.git:x',
  '.git::$INDEX_ALLOCATION',
  '.git . :stream',
  '.g\u200cit',
  '\ufeff.git',
  '.gitmodules',
  '.GITMODULES ',
  'gitmod~1',
  'GI7EBA~3',
])("%j is a name of git's own", (path) => {
  expect(refusalOfPath(path)).toContain("git's own");
});

test.each(['.gitignore', '.gitattributes', 'git', '.git-x', 'x.git', 'gitmod', 'a~1', '.github'])(
  '%j is kept',
  (path) => expect(refusalOfPath(path)).toBeUndefined(),
);

test.each([
  ['x'.repeat(256), '255 bytes'],
  ['ä'.repeat(128), '255 bytes'],
  [`${'x/'.repeat(2_048)}x`, '4096 bytes'],
  ['a\\b', 'backslash'],
  ['a\nb', 'control character'],
  ['a\u007f', 'control character'],
  ['a\u0085', 'control character'],
])('%j is refused: %s', (path, rule) => {
  expect(refusalOfPath(path)).toContain(rule);
});

test.each([
  ['README', 'readme'],
  ['\u00e9', 'e\u0301'],
  ['straße', 'STRASSE'],
  ['mas\u017f', 'mass'],
  ['\u212a', 'k'],
])('%j and %j are one name on some disk', (one, other) => {
  expect(foldedName(one)).toBe(foldedName(other));
  expect(refusalOfNames([one, 'x', other])).toMatchObject({ name: other });
});

test.each([
  ['l', 'a'],
  ['l', 'a/b'],
  ['l', '..a'],
  ['d/l', '../a'],
  ['d/e/l', '../../a/b'],
])('a link %j to %j stays inside', (path, target) => {
  expect(refusalOfLink(path, target)).toBeUndefined();
});

test.each([
  ['l', ''],
  ['l', '/'],
  ['l', '/a'],
  ['l', '..'],
  ['l', '../a'],
  ['d/l', '../../a'],
  ['d/l', 'a/../../b'],
  ['d/l', 'a/..'],
  ['l', 'a\\b'],
])('a link %j to %j may leave', (path, target) => {
  expect(refusalOfLink(path, target)).toContain('leaves');
});
