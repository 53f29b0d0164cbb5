import type { z } from 'zod';

const WORDS = 1_000;

/** In words, for the model or the person who has to correct it. */
export function issuesOf(error: z.ZodError): string {
  const said = error.issues.slice(0, 5).map(({ message, path }) => {
    const place = path.map(String).join('.');
    return place === '' ? message : `${place}: ${message}`;
  });
  return said.join('; ').slice(0, WORDS);
}
