import { useNow } from './clock.ts';
import { agoWords, spanWords } from './words.ts';

/** How long ago, with the instant for the pointer. */
export function Ago({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={at}>
      {agoWords(useNow() - Date.parse(at))}
    </time>
  );
}

/** How long since then, still counting. */
export function Since({ at }: { readonly at: string }) {
  return (
    <time dateTime={at} title={`since ${at}`}>
      {spanWords(wholeSeconds(useNow() - Date.parse(at)))}
    </time>
  );
}

/** How long until then. */
export function Until({ at }: { readonly at: string }) {
  const left = Date.parse(at) - useNow();
  return (
    <time dateTime={at} title={`until ${at}`}>
      {left <= 0 ? 'over' : `${spanWords(wholeSeconds(left))} left`}
    </time>
  );
}

/** The instant itself, in the reader's own time zone. */
export function At({ at }: { readonly at: string }) {
  const date = new Date(at);
  const day = date.toLocaleDateString('sv');
  const time = date.toLocaleTimeString('sv');
  return (
    <time class="mono" dateTime={at} title={at}>
      {`${day} ${time}`}
    </time>
  );
}

const wholeSeconds = (milliseconds: number): number =>
  Math.max(1_000, Math.floor(milliseconds / 1_000) * 1_000);
