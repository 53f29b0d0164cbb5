import { OPTIONS } from '../configuration.ts';
import { MAINTENANCE_HELP } from '../operate/maintenance.ts';
import type { Command, Option } from './command.ts';
import { COMMANDS } from './commands.ts';

/** What every command takes. */
export const GLOBAL: readonly Option[] = [
  { name: 'json', help: 'prints the answer as JSON, one document a line' },
  { name: 'watch', help: 'shows it again and again, until Ctrl-C' },
  { name: 'interval', value: 'seconds', help: 'between two looks of --watch (default 2)' },
  ...OPTIONS.flatMap(({ command, fallback, meaning, value, variable }) => {
    if (command === undefined) return [];
    const otherwise = fallback === undefined ? '' : ` (default ${fallback})`;
    const help = `${meaning}${otherwise} [${variable}]`;
    return [{ name: command, ...(value !== undefined && { value }), help }];
  }),
  { name: 'help', help: 'shows this text' },
];

const line = ({ help, name, value }: Option): string =>
  `  --${name}${value === undefined ? '' : ` <${value}>`}\n      ${help}`;

const nameOf = ({ name, takes }: Command): string =>
  takes === undefined ? name : `${name} ${takes}`;

export function help(): string {
  const width = Math.max(...COMMANDS.map((command) => nameOf(command).length));
  return `Usage: holdfast <command> [options]

What operators do with Holdfast: they look at runs, decide what waits for a person, and say what becomes of messages
whose outcome is unknown.

Commands:
${COMMANDS.map((command) => `  ${nameOf(command).padEnd(width)}  ${command.summary}`).join('\n')}

Commands on the rows themselves, which the environment names as it does for the functions:
${MAINTENANCE_HELP}
Options:
${GLOBAL.map(line).join('\n')}

\`holdfast <command> --help\` shows the options of a command.
Exit codes: 0 done, 1 refused or failed, 2 not understood, 3 not reached or not known.
`;
}

export function commandHelp(command: Command): string {
  const { options = [], summary } = command;
  return `Usage: holdfast ${nameOf(command)} [options]

${summary.slice(0, 1).toUpperCase()}${summary.slice(1)}.

Options:
${[...options, ...GLOBAL].map(line).join('\n')}
`;
}
