import { setTimeout as wait } from 'node:timers/promises';
import { MAINTENANCE } from '../operate/maintenance.ts';
import { cli } from './cli.ts';
import { askAtTerminal } from './confirm.ts';

const ending = new AbortController();
process.once('SIGINT', () => ending.abort());

const args = process.argv.slice(2);
const [name = ''] = args;

process.exitCode = MAINTENANCE.includes(name)
  ? await (await import('../operate/operate.ts')).operateCommand(args)
  : await cli(args, {
      environment: process.env,
      request: (url, init) => fetch(url, { ...init, signal: ending.signal }),
      screen: process.stdout.isTTY,
      ask: askAtTerminal(ending.signal),
      now: () => Date.now(),
      pause: (milliseconds) =>
        wait(milliseconds, undefined, { signal: ending.signal }).catch(() => undefined),
      ended: () => ending.signal.aborted,
      out: (text) => void process.stdout.write(text),
      error: (text) => void process.stderr.write(text),
    });
