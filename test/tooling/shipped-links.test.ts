import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { shippedPage } from '../../tools/package/shipped-links.ts';

let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'holdfast-links-'));
  for (const file of ['docs/a.md', 'docs/b.md', 'terraform/holdfast/README.md', 'examples/x.ts']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), '# A page\n\n## Its part\n');
  }
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

it.each([
  ['[b](b.md), [here](#there), [web](https://a.example/b)', undefined],
  ['[part](b.md#its-part) and [an example](../examples/x.ts)', undefined],
  ['`[no](../link.md)` is code', undefined],
  [
    '[module](../terraform/modules/holdfast/README.md)',
    '[module](../terraform/holdfast/README.md)',
  ],
  ['[figures](../bench/RESULTS.md#x)', 'figures (`bench/RESULTS.md` of the repository)'],
  [
    '[`f`](../shared/f.ts), [README.md](../README.md)',
    '`f` (`shared/f.ts` of the repository), `README.md` of the repository',
  ],
  ['[gone](b.md#no-part)', 'gone (`docs/b.md` of the repository)'],
])('%s', (given, wanted = given) => {
  expect(shippedPage(folder, 'docs/a.md', given)).toBe(wanted);
});

it('a page that lies elsewhere in the package is read from where it was written', () => {
  const page = shippedPage(folder, 'terraform/holdfast/README.md', '[a](../../../docs/a.md)');
  expect(page).toBe('[a](../../docs/a.md)');
});
