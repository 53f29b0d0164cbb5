import { type Contents, linkTo, type Page } from './pages.ts';

/** No script and no request but the site's own. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
].join('; ');

/** A whole page around its text. */
export function htmlPage(contents: Contents, page: Page, html: string): string {
  const to = (file: string) => linkTo(page.to, file);
  const [first] = contents.pages;
  const groups = contents.groups.map(({ title, pages }) => {
    const items = pages.map((each) => {
      const here = each.file === page.file ? ' aria-current="page"' : '';
      return `<li><a href="${to(each.to)}"${here}>${escaped(each.title)}</a></li>`;
    });
    return `<h2>${escaped(title)}</h2>\n<ul>\n${items.join('\n')}\n</ul>`;
  });
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="referrer" content="no-referrer">
<title>${escaped(page === first ? page.title : `${page.title} - Holdfast`)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${to('site.css')}">
<script type="module" src="${to('search.js')}"></script>
</head>
<body>
<a class="skip" href="#text">To the text</a>
<header>
<a href="${to('index.html')}">Holdfast</a>
<form role="search">
<label for="search">Search</label>
<input id="search" type="search" autocomplete="off" aria-controls="found">
<ul id="found" aria-label="Found" hidden></ul>
</form>
</header>
<nav aria-label="Pages">
<details open>
<summary>Pages</summary>
${groups.join('\n')}
</details>
</nav>
<main id="text" tabindex="-1">
${html}</main>
</body>
</html>
`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}
