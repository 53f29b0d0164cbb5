declare const brand: unique symbol;

/**
 * A primitive that can't be mixed up with another of the same primitive type; made only by its own
 * constructor.
 */
export type Brand<T, Name extends string> = T & { readonly [brand]: Name };

/** Milliseconds since the epoch, or a span of them. */
export type Millis = number;
