// Makes a static site of the pages that the README lists, with a search and llms.txt:
//   npm run site [-- --out DIR] [--source URL]
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildSite } from './site/build.ts';

const HELP = `npm run site [-- --out DIR] [--source URL]

  --out DIR      where it is written; what is there is replaced (default: dist/site)
  --source URL   where the repository's files can be read, so that links to code lead there:
                 https://github.com/OWNER/NAME/blob/main
  --help

Any web server can serve it: all links are relative. Its script asks nothing but its own search.json.`;

const { values } = parseArgs({
  options: {
    out: { type: 'string', default: 'dist/site' },
    source: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) process.stdout.write(`${HELP}\n`);
else {
  const root = join(import.meta.dirname, '..');
  const out = resolve(root, values.out);
  const { pages, sections } = buildSite(root, out, values.source);
  process.stdout.write(`${pages} pages, ${sections} sections to search, in ${out}\n`);
}
