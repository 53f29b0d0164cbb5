// A comment or a page may cite what its reader can open: a page, a guarantee, a decision or a file
// of this repository, or a public document. This finds references that lead out of it (to papers
// that only its author has), and those that lead nowhere.
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync } from 'vite';
import { anchorsOf } from './links.ts';
import { runCheck, type CheckResult } from './report.ts';
import { lineOf, projectFiles, readSource, type Finding } from './sources.ts';

const SCANNED = ['.ts', '.tsx', '.mjs', '.md', '.tf', '.yaml', '.hcl', '.example'];
/** They name what they look for. */
const EXEMPT = new Set(['tools/checks/references.ts', 'test/tooling/references.test.ts']);

/** White space inside a reference, also where a comment goes on in the next line. */
const GAP = String.raw`(?:\s*\n\s*(?:\*|//|#)\s*|\s+)`;
const pattern = (source: string): RegExp => new RegExp(source.replaceAll(' ', GAP), 'g');

const OUTSIDE: readonly (readonly [RegExp, string])[] = [
  [pattern(String.raw`\barchitecture,? section`), 'cites a section of a page that is not here'],
  [pattern(String.raw`\bsections? \d+ of the architecture`), 'cites a page that is not here'],
  [pattern(String.raw`\b[Ss]eed (?:rule|record)s?`), 'cites a record that is not here'],
  [pattern(String.raw`\bADR[ -]?\d+`), 'cites a record that is not here'],
  [pattern(String.raw`(?<![\d-])28[12]-\d{1,2}(?![\d-])`), 'cites a record that is not here'],
  [pattern(String.raw`\b[Cc]ases? [A-Z]\d{1,2}\b`), 'cites a list of cases that is not here'],
  [
    pattern(String.raw`\((?:G\d+,? )*[A-FH-Z]\d{1,2}(?:(?:,| and) [A-Z]\d{1,2})*\)`),
    'cites a list that is not here',
  ],
  [pattern(String.raw`(?<![\w/])issues? #?\d+\b`), 'cites an issue by its number alone'],
  [pattern(String.raw`/(?:home|Users)/[a-z]\w*/`), 'names a folder of one machine'],
  [/(?<=^|\n)(?:<{7}|>{7}) [^\n]*/g, 'is left over from a merge'],
];

const GUARANTEE = /\bG(\d{1,2})\b/g;
const DECISION = pattern(String.raw`\b[Dd]ecisions? (\d{4})(?![\w-])`);
const FILE =
  /(?<![\w/.@*{}$:-])((?:docs|shared|functions|tools|test|bench|terraform|examples|emulators)\/[\w./{},-]+\.(?:ts|mjs|md|tf|json|yaml))(?:#([\w-]+))?(?![\w*])/g;

export function checkReferences(root: string): CheckResult {
  const files = projectFiles(root, SCANNED).filter((file) => !EXEMPT.has(file));
  const guarantees = guaranteesOf(root);
  const decisions = decisionsOf(root);
  let cited = 0;
  const findings = files.flatMap((file): Finding[] => {
    const text = readSource(root, file);
    const outside = OUTSIDE.flatMap(([expression, message]) =>
      [...text.matchAll(expression)].map((match) => at(file, text, match, message)),
    );
    const prose = proseOf(file, text);
    const inside = [...prose.matchAll(GUARANTEE)]
      .map((match) => [match, guarantees.has(Number(match[1]))] as const)
      .concat(
        [...prose.matchAll(DECISION)].map(
          (match) => [match, decisions.has(match[1] ?? '')] as const,
        ),
      )
      .concat([...prose.matchAll(FILE)].map((match) => [match, leads(root, match)] as const));
    cited += inside.length;
    const dead = inside.flatMap(([match, leadsOn]) =>
      leadsOn ? [] : [at(file, text, match, 'leads nowhere')],
    );
    return [...outside, ...dead];
  });
  return { findings, summary: `${cited} references of ${files.length} files can be followed` };
}

function at(file: string, text: string, match: RegExpExecArray, message: string): Finding {
  const what = match[0].replaceAll(new RegExp(GAP, 'g'), ' ');
  return { file, line: lineOf(text, match.index), message: `"${what}" ${message}.` };
}

function guaranteesOf(root: string): ReadonlySet<number> {
  const file = 'docs/guarantees.md';
  const text = existsSync(join(root, file)) ? readSource(root, file) : '';
  return new Set([...text.matchAll(/^\| G(\d+) \|/gm)].map((match) => Number(match[1])));
}

function decisionsOf(root: string): ReadonlySet<string> {
  const folder = join(root, 'docs/decisions');
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return new Set(names.map((name) => name.slice(0, 4)));
}

function leads(root: string, [, file = '', anchor]: RegExpExecArray): boolean {
  if (!expanded(file).every((each) => existsSync(join(root, each)))) return false;
  return anchor === undefined || anchorsOf(readSource(root, file)).has(anchor);
}

/** `a/{b,c}.ts` names two files. */
function expanded(file: string): readonly string[] {
  const [, before = '', names, after = ''] = /^([^{]*)\{([^{}]*)\}(.*)$/.exec(file) ?? [];
  if (names === undefined) return [file];
  return names.split(',').flatMap((name) => expanded(`${before}${name.trim()}${after}`));
}

/**
 * What people read: of a source file its comments, all else blanked, so that places stay where they
 * are.
 */
function proseOf(file: string, text: string): string {
  if (file.endsWith('.md')) return text;
  if (!/\.(tsx?|mjs)$/.test(file)) return blank(text, comments(text, /#.*$/gm));
  return blank(text, parseSync(file, text).comments);
}

interface Span {
  readonly start: number;
  readonly end: number;
}

function comments(text: string, expression: RegExp): readonly Span[] {
  return [...text.matchAll(expression)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
  }));
}

function blank(text: string, kept: readonly Span[]): string {
  let from = 0;
  let prose = '';
  for (const { start, end } of kept) {
    prose += text.slice(from, start).replaceAll(/[^\n]/g, ' ') + text.slice(start, end);
    from = end;
  }
  return prose + text.slice(from).replaceAll(/[^\n]/g, ' ');
}

if (import.meta.main) runCheck(checkReferences);
