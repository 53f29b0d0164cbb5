import { styleText } from 'node:util';
import type { Look, Words } from './view.ts';

const STYLES = {
  good: 'green',
  bad: 'red',
  waits: 'yellow',
  busy: 'cyan',
  dim: 'dim',
  strong: 'bold',
} as const satisfies Record<Look, Parameters<typeof styleText>[0]>;

/** Text that holds no control characters, in colours. */
export const coloured = (text: string, look: Look): string =>
  styleText(STYLES[look], text, { validateStream: false });

export const COLOURS = ['auto', 'always', 'never'] as const;
export type Colour = (typeof COLOURS)[number];

/**
 * What was asked for; else what the environment says (no-color.org, force-color.org); else colours
 * where there is a terminal that has them.
 */
export function wantsColour(
  asked: Colour,
  environment: Readonly<Record<string, string | undefined>>,
  terminal: boolean,
): boolean {
  if (asked !== 'auto') return asked === 'always';
  const { FORCE_COLOR: force = '', NO_COLOR: no = '', TERM: term } = environment;
  if (no !== '') return false;
  if (force !== '') return force !== '0' && force !== 'false';
  return terminal && term !== 'dumb';
}

const STATUS_LOOKS: Readonly<Record<string, Look>> = {
  completed: 'good',
  failed: 'bad',
  cancelled: 'dim',
  rejected: 'dim',
  queued: 'busy',
  running: 'busy',
};

/** A status of a run, in its colour: one that waits, or that is not known, is looked at. */
export function status(text: string): Words {
  const look = STATUS_LOOKS[text] ?? (text.startsWith('waiting') ? 'waits' : undefined);
  return look === undefined ? { text } : { text, look };
}
