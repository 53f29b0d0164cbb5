/** What could not be taken over, in words for the operator. */
const PROBLEMS = {
  'metadata-missing': 'it has a workspace.tar.gz, and no metadata.tar.gz',
  'metadata-too-large': 'its metadata.tar.gz is larger than any that the layout writes',
  'metadata-not-gzip': 'its metadata.tar.gz is not gzipped, or is damaged',
  'metadata-not-json': 'its metadata.tar.gz holds no JSON object',
  'metadata-without-state': 'its metadata.tar.gz does not say in which state the task is',
  'workspace-refused': 'its workspace.tar.gz was not taken over',
  'workspace-not-kept':
    'its workspace.tar.gz was not taken over: what its agent keeps is sealed, redacted or not archived',
  'not-kept': 'what its agent answers may not be kept here',
  'not-stored': 'it could not be stored',
} as const;

export interface ImportProblem {
  readonly kind: 'problem';
  /** As the old layout names it. */
  readonly task: string;
  readonly problem: keyof typeof PROBLEMS;
  readonly why: string;
}

export function importProblem(
  task: string,
  name: ImportProblem['problem'],
  detail?: string,
): ImportProblem {
  const why = detail === undefined ? PROBLEMS[name] : `${PROBLEMS[name]} (${detail})`;
  return { kind: 'problem', task, problem: name, why };
}
