import { setTimeout as wait } from 'node:timers/promises';
import { MAINTENANCE } from '../operate/maintenance.ts';
import { cli } from './cli.ts';
import { askAtTerminal } from './confirm.ts';

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());

/** A terminal that does not say how wide it is has what all have. */
const columnsOf = ({ columns, isTTY }: NodeJS.WriteStream): number | undefined =>
  isTTY ? columns || 80 : undefined;

const args = process.argv.slice(2);
const [name = ''] = args;

process.exitCode = MAINTENANCE.includes(name)
  ? await (await import('../operate/operate.ts')).operateCommand(args)
  : await cli(args, {
      environment: process.env,
      request: (url, init) => fetch(url, { ...init, signal: ending.signal }),
      columns: (stream) => columnsOf(stream === 'out' ? process.stdout : process.stderr),
      ask: askAtTerminal(ending.signal),
      now: () => Date.now(),
      pause: (milliseconds) =>
        wait(milliseconds, undefined, { signal: ending.signal }).catch(() => undefined),
      ended: () => ending.signal.aborted,
      out: (text) => void process.stdout.write(text),
      error: (text) => void process.stderr.write(text),
    });
