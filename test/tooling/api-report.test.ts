import { expect, test } from 'vitest';
import { apiReport } from '../../tools/package/api-report.ts';
import { projectWith } from './project-fixture.ts';

const INDEX = `export { make } from './make.ts';\nexport type { Made as Result } from './made.ts';\n`;
const MAKE = `import type { Made } from './made.ts';
import { type ZodType } from 'zod';
/** Makes one. */
export declare function make(of: Options, schema: ZodType): Made;
interface Options { readonly size: import("./size.ts").Size; }
export interface Unused { a: 1; }
`;
const FILES = {
  'index.d.ts': INDEX,
  'make.d.ts': MAKE,
  'made.d.ts':
    '/** A page of words. */\nexport type Made = { kind: "made" } | Later;\ntype Later = 1;\n',
  'size.d.ts': 'export type Size = 1 | 2;\n',
};

const reportOf = (files: Readonly<Record<string, string>>): string =>
  apiReport(projectWith({ ...FILES, ...files }), 'index.d.ts');

test('a report has the names, what they lead to in every file, and the packages; no words', () => {
  expect(reportOf({}).split(/\n+/).slice(0, -1)).toEqual([
    'export { Made as Result, make };',
    '// uses zod: ZodType',
    '// -- made',
    'export type Made = { kind: "made" } | Later;',
    'type Later = 1;',
    '// -- make',
    'export declare function make(of: Options, schema: ZodType): Made;',
    'interface Options { readonly size: import("./size.ts").Size; }',
    '// -- size',
    'export type Size = 1 | 2;',
  ]);
});

test.each([
  ['a member of a type that is only led to', { 'size.d.ts': 'export type Size = 1;\n' }],
  ['an export that is gone', { 'index.d.ts': `export { make } from './make.ts';\n` }],
])('%s is a difference', (_, files) => {
  expect(reportOf(files)).not.toBe(reportOf({}));
});

test('other words in comments, and what is not led to, are none', () => {
  const make = MAKE.replace('Makes one', 'Makes two').replace('a: 1', 'a: 2');
  expect(reportOf({ 'make.d.ts': make })).toBe(reportOf({}));
});

test('a form that it would overlook stops it', () => {
  expect(() => reportOf({ 'size.d.ts': 'export enum Size { A }' })).toThrow('TSEnumDeclaration');
  expect(() => reportOf({ 'index.d.ts': `export * from './make.ts';` })).toThrow('export *');
});
