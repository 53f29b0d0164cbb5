import { parseArgs } from 'node:util';
import { PROGRAMS } from './programs.ts';
import { MAINTENANCE } from '../operate/maintenance.ts';
import { version } from '../version.ts';
import { accessFrom } from './access.ts';
import { CliError, usage, wordsOf } from './cli-error.ts';
import { OperatorApi } from './client.ts';
import type { Command, Found, Shown } from './command.ts';
import { complete } from './complete.ts';
import { COMMANDS } from './commands.ts';
import { confirm, sameCommand } from './confirm.ts';
import { commandHelp, help, optionsOf } from './help.ts';
import { nearest } from './nearest.ts';
import { type Choice, chosen, indexOf } from './screen/choose.ts';
import { COLOURS, wantsColour } from './screen/looks.ts';
import { rendered, type Screen } from './screen/render.ts';
import { wholeNames } from './short-names.ts';
import { jsonLine } from './table.ts';
import type { Terminal } from './terminal.ts';
import { watch } from './watch.ts';

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** One command, and the exit code it ends with. */
export async function cli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    return (await run(args, terminal)) ?? 0;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    terminal.error(wordsOf(error, terminal.columns('error')));
    return error.exit;
  }
}

async function run(args: readonly string[], terminal: Terminal): Promise<number | undefined> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    return said(terminal, await helpOn(rest[0]));
  }
  if (name === '--version' || name === '-v') return said(terminal, `holdfast ${version()}\n`);
  if (name === '__complete') return said(terminal, await complete(rest, terminal));
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) throw noCommand(name);
  const { positionals, values } = parsed(command, rest);
  if (values['help'] === true) return said(terminal, commandHelp(command));
  requireFew(command, positionals);
  requireColumns(command, values);
  const screenOn = screens(terminal, values);
  const json = values['json'] === true;
  const client = new OperatorApi(() => accessFrom(values, terminal.environment), terminal.request);
  const names = await wholeNames({ client }, command.takes, positionals);
  const once = () =>
    command.run({
      client,
      args: names,
      terminal,
      environment: terminal.environment,
      ask:
        terminal.ask &&
        ((shown, question) =>
          terminal.ask?.(`${written(shown, screenOn('error'))}\n${question}`) ??
          Promise.resolve('')),
      options: values,
      now: terminal.now(),
      json,
      show: (shown) => terminal.out(`${written(shown, screenOn('out'))}\n`),
      confirm: ({ shown, ...about }, ...more) =>
        confirm({
          ...about,
          shown: written(shown, screenOn('error')),
          yes: values['yes'] === true,
          ask: terminal.ask,
          paste: sameCommand(args, ...(more.length > 0 ? more : ['--yes'])),
        }),
    });
  const textOf = ({ data, text }: Found): string => {
    if (json) return data === undefined ? '' : `${jsonLine(data)}\n`;
    return `${written(typeof text === 'string' ? text : chosen(text, choiceOf(command, values)), screenOn('out'))}\n`;
  };
  if (values['watch'] !== true) {
    const found = await once();
    terminal.out(textOf(found));
    return found.exit;
  }
  await watch(terminal, once, textOf, { json, interval: values['interval'], name });
  return undefined;
}

async function helpOn(name: string | undefined): Promise<string> {
  if (name === undefined || name.startsWith('-')) return help();
  const command = COMMANDS.find((each) => each.name === name);
  if (command !== undefined) return commandHelp(command);
  const program = PROGRAMS.find((each) => each.name === name);
  if (program !== undefined) return program.help();
  if (!MAINTENANCE.includes(name)) throw noCommand(name);
  return (await import('../operate/operate.ts')).maintenanceHelp(name);
}

function said(terminal: Terminal, text: string): undefined {
  terminal.out(text);
}

function noCommand(name: string): CliError {
  const near = nearest(name, [
    ...[...COMMANDS, ...PROGRAMS].map((each) => each.name),
    ...MAINTENANCE,
  ]);
  const meant = near === undefined ? '' : `; did you mean ${near}?`;
  return usage(
    `${name} is no command${meant === '' ? ';' : `${meant}`} \`holdfast --help\` lists them`,
  );
}

function requireFew({ name, takes }: Command, positionals: readonly string[]): void {
  const most = takes?.match(/<[^>]+>/g)?.length ?? 0;
  if (positionals.length > most)
    throw usage(`${positionals[most] ?? ''} is one argument too many; see holdfast ${name} --help`);
}

/** What is wrong with them is said before anything is asked of the server. */
function requireColumns({ columns }: Command, values: Values): void {
  if (columns === undefined) return;
  const { columns: wanted } = values;
  if (typeof wanted !== 'string') return;
  for (const name of wanted.split(',')) indexOf('columns', columns, name.trim());
}

/** A list that the server sorts is left in its order. */
function choiceOf({ options = [] }: Command, { columns, order, sort }: Values): Choice {
  const here = !options.some(({ name }) => name === 'sort');
  return {
    ...(typeof columns === 'string' && { columns }),
    ...(here && typeof order === 'string' && { order }),
    ...(here && typeof sort === 'string' && { sort }),
  };
}

const written = (shown: Shown, screen: Screen): string =>
  typeof shown === 'string' ? shown : rendered(shown, screen);

/** What a view is shown on, as wide as it is at that moment. */
function screens(terminal: Terminal, values: Values): (stream: 'out' | 'error') => Screen {
  const { color = 'auto' } = values;
  const asked = COLOURS.find((each) => each === color);
  if (asked === undefined)
    throw usage(`--color is ${JSON.stringify(color)}; it must be one of ${COLOURS.join(', ')}`);
  return (stream) => {
    const width = terminal.columns(stream);
    return {
      width,
      colour: wantsColour(asked, terminal.environment, width !== undefined),
      exact: values['exact'] === true,
      now: terminal.now(),
    };
  };
}

function parsed(command: Command, args: readonly string[]) {
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  const known = optionsOf(command);
  for (const { name, value } of known)
    options[name] = { type: value === undefined ? 'boolean' : 'string' };
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { positionals, values: values as Values };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    const [, given = ''] = /^Unknown option '--([^']*)'/.exec(words) ?? [];
    const near = nearest(
      given,
      known.map(({ name }) => name),
    );
    if (given === 'watch') throw usage(`${command.name} is no view; it can't be watched`);
    if (near !== undefined)
      throw usage(`--${given} is no option of ${command.name}; did you mean --${near}?`);
    throw usage(
      `${given === '' ? words : `--${given} is no option of ${command.name}`} (see holdfast ${command.name} --help)`,
    );
  }
}
