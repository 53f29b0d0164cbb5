import { setTimeout as wait } from 'node:timers/promises';
import { PROGRAMS } from './programs.ts';

/** A terminal that does not say how wide it is has what all have. */
const columnsOf = ({ columns, isTTY }: NodeJS.WriteStream): number | undefined =>
  isTTY ? columns || 80 : undefined;

const args = process.argv.slice(2);
const [name = '', ...rest] = args;
const program = PROGRAMS.find((each) => each.name === name);

if (program !== undefined) process.exitCode = await (await program.load())(rest);
// Its help measures words by the columns that they take: a server waits for no such tables.
else if ((await import('../operate/maintenance.ts')).MAINTENANCE.includes(name))
  process.exitCode = await (await import('../operate/operate.ts')).operateCommand(args);
else process.exitCode = await askTheApi();

async function askTheApi(): Promise<number> {
  const [{ cli }, { askAtTerminal }] = await Promise.all([
    import('./cli.ts'),
    import('./confirm.ts'),
  ]);
  const ending = new AbortController();
  process.once('SIGINT', () => ending.abort());
  const exit = await cli(args, {
    environment: process.env,
    request: (url, init) => {
      const signals = [ending.signal, init.signal].filter((each) => each instanceof AbortSignal);
      return fetch(url, { ...init, signal: AbortSignal.any(signals) });
    },
    columns: (stream) => columnsOf(stream === 'out' ? process.stdout : process.stderr),
    ask: askAtTerminal(ending.signal),
    now: () => Date.now(),
    pause: (milliseconds) =>
      wait(milliseconds, undefined, { signal: ending.signal }).catch(() => undefined),
    ended: () => ending.signal.aborted,
    out: (text) => void process.stdout.write(text),
    error: (text) => void process.stderr.write(text),
  });
  // What is still waited for, or asked, matters to no one any more.
  ending.abort();
  return exit;
}
