import { notesOf, nameOf, GLOBAL, optionsOf } from '../../functions/cli/help.ts';
import type { Command, Option } from '../../functions/cli/command.ts';
import { COMMANDS } from '../../functions/cli/commands.ts';
import { EXIT_WORDS } from '../../functions/cli/cli-error.ts';
import { PROGRAMS } from '../../functions/cli/programs.ts';
import {
  MAINTENANCE,
  MAINTENANCE_ASKS,
  MAINTENANCE_COMMANDS,
  MAINTENANCE_EXAMPLES,
} from '../../functions/operate/maintenance.ts';
import { maintenanceHelp } from '../../functions/operate/operate.ts';

const HEAD = `# Commands

This page lists every command of \`npx --no holdfast\`, which is \`npm run operate --\` in a checkout.
\`node tools/node24.mjs tools/commands-docs.ts\` makes it from the tables that \`--help\` is made of.
[operator.md](operator.md) says what operators do with them, and which right each needs.

- \`holdfast help <command>\` and \`holdfast <command> --help\` say what this page says.
- An id may be as short as it is unique: four characters or more.
- ${EXIT_WORDS}
  Where a command ends otherwise, it says so below.
`;

const GLOBAL_HEAD = `## Options of all

Commands that ask the operators' API take these beside their own. Each that has a variable in
brackets reads it where the option is not given ([configuration.md](configuration.md)).
`;

const ROWS_HEAD = `## On the rows themselves

These work on the rows that the environment names (\`HOLDFAST_DATA\`, \`HOLDFAST_STORE\`,
\`GOOGLE_CLOUD_PROJECT\` and others), without the API ([operator.md](operator.md#on-the-rows-themselves)).
`;

const PROGRAMS_HEAD = `## In a project of your own

[own-repository.md](own-repository.md) shows them at work.
`;

/** The page docs/commands.md. */
export async function commandsPage(): Promise<string> {
  const own = MAINTENANCE.filter((name) => hasOwnHelp(name));
  const programs = await Promise.all(
    PROGRAMS.map(async (each) => `### ${each.name}\n\n${asShown(await each.help())}`),
  );
  return [
    HEAD,
    '## At a glance\n',
    glance(),
    GLOBAL_HEAD,
    optionTable(GLOBAL),
    '## Of operators\n',
    ...COMMANDS.map(section),
    ROWS_HEAD,
    table(
      ['command', 'what it does'],
      MAINTENANCE_COMMANDS.map((each) => [code(nameOf(each)), cell(each.summary)]),
    ),
    `${wrapped(MAINTENANCE_ASKS)}\n`,
    lines(MAINTENANCE_EXAMPLES),
    ...own.map((name) => `### ${name}\n\n${asShown(maintenanceHelp(name))}`),
    PROGRAMS_HEAD,
    ...programs,
  ].join('\n');
}

const hasOwnHelp = (name: string): boolean => maintenanceHelp(name) !== maintenanceHelp('');

function glance(): string {
  const all = [
    ...COMMANDS.map(({ name, summary }) => [link(name), summary]),
    ...MAINTENANCE.map((name) => {
      const about = MAINTENANCE_COMMANDS.find((each) => each.name === name)?.summary ?? '';
      return [hasOwnHelp(name) ? link(name) : `[\`${name}\`](#on-the-rows-themselves)`, about];
    }),
    ...PROGRAMS.map(({ name, summary }) => [link(name), summary]),
  ];
  return table(
    ['command', 'what it does'],
    all.map(([name = '', words = '']) => [name, cell(words)]),
  );
}

const link = (name: string): string => `[\`${name}\`](#${name})`;

/** One command that asks the API: its usage, what its options do not say, and what it takes. */
function section(command: Command): string {
  const { examples = [], summary } = command;
  const global = new Set(GLOBAL);
  const options = optionsOf(command).filter((option) => !global.has(option));
  const words = `${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`;
  return [
    `### ${command.name}\n`,
    `\`holdfast ${nameOf(command)}\`\n`,
    `${wrapped([words, ...notesOf(command)].join(' '))}\n`,
    ...(examples.length === 0 ? [] : [lines(examples)]),
    ...(options.length === 0 ? [] : [optionTable(options)]),
  ].join('\n');
}

const lines = (examples: readonly string[]): string =>
  `\`\`\`sh\n${examples.map((each) => `npx --no holdfast ${each}\n`).join('')}\`\`\`\n`;

const asShown = (help: string): string => `\`\`\`text\n${help.trimEnd()}\n\`\`\`\n`;

const optionTable = (options: readonly Option[]): string =>
  table(
    ['option', 'meaning'],
    options.map(({ help, name, value }) => [
      code(value === undefined ? `--${name}` : `--${name} <${value}>`),
      cell(help),
    ]),
  );

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, head.map(() => '---'), ...rows];
  return `${all.map((row) => `| ${row.join(' | ')} |`).join('\n')}\n`;
}

const code = (text: string): string => `\`${text.replaceAll('|', '\\|')}\``;

/** What looks like a tag is none. */
const cell = (text: string): string =>
  text
    .replaceAll(/`[^`]*`|<[^>]+>/g, (found) => (found.startsWith('`') ? found : `\`${found}\``))
    .replaceAll('|', '\\|');

/** A paragraph of the page, in its 100 columns. */
function wrapped(text: string): string {
  const [first = '', ...rest] = text
    .replaceAll(/<[^>]+>/g, (found) => `\`${found}\``)
    .split(/ (?![^`]*`(?:[^`]*`[^`]*`)*[^`]*$)/);
  const made = [first];
  for (const word of rest) {
    const last = made.at(-1) ?? '';
    if (last.length + 1 + word.length <= 100) made[made.length - 1] = `${last} ${word}`;
    else made.push(word);
  }
  return made.join('\n');
}
