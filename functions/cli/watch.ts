import { CliError, EXIT, usage } from './cli-error.ts';
import type { Found } from './command.ts';
import { plain, spanOf, timeOf } from './table.ts';
import type { Terminal } from './terminal.ts';

const REDRAW = '\u001b[H\u001b[2J\u001b[3J';
const INTERVAL = 2;

export interface WatchOptions {
  readonly name: string;
  readonly json: boolean;
  /** In seconds, as it was given. */
  readonly interval: string | boolean | undefined;
}

/** What was found last, and when that was. */
interface Last {
  readonly text: string;
  readonly at: number;
}

/**
 * Shows what a command finds again and again, until it is ended. While the server is away it says
 * so, and of what time the words below it are. What fails at the first look ends it.
 */
export async function watch(
  terminal: Terminal,
  once: () => Promise<Found>,
  textOf: (found: Found) => string,
  { interval, json, name }: WatchOptions,
): Promise<void> {
  const pause = intervalOf(interval);
  const redraws = terminal.columns('out') !== undefined && !json;
  let last: Last | undefined;
  while (!terminal.ended()) {
    const at = terminal.now();
    try {
      const text = textOf(await once());
      if (redraws) terminal.out(`${REDRAW}holdfast ${name}, as of ${timeOf(at)}\n\n`);
      else if (!json && last !== undefined) terminal.out('\n');
      terminal.out(text);
      last = { text, at };
    } catch (error) {
      if (terminal.ended()) return;
      if (!(error instanceof CliError) || last === undefined || error.exit === EXIT.usage)
        throw error;
      const away = `${plain(error.message)}\nholdfast: the newest look is of ${timeOf(last.at)}, ${spanOf(at - last.at)} ago`;
      if (redraws) terminal.out(`${REDRAW}holdfast: ${away}\n\n${last.text}`);
      else terminal.error(`holdfast: ${away}\n`);
    }
    await terminal.pause(pause);
  }
}

function intervalOf(given: WatchOptions['interval']): number {
  const seconds = given === undefined ? INTERVAL : Number(given);
  if (Number.isFinite(seconds) && seconds >= 0.1) return seconds * 1_000;
  throw usage(`--interval is ${JSON.stringify(given)}; it must be seconds, 0.1 or more`);
}
