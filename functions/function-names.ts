/** The deployed functions. Each is one service with an identity of its own. */
export const FUNCTIONS = [
  'a2a',
  'worker',
  'projector',
  'coordinator',
  'operator',
  'sweeper',
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

/** Those that ask who calls: for one account of ours, and for an operator. */
export const CALLED: readonly FunctionName[] = ['worker', 'projector', 'coordinator', 'sweeper'];
export const GUARDED: readonly FunctionName[] = [...CALLED, 'operator'];
/** Those that send to remote agents, and those that carry out what an operator decided. */
export const WAITING: readonly FunctionName[] = ['worker', 'coordinator', 'operator'];
