/** Why a task was not taken over, in words for the operator; none holds content. */
const PROBLEMS = {
  'bad-id': 'this is no id of a task',
  'bad-pointer': 'its contextId.txt holds no context id',
  'no-copy': 'its contextId.txt leads to no task.json',
  sealed: 'its copy is sealed, and the key was in the database',
  'not-a-task': 'its copy is no A2A Task',
  'other-task': 'its copy is of another task or context',
  'no-owner':
    'its object does not say whose it is: name the agent with --agent (and --tenant, --owner)',
  'not-kept': 'what its agent answers may not be kept here any more',
  'not-stored': 'it could not be stored',
} as const;

export type ProblemKind = keyof typeof PROBLEMS;

export interface Problem {
  readonly kind: 'problem';
  /** As its object is named. */
  readonly task: string;
  readonly problem: ProblemKind;
  readonly why: string;
}

export function problem(task: string, kind: ProblemKind, detail?: string): Problem {
  const why = PROBLEMS[kind];
  return {
    kind: 'problem',
    task,
    problem: kind,
    why: detail === undefined ? why : `${why} (${detail})`,
  };
}
