import { z } from 'zod';

/**
 * Milliseconds inside, an instant in UTC on the wire: the one schema serves both the server and its
 * clients.
 */
export const instant = z.codec(z.number(), z.iso.datetime(), {
  decode: (milliseconds) => new Date(milliseconds).toISOString(),
  encode: (text) => Date.parse(text),
});

/** An instant that a client gives, as milliseconds. */
export const givenInstant = z.iso
  .datetime({ offset: true, error: 'must be an instant such as 2026-01-31T12:00:00Z' })
  .transform((text) => Date.parse(text));

export const span = z.number().int().meta({ description: 'milliseconds' });
