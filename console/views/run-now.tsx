import { Text } from '../parts/text.tsx';
import { Since, Until } from '../parts/time.tsx';
import type { RunRow } from '../wire.ts';

/** What a run is at: its wait, its next try, what its agent says, or why it failed. */
export function Now({ run }: { readonly run: RunRow }) {
  const { attempt, blocked, lastError, nextTryAt, progress, reason, waitsFor } = run;
  if (blocked !== undefined) return <>what it waited for is gone or changed</>;
  if (waitsFor !== undefined)
    return (
      <>
        {waitsFor.remote !== undefined && `${waitsFor.remote}, `}
        {waitsFor.events !== undefined && `event ${waitsFor.events.join(', ')}, `}for{' '}
        <Since at={waitsFor.since} />
        {waitsFor.until !== undefined && (
          <>
            , <Until at={waitsFor.until} />
          </>
        )}
      </>
    );
  if (reason !== undefined) return <code>{reason}</code>;
  if (nextTryAt !== undefined && attempt !== undefined)
    return (
      <>
        attempt {attempt.number} of {attempt.of}: <Until at={nextTryAt} />
        {lastError !== undefined && ` (${lastError.fault})`}
      </>
    );
  return progress === undefined ? null : <Text>{progress}</Text>;
}

/** In the currency of the prices; nothing where no model was used. */
export function costWords(used: RunRow['used']): string {
  if (used === undefined) return '';
  const { cost, turns, unpriced } = used;
  if (turns > 0 && turns === unpriced) return '?';
  return moneyWords(cost);
}

/** Of millionths, as the prices are. */
export const moneyWords = (cost: number): string =>
  (cost / 1_000_000).toFixed(cost < 10_000 && cost > 0 ? 4 : 2);
