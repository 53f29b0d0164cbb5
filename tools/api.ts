// Writes down the public API, or compares it with what is written down. See --help.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { apiReport } from './package/api-report.ts';
import { ENTRIES } from './package/contents.ts';
import { emit } from './package/emit.ts';

const ROOT = dirname(import.meta.dirname);

const HELP = `Usage: npm run api -- [options]

Writes what each entry point of the package promises into api/: its names, and every declaration that they lead to.
A change there is a change for those who use the package (docs/versioning.md), and belongs in CHANGELOG.md.

Options:
  --check
      writes nothing, and ends with 1 where api/ is not what the sources say
  --help
      shows this text
`;

const { values } = parseArgs({
  options: { check: { type: 'boolean' }, help: { type: 'boolean' } },
});

if (values.help === true) process.stdout.write(HELP);
else {
  const sources = Object.values(ENTRIES).map((entry) => `${entry}.ts`);
  const emitted = emit(ROOT, sources, 'declarations');
  mkdirSync(join(ROOT, 'api'), { recursive: true });
  for (const [entry, path] of Object.entries(ENTRIES)) {
    const file = join('api', `${entry.slice(2)}.d.ts`);
    const report = apiReport(emitted, `${path}.d.ts`);
    if (values.check !== true) writeFileSync(join(ROOT, file), report);
    else if (readFileSync(join(ROOT, file), 'utf8') !== report) {
      process.exitCode = 1;
      process.stdout.write(
        `${file} is not what the sources say: run \`npm run api\`, read the difference, and write into CHANGELOG.md what it changes for authors\n`,
      );
    }
  }
}
