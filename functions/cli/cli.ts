import { parseArgs } from 'node:util';
import { accessFrom } from './access.ts';
import { CliError, EXIT, usage, wordsOf } from './cli-error.ts';
import { OperatorApi, type Request } from './client.ts';
import type { Command, Found, Option } from './command.ts';
import { type Ask, confirm, sameCommand } from './confirm.ts';
import { COMMANDS } from './commands.ts';
import { commandHelp, GLOBAL, help } from './help.ts';
import { jsonLine, plain } from './table.ts';

/** The world as the command line sees it. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly request: Request;
  /** It can be redrawn. */
  readonly screen: boolean;
  /** Undefined where no person can be asked. */
  readonly ask: Ask | undefined;
  now(): number;
  /** Resolves after that span, or when the command is to end. */
  pause(milliseconds: number): Promise<void>;
  /** True once the command is to end. */
  ended(): boolean;
  out(text: string): void;
  error(text: string): void;
}

const REDRAW = '\u001b[H\u001b[2J\u001b[3J';
const INTERVAL = 2;

type Values = Readonly<Record<string, string | boolean | undefined>>;

/** One command, and the exit code it ends with. */
export async function cli(args: readonly string[], terminal: Terminal): Promise<number> {
  try {
    await run(args, terminal);
    return 0;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    terminal.error(wordsOf(error));
    return error.exit;
  }
}

async function run(args: readonly string[], terminal: Terminal): Promise<void> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const about = COMMANDS.find((each) => each.name === rest[0]);
    return terminal.out(about === undefined ? help() : commandHelp(about));
  }
  const command = COMMANDS.find((each) => each.name === name);
  if (command === undefined) throw usage(`${name} is no command; \`holdfast --help\` lists them`);
  const { positionals, values } = parsed(command, rest);
  if (values['help'] === true) return terminal.out(commandHelp(command));
  const most = command.takes?.match(/<[^>]+>/g)?.length ?? 0;
  if (positionals.length > most)
    throw usage(`${positionals[most] ?? ''} is one argument too many; see holdfast ${name} --help`);
  const client = new OperatorApi(accessFrom(values, terminal.environment), terminal.request);
  const once = () =>
    command.run({
      client,
      args: positionals,
      options: values,
      now: terminal.now(),
      json: values['json'] === true,
      show: (text) => terminal.out(`${text}\n`),
      confirm: (about, ...more) =>
        confirm({
          ...about,
          yes: values['yes'] === true,
          ask: terminal.ask,
          paste: sameCommand(args, ...(more.length > 0 ? more : ['--yes'])),
        }),
    });
  const print = (found: Found): void => {
    if (values['json'] !== true) terminal.out(`${found.text}\n`);
    else if (found.data !== undefined) terminal.out(`${jsonLine(found.data)}\n`);
  };
  if (values['watch'] !== true) return print(await once());
  if (command.watchable !== true) throw usage(`${name} changes something; it can't be watched`);
  await watch(once, print, intervalOf(values), values['json'] === true, terminal);
}

function parsed(command: Command, args: readonly string[]) {
  const options: Record<string, { type: 'string' | 'boolean' }> = {};
  for (const { name, value } of [...GLOBAL, ...(command.options ?? [])] satisfies Option[])
    options[name] = { type: value === undefined ? 'boolean' : 'string' };
  try {
    const { positionals, values } = parseArgs({ args: [...args], options, allowPositionals: true });
    return { positionals, values: values as Values };
  } catch (error) {
    const words = error instanceof Error ? error.message : String(error);
    throw usage(`${words} (see holdfast ${command.name} --help)`);
  }
}

function intervalOf({ interval }: Values): number {
  const seconds = interval === undefined ? INTERVAL : Number(interval);
  if (Number.isFinite(seconds) && seconds >= 0.1) return seconds * 1_000;
  throw usage(`--interval is ${JSON.stringify(interval)}; it must be seconds, 0.1 or more`);
}

/** Repeats until it is ended. What fails once may succeed the next time. */
async function watch(
  once: () => Promise<Found>,
  print: (found: Found) => void,
  interval: number,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  for (let first = true; !terminal.ended(); first = false) {
    try {
      const found = await once();
      if (!json) terminal.out(terminal.screen ? REDRAW : first ? '' : '\n');
      print(found);
    } catch (error) {
      if (terminal.ended()) return;
      if (!(error instanceof CliError) || first || error.exit === EXIT.usage) throw error;
      terminal.error(`holdfast: ${plain(error.message)}\n`);
    }
    await terminal.pause(interval);
  }
}
