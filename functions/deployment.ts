import { defaults } from '../shared/domain/settings.ts';
import { BadConfiguration, variableOf } from './settings.ts';

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

export interface Variable {
  readonly name: string;
  /** The functions that read it; Terraform sets it for exactly these. */
  readonly readBy: readonly FunctionName[];
  readonly required: boolean;
  readonly description: string;
}

const ALL = FUNCTIONS;
/** Those that ask who calls: for one account of ours, and for an operator. */
const CALLED: readonly FunctionName[] = ['worker', 'projector', 'coordinator', 'sweeper'];
const GUARDED: readonly FunctionName[] = [...CALLED, 'operator'];
/** Those that send to remote agents, and those that carry out what an operator decided. */
export const WAITING: readonly FunctionName[] = ['worker', 'coordinator', 'operator'];

/** What a deployed function reads from its environment. One table: the code, Terraform's check and the docs go by it. */
export const VARIABLES: readonly Variable[] = [
  {
    name: 'GOOGLE_CLOUD_PROJECT',
    readBy: ALL,
    required: true,
    description: 'project of all resources',
  },
  { name: 'HOLDFAST_DATABASE', readBy: ALL, required: true, description: 'Firestore database' },
  {
    name: 'HOLDFAST_BUCKET',
    readBy: ALL,
    required: true,
    description: 'bucket for large content and the archive',
  },
  {
    name: 'HOLDFAST_KMS',
    readBy: ALL,
    required: true,
    description: 'full name of the key that wraps data keys',
  },
  { name: 'HOLDFAST_LOCATION', readBy: ALL, required: true, description: 'location of the queues' },
  {
    name: 'HOLDFAST_QUEUE_PREFIX',
    readBy: ALL,
    required: true,
    description: 'queues are named prefix-class-shard, with the generation behind it',
  },
  {
    name: 'HOLDFAST_QUEUE_SHARDS',
    readBy: ALL,
    required: true,
    description: 'shards of each queue class',
  },
  {
    name: 'HOLDFAST_QUEUE_GENERATION',
    readBy: ALL,
    required: true,
    description: 'generation in the names of the queues',
  },
  {
    name: 'HOLDFAST_WORKER_URL',
    readBy: ALL,
    required: true,
    description: 'where wake-ups of the class runs are delivered',
  },
  {
    name: 'HOLDFAST_PROJECTOR_URL',
    readBy: ALL,
    required: true,
    description: 'where wake-ups of the class projections are delivered',
  },
  {
    name: 'HOLDFAST_COORDINATOR_URL',
    readBy: ALL,
    required: true,
    description: 'where wake-ups of the class polls are delivered',
  },
  {
    name: 'HOLDFAST_INVOKER',
    readBy: ALL,
    required: true,
    description: 'service account whose token a delivery carries',
  },
  {
    name: 'HOLDFAST_AUDIENCE',
    readBy: GUARDED,
    required: true,
    description: "the function's own address, for which a caller's token is made out",
  },
  {
    name: 'HOLDFAST_CALLERS',
    readBy: GUARDED,
    required: true,
    description:
      'who has looked at a caller: iam (Cloud Run), iap (the proxy), or signature (the code does)',
  },
  {
    name: 'HOLDFAST_CALLER',
    readBy: CALLED,
    required: true,
    description: 'the one service account that may call the function',
  },
  {
    name: 'HOLDFAST_LOG',
    readBy: ALL,
    required: false,
    description: 'least severe log line that is written',
  },
  {
    name: 'HOLDFAST_ANSWER_CEILING',
    readBy: ALL,
    required: false,
    description: 'what may be kept of answers at most',
  },
  {
    name: 'HOLDFAST_AUDIT_CEILING',
    readBy: ALL,
    required: false,
    description: 'what may be kept of audit records at most',
  },
  {
    name: 'HOLDFAST_REDACTOR',
    readBy: ALL,
    required: false,
    description: 'patterns, or dlp for Sensitive Data Protection',
  },
  {
    name: 'HOLDFAST_TRACES',
    readBy: ALL,
    required: false,
    description: 'where traces go: off, google or otlp',
  },
  {
    name: 'OTEL_EXPORTER_OTLP_ENDPOINT',
    readBy: ALL,
    required: false,
    description: 'base URL of the collector that takes traces',
  },
  {
    name: 'OTEL_TRACES_SAMPLER',
    readBy: ALL,
    required: false,
    description: 'which traces are recorded',
  },
  {
    name: 'OTEL_TRACES_SAMPLER_ARG',
    readBy: ALL,
    required: false,
    description: 'share of the traces that are recorded, for the ratio samplers',
  },
  {
    name: 'HOLDFAST_OPERATORS',
    readBy: WAITING,
    required: false,
    description: 'who may look at runs, decide, resend and cancel, by address, as JSON',
  },
  {
    name: 'HOLDFAST_IAP_AUDIENCE',
    readBy: ['operator'],
    required: false,
    description: "audience of Identity-Aware Proxy's header, where that stands before the operator",
  },
  {
    name: 'HOLDFAST_GCLOUD_USERS',
    readBy: ['operator'],
    required: false,
    description:
      'true to take the tokens that gcloud prints for a person, which other services can have seen',
  },
  {
    name: 'HOLDFAST_REMOTE_PRIVATE',
    readBy: WAITING,
    required: false,
    description: 'hosts in private networks that remote agents may have, by commas',
  },
  {
    name: 'HOLDFAST_BASE_URL',
    // Where remote agents are told to report to, it goes out with a message to them; agents may find one another by it.
    readBy: ['a2a', ...WAITING],
    required: false,
    description: 'public URL of the A2A function',
  },
  {
    name: 'HOLDFAST_IDEMPOTENCY',
    readBy: ['a2a'],
    required: false,
    description: 'whose retried messages are answered by the same task',
  },
  {
    name: 'HOLDFAST_V03',
    readBy: ['a2a'],
    required: false,
    description: 'also serve clients of A2A v0.3',
  },
  ...Object.keys(defaults).map((name) => ({
    name: variableOf(name as keyof typeof defaults),
    readBy: ALL,
    required: false,
    description: `the setting ${name}`,
  })),
];

/** The values of a function's variables. Throws BadConfiguration that names every one that is missing. */
export function readVariables(
  name: FunctionName,
  environment: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const wanted = VARIABLES.filter((variable) => variable.readBy.includes(name));
  const missing = wanted.filter((variable) => variable.required && !environment[variable.name]);
  if (missing.length > 0) {
    const list = missing.map((variable) => `${variable.name} (${variable.description})`).join(', ');
    throw new BadConfiguration(`the function ${name} needs ${list}`);
  }
  return new Map(
    wanted.flatMap((variable) => {
      const value = environment[variable.name];
      return value === undefined || value === '' ? [] : [[variable.name, value] as const];
    }),
  );
}
