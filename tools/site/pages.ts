import { existsSync, readdirSync } from 'node:fs';
import { join, posix, sep } from 'node:path';
import { readSource } from '../checks/sources.ts';

/** One page of the site: a markdown file of the repository. */
export interface Page {
  /** Relative to the repository: `docs/agents.md`. */
  readonly file: string;
  /** Relative to the site: `docs/agents.html`; the README is its first page. */
  readonly to: string;
  readonly title: string;
  /** What the README says of it; empty for a page that it does not list. */
  readonly about: string;
}

export interface Group {
  readonly title: string;
  readonly pages: readonly Page[];
}

export interface Contents {
  /** What the README lists under "Pages", in its order. */
  readonly groups: readonly Group[];
  /** All of them, the README first, and what they lead on to. */
  readonly pages: readonly Page[];
}

/** The operators' API, of which the site has a page beside the file. */
export const OPENAPI = 'docs/openapi.json';

const ROW = /^\| \[[^\]]*\]\(([^)\s]+\.md)\)[^|]*\| (.*) \|$/;

/** Reads from the README what the site is made of, so that both list the same. */
export function contentsOf(root: string): Contents {
  const [, list = ''] = readSource(root, 'README.md').split('\n## Pages\n');
  const groups = list
    .split('\n### ')
    .slice(1)
    .map((section): Group => {
      const [title = '', ...lines] = section.split('\n');
      const pages = lines.flatMap((line): Page[] => {
        const [, file, about = ''] = ROW.exec(line) ?? [];
        return file === undefined ? [] : [pageOf(root, file, about)];
      });
      return { title, pages };
    });
  const listed = groups.flatMap(({ pages }) => pages);
  const known = new Set(listed.map(({ file }) => file));
  const more = ['docs', 'docs/decisions']
    .flatMap((folder) => readdirSync(join(root, folder)).map((name) => `${folder}/${name}`))
    .concat(readdirSync(join(root, 'examples')).map((name) => `examples/${name}/README.md`))
    .filter((file) => existsSync(join(root, file)))
    .concat('CONTRIBUTING.md', 'SECURITY.md', 'terraform/modules/holdfast/README.md')
    .filter((file) => file.endsWith('.md') && !known.has(file))
    .map((file) => pageOf(root, file, ''));
  const api = { file: OPENAPI, to: 'docs/openapi.html', title: "The operators' API", about: '' };
  const made = [api, ...codeOfExamples(root)];
  return { groups, pages: [pageOf(root, 'README.md', ''), ...listed, ...more, ...made] };
}

/** The examples are to be read where they are listed, so each of their files is a page. */
function codeOfExamples(root: string): readonly Page[] {
  return readdirSync(join(root, 'examples'), { recursive: true, encoding: 'utf8' })
    .map((name) => `examples/${name.replaceAll(sep, '/')}`)
    .filter((file) => /\.(?:ts|py)$/.test(file))
    .map((file) => ({ file, to: `${file}.html`, title: file, about: '' }));
}

function pageOf(root: string, file: string, about: string): Page {
  const [, title = file] = /^# (.+)$/m.exec(readSource(root, file)) ?? [];
  const to = file === 'README.md' ? 'index.html' : file.replace(/\.md$/, '.html');
  return { file, to, title, about };
}

/** From one file of the site to another, as a link says it. */
export function linkTo(from: string, to: string): string {
  return posix.relative(posix.dirname(from), to) || posix.basename(to);
}
