/** Of a write that meets other writers; each round that fails means that another has succeeded. */
export const ROUNDS = 16;
