// How much of the labelled texts the pattern redactor finds. See --help.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { openFinder } from '../shared/redaction/redact-texts.ts';
import { LABELLED, LATER, readLabelled } from '../test/redaction/labelled.ts';
import { type Miss, type Report, type Score, score } from '../test/redaction/score.ts';

const HELP = `Usage: npm run redaction -- [options] [file ...]

Prints precision (of what was found, how much is right) and recall (of what is labelled, how much was found) of the
pattern redactor for each kind, then each miss and each false alarm. Right means: the kind, and exactly the span.
The files are test/fixtures/redaction/*.tsv unless others of that form are named.

Options:
  --speed   also redacts each file's texts, repeated to 1 MB, and prints how long that takes
  --help    shows this text
`;

function row(name: string, { labelled, found, right, precision, recall }: Score): string {
  const cells = [labelled, found, right].map((each) => String(each).padStart(9));
  const shares = [precision, recall].map((each) => each.toFixed(3).padStart(10));
  return `${name.padEnd(8)}${cells.join('')}${shares.join('')}`;
}

function print({ all, kinds, misses, falseAlarms }: Report): void {
  const titles = ['labelled', 'found', 'right'].map((each) => each.padStart(9)).join('');
  const lines = [
    `${'kind'.padEnd(8)}${titles} precision    recall`,
    ...[...kinds].map(([kind, each]) => row(kind, each)),
    row('all', all),
    ...list('missed', misses),
    ...list('false alarms', falseAlarms),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function list(title: string, entries: readonly Miss[]): string[] {
  const lines = entries.map(
    ({ line, kind, value }) => `  line ${line}: ${kind} ${JSON.stringify(value)}`,
  );
  return ['', `${title}: ${entries.length}`, ...lines];
}

const { values, positionals } = parseArgs({
  options: { help: { type: 'boolean' }, speed: { type: 'boolean' } },
  allowPositionals: true,
});
if (values.help === true) {
  process.stdout.write(HELP);
} else {
  const find = await openFinder();
  const files =
    positionals.length > 0 ? positionals.map((each) => resolve(each)) : [LABELLED, LATER];
  for (const file of files) {
    const lines = readLabelled(file);
    process.stdout.write(`\n${file.split(/[\\/]/).at(-1)}: ${lines.length} texts\n`);
    print(score(lines, find));
    if (values.speed !== true) continue;
    const text = lines.map((each) => each.text).join('\n');
    const million = text.repeat(Math.ceil(1_000_000 / text.length)).slice(0, 1_000_000);
    const started = performance.now();
    const { length } = find(million);
    const spent = (performance.now() - started).toFixed(0);
    process.stdout.write(`\n1 MB of them: ${length} findings in ${spent} ms\n`);
  }
}
