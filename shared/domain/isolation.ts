/** Where the code of an agent runs: in the process that serves it, or in one of its own. */
export const ISOLATIONS = ['none', 'process'] as const;
export type Isolation = (typeof ISOLATIONS)[number];
