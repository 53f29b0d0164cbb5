// Relative links of all markdown files: the file is there, and so is the heading. Decisions are
// numbered, each once, and listed. Diagrams have pictures that were made of them, and those of
// sequences no semicolon, which would end a message.
import { existsSync, readdirSync } from 'node:fs';
import { join, posix } from 'node:path';
import { diagramsOf } from '../site/diagrams.ts';
import { slugs } from './anchors.ts';
import { runCheck, type CheckResult } from './report.ts';
import { lineOf, projectFiles, readSource, type Finding } from './sources.ts';

const LINK = /\]\(\s*([^()\s]+)(?:\s+"[^"]*")?\s*\)|^\[[^\]]+\]:\s*(\S+)/gm;

const NOT_DRAWN =
  'the picture of this diagram is missing or old: `node tools/node24.mjs tools/diagrams.ts` makes it.';

export function checkLinks(root: string): CheckResult {
  const files = projectFiles(root, ['.md']);
  const { count, findings } = linkFindings(root, files);
  const diagrams = files.flatMap((file) => diagramFindings(root, file));
  return {
    findings: [...findings, ...diagrams, ...decisionFindings(root)],
    summary: `${count} links of ${files.length} pages lead somewhere`,
  };
}

/** How many relative links these pages have, and those that lead nowhere. */
export function linkFindings(root: string, files: readonly string[]) {
  let count = 0;
  const findings = files.flatMap((file) => {
    const text = withoutCode(readSource(root, file));
    return [...text.matchAll(LINK)].flatMap((match): Finding[] => {
      const target = match[1] ?? match[2] ?? '';
      if (/^[a-z]+:/i.test(target)) return [];
      count += 1;
      const message = objection(root, file, target);
      return message === undefined ? [] : [{ file, line: lineOf(text, match.index), message }];
    });
  });
  return { count, findings };
}

function objection(root: string, file: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const to = path === '' ? file : posix.join(posix.dirname(file), decodeURI(path));
  if (to.startsWith('..')) return `${target} leads out of the repository.`;
  if (!existsSync(join(root, to))) return `${target}: ${to} does not exist.`;
  if (anchor === undefined || !to.endsWith('.md')) return undefined;
  return anchorsOf(readSource(root, to)).has(anchor) ? undefined : `${target}: no such heading.`;
}

/** The anchors of a page's headings, as GitHub makes them. */
export function anchorsOf(text: string): ReadonlySet<string> {
  const anchor = slugs();
  const headings = withoutFences(text).matchAll(/^#{1,6}\s+(.*?)\s*#*$/gm);
  return new Set([...headings].map(([, heading = '']) => anchor(heading)));
}

/** The same text, its places kept, without what is code and so no link. */
export function withoutCode(text: string): string {
  return withoutFences(text).replaceAll(/(`+)[^\n]*?\1/g, spaces);
}

function withoutFences(text: string): string {
  return text.replaceAll(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?^\1\s*$/gm, spaces);
}

const spaces = (code: string): string => code.replaceAll(/[^\n]/g, ' ');

function diagramFindings(root: string, file: string): Finding[] {
  const text = readSource(root, file);
  return diagramsOf(file, text).flatMap(({ file: picture, index, source }) => {
    const at = text.indexOf(source, index);
    const semicolons = source.startsWith('sequenceDiagram\n') ? [...source.matchAll(/;/g)] : [];
    const missing = existsSync(join(root, picture))
      ? []
      : [{ file, line: lineOf(text, index), message: NOT_DRAWN }];
    return missing.concat(
      semicolons.map((semicolon) => ({
        file,
        line: lineOf(text, at + semicolon.index),
        message: 'a semicolon ends a message of a sequence diagram: use a comma.',
      })),
    );
  });
}

function decisionFindings(root: string): Finding[] {
  const folder = 'docs/decisions';
  const file = `${folder}/README.md`;
  if (!existsSync(join(root, file))) return [];
  const index = readSource(root, file);
  const names = readdirSync(join(root, folder)).filter((name) => /^\d{4}-.*\.md$/.test(name));
  return names.flatMap((name): Finding[] => {
    const number = name.slice(0, 4);
    const twin = names.find((other) => other < name && other.startsWith(number));
    const problems = [
      twin !== undefined && `has the number of ${twin}: take the next free one.`,
      !index.includes(`(${name})`) && `is not listed in ${file}.`,
    ];
    return problems.flatMap((message) =>
      message === false ? [] : [{ file: `${folder}/${name}`, line: 1, message }],
    );
  });
}

if (import.meta.main) runCheck(checkLinks);
