import type { z } from 'zod';
import type { runRow, use } from '../../shared/operator/run-schemas.ts';
import { type Cell } from './screen/view.ts';
import { moneyOf, spanOf } from './table.ts';

type Row = z.input<typeof runRow>;
type Used = z.input<typeof use> | undefined;

/** What a run is at: its attempt if it is not the first, why, and what its agent says. */
export function triesOf(
  { attempt, lastError, nextTryAt, open, progress = '' }: Row,
  now: number,
): string {
  if (!open) return '';
  const again = attempt !== undefined && attempt.try > 1;
  const when = nextTryAt === undefined || nextTryAt <= now ? '' : ` in ${spanOf(nextTryAt - now)}`;
  const which = again ? `attempt ${attempt.number} of ${attempt.of}${when}` : '';
  const why = again && lastError !== undefined ? errorLine(lastError) : '';
  return [which, why, progress].filter((each) => each !== '').join('; ');
}

/** Class, status and first words of an error, in one line. */
export function errorLine({
  fault,
  status,
  tool,
  where,
  words = '',
}: NonNullable<Row['lastError']>): string {
  const [line = ''] = words.split('\n', 1);
  const first = line.startsWith(`${fault}: `) ? line.slice(fault.length + 2) : line;
  const at = tool === undefined ? where : `${where} ${tool}`;
  return `${fault}${status === undefined ? '' : ` ${status}`} (${at})${first === '' ? '' : ` ${first}`}`;
}

/** What models cost; a plus says that the price of a turn is not known. */
export function costOf(used: Used): string {
  if (used === undefined || used.turns === 0) return '';
  const tokens = used.input + used.output;
  if (used.unpriced === used.turns) return tokens === 0 ? '' : `${tokens} tokens`;
  return `${moneyOf(used.cost)}${used.unpriced > 0 ? '+' : ''}`;
}

export function tokensOf(used: Used): string | undefined {
  if (used === undefined) return undefined;
  const { cached, input, output, reasoning } = used;
  return `input ${input} (cached ${cached}), output ${output} (reasoning ${reasoning})`;
}

/** The attempt in full, with the moment of the next. */
export function attemptOf({ attempt, nextTryAt }: Row): readonly Cell[] | undefined {
  if (attempt === undefined) return undefined;
  const others = attempt.try - attempt.number;
  const more = others === 0 ? '' : `, and ${others} that did not count`;
  const words = `${attempt.number} of ${attempt.of}${more}`;
  return nextTryAt === undefined
    ? [words]
    : [`${words}; tried next at `, { at: nextTryAt, iso: true }];
}
