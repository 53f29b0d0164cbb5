import type { Json } from '../../../shared/agent/index.ts';

/** One server-sent event (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export function frame(data: Json, event?: string): string {
  const name = event === undefined ? '' : `event: ${event}\n`;
  return `${name}data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

/** A text as a model writes it: in up to three pieces, none of them empty. */
export function pieces(text: string): readonly string[] {
  const letters = Array.from(text);
  const size = Math.max(1, Math.ceil(letters.length / 3));
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, at) =>
    letters.slice(at * size, (at + 1) * size).join(''),
  );
}
