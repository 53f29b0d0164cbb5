import type { LogLevel } from '../ports/log.ts';

const LEVELS: readonly LogLevel[] = ['debug', 'info', 'warning', 'error'];

/** Whether a line of that level is written where `least` is the least severe that is. */
export const isWritten = (level: LogLevel, least: LogLevel): boolean =>
  LEVELS.indexOf(level) >= LEVELS.indexOf(least);
