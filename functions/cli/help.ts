import { OPTIONS } from '../configuration.ts';
import { MAINTENANCE_ASKS, maintenanceEntries } from '../operate/maintenance.ts';
import { BULK, BULK_WORDS } from './bulk.ts';
import { EXIT_WORDS } from './cli-error.ts';
import type { Command, Option } from './command.ts';
import { COMMANDS } from './commands.ts';
import { YES, YES_WORDS } from './confirm.ts';
import { PROGRAMS } from './programs.ts';
import { COLOURS } from './screen/looks.ts';
import { entries, paragraph } from './screen/entries.ts';

/** What every command takes. */
export const GLOBAL: readonly Option[] = [
  { name: 'json', help: 'prints the answer as JSON, one document a line' },
  { name: 'exact', help: 'shows instants in place of how long ago they were' },
  {
    name: 'color',
    value: 'when',
    help: `${COLOURS.join(', ')} (default auto: in a terminal, unless NO_COLOR is set)`,
  },
  ...OPTIONS.flatMap(({ command, fallback, meaning, value, variable }) => {
    if (command === undefined) return [];
    const otherwise = fallback === undefined ? '' : ` (default ${fallback})`;
    const help = `${meaning}${otherwise} [${variable}]`;
    return [{ name: command, ...(value !== undefined && { value }), help }];
  }),
  { name: 'help', help: 'shows this text' },
];

const WATCHING: readonly Option[] = [
  { name: 'watch', help: 'shows it again and again, until Ctrl-C' },
  { name: 'interval', value: 'seconds', help: 'between two looks of --watch (default 2)' },
];

/** All that a command takes: its own options, and those that its kind has. */
export function optionsOf({ columns, options = [], watchable }: Command): readonly Option[] {
  const own = new Set(options.map(({ name }) => name));
  const names = columns?.map(({ name }) => name).join(', ') ?? '';
  const listing: readonly Option[] = [
    { name: 'columns', value: 'a,b,c', help: `these columns, in this order: ${names}` },
    { name: 'sort', value: 'column', help: 'rows that are shown, by this column' },
    { name: 'order', value: 'asc or desc', help: 'of --sort (default asc)' },
  ];
  return [
    ...options,
    ...(columns === undefined ? [] : listing.filter(({ name }) => !own.has(name))),
    ...(watchable === true ? WATCHING : []),
    ...GLOBAL,
  ];
}

export const optionEntries = (options: readonly Option[]): string =>
  entries(
    options.map(({ help: words, name, value }) => ({
      name: value === undefined ? `--${name}` : `--${name} <${value}>`,
      words,
    })),
  );

export const nameOf = ({ name, takes }: Pick<Command, 'name' | 'takes'>): string =>
  takes === undefined ? name : `${name} ${takes}`;

export function help(): string {
  const commands = COMMANDS.map((each) => ({ name: nameOf(each), words: each.summary }));
  return `Usage: holdfast <command> [options]

${paragraph('What operators do with Holdfast: they look at runs, decide what waits for a person, and say what becomes of messages whose outcome is unknown.')}

Commands:
${entries(commands)}

Commands on the rows themselves, which the environment names as it does for the
functions:
${maintenanceEntries()}

${paragraph(MAINTENANCE_ASKS)}

Commands in a project of your own:
${entries(PROGRAMS.map((each) => ({ name: nameOf(each), words: each.summary })))}

Options:
${optionEntries(GLOBAL)}
  --version                 shows the release

${paragraph('An id may be as short as it is unique: four characters or more. `holdfast <command> --help` shows the options of a command, with examples.')}
${paragraph(EXIT_WORDS)}
`;
}

/** What its options do not say: when it asks, and what it ends with. */
export function notesOf({ ends, options = [] }: Command): readonly string[] {
  const takes = (option: Option | undefined): boolean =>
    option !== undefined && options.includes(option);
  return [
    ...(takes(YES) ? [YES_WORDS] : []),
    ...(takes(BULK.at(-1)) ? [BULK_WORDS] : []),
    ...(ends === undefined ? [] : [ends]),
  ];
}

export function commandHelp(command: Command): string {
  const { examples = [], summary } = command;
  const shown = examples.map((each) => `  holdfast ${each}\n`).join('');
  return `Usage: holdfast ${nameOf(command)} [options]

${paragraph(`${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.`)}
${shown === '' ? '' : `\nExamples:\n${shown}`}
Options:
${optionEntries(optionsOf(command))}

${[...notesOf(command), EXIT_WORDS].map(paragraph).join('\n')}
`;
}
