import type { Clock } from '../ports/clock.ts';
import { type Log, type LogFields, type LogLevel, Thrown } from '../ports/log.ts';
import { errorWords } from '../domain/error-words.ts';
import { isWritten } from './log-levels.ts';

export interface PrettyLogOptions {
  readonly stream: { write(text: string): unknown };
  readonly clock: Pick<Clock, 'now'>;
  readonly level: LogLevel;
  /** The stream shows colours. */
  readonly colour: boolean;
}

const COLOUR = { debug: 2, info: 36, warning: 33, error: 31 } as const satisfies Record<
  LogLevel,
  number
>;

/** Lines for a person, with the words and the stack of what was thrown. For one machine alone. */
export function prettyLog({ clock, colour, level, stream }: PrettyLogOptions): Log {
  const paint = (code: number, text: string): string =>
    colour ? `\u001b[${code}m${text}\u001b[0m` : text;
  return {
    write(at, event, fields = {}) {
      if (!isWritten(at, level)) return;
      const time = new Date(clock.now()).toISOString().slice(11, 19);
      const head = `${paint(2, time)} ${paint(COLOUR[at], `${at.padEnd(7)} ${event}`)}`;
      stream.write(`${head}${paint(2, shown(fields))}\n${wordsIn(fields)}`);
    },
  };
}

function shown(fields: LogFields): string {
  return Object.entries(fields)
    .flatMap(([name, value]) =>
      value === undefined || value === null || value instanceof Thrown
        ? []
        : [`  ${name}=${String(value)}`],
    )
    .join('');
}

function wordsIn(fields: LogFields): string {
  return Object.values(fields)
    .filter((value) => value instanceof Thrown)
    .map(({ error }) => `${errorWords(error).replaceAll(/^/gm, '    ')}\n`)
    .join('');
}
