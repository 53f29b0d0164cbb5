/** The deployed functions. Each is one service with an identity of its own. */
export const FUNCTIONS = [
  'a2a',
  'worker',
  'projector',
  'coordinator',
  'push',
  'operator',
  'sweeper',
] as const;
export type FunctionName = (typeof FUNCTIONS)[number];

/**
 * What is packed: the functions, and `grpc`, which is the edge of `a2a` for callers of gRPC. It
 * reads the variables of `a2a` and has its rights; Cloud Run serves it beside the functions where a
 * deployment wants it (docs/grpc.md).
 */
export const SERVICES = [...FUNCTIONS, 'grpc'] as const;
export type ServiceName = (typeof SERVICES)[number];

/** Those that one account of ours calls. */
export const CALLED: readonly FunctionName[] = [
  'worker',
  'projector',
  'coordinator',
  'push',
  'sweeper',
];
/** And those whose callers are people and agents. */
export const ASKING: readonly FunctionName[] = ['a2a', ...CALLED, 'operator'];
/** Those that run agents: after an approval that is carried out at once, the operator does. */
export const WORKING: readonly FunctionName[] = ['worker', 'operator'];
/** Those with code of agents: their runs, and replies to what needs no task. */
export const RUNNING: readonly FunctionName[] = ['a2a', ...WORKING];
/** Those that send to remote agents, and those that carry out what an operator decided. */
export const WAITING: readonly FunctionName[] = ['worker', 'coordinator', 'operator'];
/** Those that look for what operators are to be told, tell it, and show how far that is. */
export const TELLING: readonly FunctionName[] = ['push', 'operator', 'sweeper'];
