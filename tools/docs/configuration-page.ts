import { CONFIGURATION } from '../../functions/configuration.ts';
import { FUNCTIONS } from '../../functions/function-names.ts';
import type { Option } from '../../functions/option.ts';

const HEAD = `# Configuration

This page lists every setting by its environment variable.
\`node tools/node24.mjs tools/configuration-docs.ts\` makes it from
[one table](../functions/configuration.ts), and the numbers from
[theirs](../shared/domain/settings.ts).

- An option of \`npm start\` (\`--option value\`) overrides the variable, and the variable overrides
  the default. \`--set name=value\` sets a number, whose name is in camel case there:
  \`--set blockingCap=20000\` is \`HOLDFAST_BLOCKING_CAP=20000\`.
- \`npm run operate\` reads the variables that \`npm start\` reads.
- Deployed functions get their variables from [Terraform](../terraform/modules/holdfast/README.md):
  the numbers from \`settings\`, the others from inputs of their own. Each function gets those that it
  reads, and does not start without one that is required.
- A switch is on with \`1\` or \`true\`.
`;

/** The page docs/configuration.md. */
export function configurationPage(): string {
  const sections = Object.entries(CONFIGURATION).map(([title, options]) =>
    [
      `## ${title}`,
      '',
      '| variable | option | read by | value | default | meaning |',
      '| --- | --- | --- | --- | --- | --- |',
      ...options.map((option) => `| ${row(option).join(' | ')} |`),
      '',
    ].join('\n'),
  );
  return [HEAD, ...sections].join('\n');
}

function row(option: Option): readonly string[] {
  const {
    command,
    fallback,
    meaning,
    start,
    startFallback,
    unit,
    value = 'switch',
    variable,
  } = option;
  const options = [start, command].filter((name) => name !== undefined);
  const names = [...new Set(options)].map((name) => code(`--${name}`));
  return [
    code(variable),
    names.join(', '),
    readBy(option),
    unit === undefined ? code(value) : UNITS[unit],
    [
      fallback === undefined ? '' : code(fallback),
      ...(startFallback === undefined ? [] : [`\`npm start\`: ${code(startFallback)}`]),
    ].join('; '),
    cell(meaning),
  ];
}

const UNITS = { ms: 'milliseconds', bytes: 'bytes', count: 'a number' } as const;

function readBy({ command, elsewhere, functions = [], required, start, unit }: Option): string {
  const all = FUNCTIONS.length === functions.length ? ['all functions'] : functions;
  const readers = [
    ...(start === undefined && unit === undefined ? [] : ['`npm start`']),
    ...(command === undefined ? [] : ['`npx --no holdfast`']),
    ...(required === true ? [`${all.join(', ')} (required)`] : all),
    ...(elsewhere === undefined ? [] : [elsewhere]),
  ];
  return readers.join(', ');
}

function code(text: string): string {
  return `\`${cell(text)}\``;
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}
