import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import MarkdownIt from 'markdown-it';
import { slugs } from '../checks/anchors.ts';
import { pictureOf } from './diagrams.ts';
import { linkTo, type Page } from './pages.ts';

/** A heading and the text below it, as the search knows it. */
export interface Section {
  readonly anchor: string;
  readonly heading: string;
  readonly text: string;
}

export interface Rendered {
  readonly html: string;
  readonly sections: readonly Section[];
  /** Files of the repository that the page shows: pictures. */
  readonly files: readonly string[];
}

export interface Place {
  readonly root: string;
  readonly pages: readonly Page[];
  /** Where the repository's other files can be read; without it a link to them is plain text. */
  readonly source: string | undefined;
}

const markdown = new MarkdownIt({ html: false, linkify: false });
type Token = ReturnType<typeof markdown.parse>[number];

// A link that a reader can copy; its sign is of the style sheet.
markdown.renderer.rules['heading_close'] = (tokens, at) => {
  const id = tokens[at - 2]?.attrGet('id') ?? '';
  const link = `<a class="anchor" href="#${id}" aria-label="Link to this heading"></a>`;
  return `${link}</${tokens[at]?.tag ?? ''}>\n`;
};

/** A page's HTML. Its links lead to pages of the site, or to the source. */
export function render(place: Place, page: Page, text: string): Rendered {
  // Marks of the tools that write a page, which no reader is to see.
  const tokens = markdown.parse(text.replaceAll(/^<!--.*-->$/gm, ''), {});
  const anchors = slugs();
  const files = new Set<string>();
  const sections: { anchor: string; heading: string; text: string[] }[] = [];
  let open: Token | undefined;
  for (const token of tokens) {
    // The policy of the page allows no style but that of its sheet.
    if (token.attrGet('style') === 'text-align:right') token.attrs = [['class', 'number']];
    if (token.type === 'heading_open') open = token;
    else if (token.type === 'inline' && open !== undefined) {
      const anchor = anchors(token.content);
      open.attrSet('id', anchor);
      sections.push({ anchor, heading: wordsOf(token), text: [] });
      open = undefined;
    } else if (token.type === 'inline' || token.type === 'fence') {
      sections.at(-1)?.text.push(token.type === 'fence' ? token.content : wordsOf(token));
    }
    if (token.type === 'fence' && token.info === 'mermaid') {
      const picture = pictureOf(page.file, token.content);
      files.add(picture);
      const words = `Diagram: ${sections.at(-1)?.heading ?? page.title}`;
      asFigure(token, linkTo(page.to, picture), words);
    }
    for (const child of token.children ?? []) {
      if (child.type === 'link_open') redirect(child, 'href', place, page);
      if (child.type === 'image') files.add(imageOf(child, page));
    }
    token.children = unlinked(token.children ?? []);
  }
  return {
    html: markdown.renderer.render(tokens, markdown.options, {}),
    sections: sections.map((section) => ({ ...section, text: section.text.join(' ') })),
    files: [...files],
  };
}

const wordsOf = ({ children }: Token): string =>
  (children ?? []).map(({ type, content }) => (type === 'softbreak' ? ' ' : content)).join('');

function redirect(link: Token, name: string, { root, pages, source }: Place, page: Page): void {
  const target = `${link.attrGet(name) ?? ''}`;
  if (/^[a-z]+:/i.test(target) || target.startsWith('#')) return;
  const [path = '', anchor] = target.split('#');
  const file = posix.join(posix.dirname(page.file), decodeURI(path));
  const named = pages.find((each) => each.file === file || each.file === `${file}/README.md`);
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (named !== undefined) link.attrSet(name, `${linkTo(page.to, named.to)}${hash}`);
  else if (source !== undefined && existsSync(join(root, file))) {
    const folder = statSync(join(root, file)).isDirectory();
    const base = folder ? source.replace('/blob/', '/tree/') : source;
    link.attrSet(name, `${base}/${file}${hash}`);
  } else link.attrSet(name, '');
}

const imageOf = (image: Token, page: Page): string =>
  posix.join(posix.dirname(page.file), `${image.attrGet('src') ?? ''}`);

/** A diagram is shown as its picture, and on demand as its text. */
function asFigure(token: Token, picture: string, words: string): void {
  const { escapeHtml } = markdown.utils;
  token.type = 'html_block';
  token.content = `<figure>
<a href="${picture}"><img class="diagram" src="${picture}" alt="${escapeHtml(words)}"></a>
<figcaption><details><summary>As text</summary>
<pre><code>${escapeHtml(token.content)}</code></pre></details></figcaption>
</figure>
`;
}

/** Without the links that lead nowhere; their words stay. */
function unlinked(tokens: Token[]): Token[] {
  let dropped = false;
  return tokens.filter((token) => {
    if (token.type === 'link_open') dropped = token.attrGet('href') === '';
    const keep = !(dropped && token.type.startsWith('link_'));
    if (token.type === 'link_close') dropped = false;
    return keep;
  });
}
