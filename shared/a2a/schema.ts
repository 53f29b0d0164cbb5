import { z } from 'zod';
import type { Json } from '../domain/json.ts';
import type { Violation } from './failure.ts';
import { INT32_MAX, int, message, metadata, strings } from './protojson.ts';
import { instantOf } from './timestamp.ts';

// Only the shape of fields on the wire. Whether what they refer to exists is for the application to
// judge.

const MESSAGE_ID_RULE = 'must be 1 to 256 characters without control characters';
// A lone surrogate has no UTF-8 form, so it could not be stored as sent.
const MESSAGE_ID = /^[^\p{Cc}\p{Cs}]{1,256}$/u;

/**
 * The shape of an id is the application's rule; here only its size is sane. Empty means unset, as
 * in proto3.
 */
const id = z.string().max(1_024);
const requiredId = id.min(1, 'is required');

export type ClientPart = z.output<typeof part>;

const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;
function isBase64(text: string): boolean {
  return BASE64.test(text) && text.replace(/=+$/, '').length % 4 !== 1;
}

const part = message({
  text: z.string().optional(),
  raw: z.string().refine(isBase64, 'must be base64').optional(),
  url: z.string().min(1).max(8_192).optional(),
  data: z.custom<Json>(() => true).optional(),
  metadata: metadata.optional(),
  filename: z.string().max(1_024).optional(),
  mediaType: z.string().max(256).optional(),
}).superRefine(({ text, raw, url, data }, context) => {
  const contents = [text, raw, url, data].filter((each) => each !== undefined).length;
  if (contents === 1) return;
  context.addIssue({ code: 'custom', message: 'must hold exactly one of text, raw, url and data' });
});

const userRole = z.preprocess(
  (value) => (value === 1 ? 'ROLE_USER' : value),
  z.literal('ROLE_USER', { error: 'must be ROLE_USER' }),
);

const clientMessage = message({
  messageId: z.string({ error: 'is required' }).regex(MESSAGE_ID, MESSAGE_ID_RULE),
  contextId: id.optional(),
  taskId: id.optional(),
  role: userRole,
  parts: z
    .array(part, { error: 'must be an array of parts' })
    .min(1, 'must hold at least one part'),
  metadata: metadata.optional(),
  extensions: strings.optional(),
  referenceTaskIds: strings.optional(),
});

/** Empty means unset; its rules are the application's. */
const secret = z.string().max(65_536).optional();
const pushConfig = {
  id: id.optional(),
  url: z.string({ error: 'is required' }).min(1, 'is required').max(8_192),
  token: secret,
  authentication: message({
    scheme: z.string({ error: 'is required' }).min(1, 'is required').max(1_024),
    credentials: secret,
  }).optional(),
};

const historyLength = int(0, INT32_MAX).optional();

const configuration = message({
  acceptedOutputModes: strings.optional(),
  // Its task is that of the message.
  taskPushNotificationConfig: message({ ...pushConfig, taskId: id.optional() }).optional(),
  historyLength,
  returnImmediately: z.boolean().optional(),
  // Of the draft of 1.1, and nothing to who does not ask for that (draft.ts).
  ifGenerationMatch: z.unknown().optional(),
});

const tenant = z.string().optional();

/**
 * In the proto's order: an integer is ProtoJSON's other form of an enum (section 5.5). UNSPECIFIED
 * means no filter.
 */
export const STATES = [
  'TASK_STATE_UNSPECIFIED',
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
];
const taskState = z.preprocess(
  (value) => (typeof value === 'number' ? STATES[value] : value),
  z.enum(STATES, { error: `must be one of ${STATES.join(', ')}` }),
);

const sendMessage = message({
  tenant,
  message: clientMessage,
  configuration: configuration.optional(),
  metadata: metadata.optional(),
});
const ofTask = message({ tenant, id: requiredId });
const ofPushConfig = { tenant, taskId: requiredId };

const REQUESTS = {
  SendMessage: sendMessage,
  SendStreamingMessage: sendMessage,
  GetTask: message({
    tenant,
    id: requiredId,
    historyLength,
    currentGeneration: z.unknown().optional(),
  }),
  ListTasks: message({
    tenant,
    contextId: id.optional(),
    status: taskState.optional(),
    pageSize: int(1, 100).optional(),
    pageToken: z.string().max(4_096).optional(),
    historyLength,
    statusTimestampAfter: z
      .string()
      .refine((text) => instantOf(text) !== undefined, 'must be an RFC 3339 timestamp')
      .optional(),
    includeArtifacts: z.boolean().optional(),
  }),
  CancelTask: message({ tenant, id: requiredId, metadata: metadata.optional() }),
  SubscribeToTask: ofTask,
  CreateTaskPushNotificationConfig: message({ ...ofPushConfig, ...pushConfig }),
  // Only v0.3 may leave the id out (its section 7.6).
  GetTaskPushNotificationConfig: message({ ...ofPushConfig, id: id.optional() }),
  ListTaskPushNotificationConfigs: message({
    ...ofPushConfig,
    pageSize: int(0, INT32_MAX).optional(),
    pageToken: z.string().max(4_096).optional(),
  }),
  DeleteTaskPushNotificationConfig: message({ ...ofPushConfig, id: requiredId }),
  // Refused whatever it says (section 3.3.4), so nothing else in it is looked at.
  GetExtendedAgentCard: message({ tenant }),
} as const;

export type Operation = keyof typeof REQUESTS;

/** An operation with its checked request. */
export type Call = {
  readonly [O in Operation]: {
    readonly operation: O;
    readonly request: z.output<(typeof REQUESTS)[O]>;
  };
}[Operation];
export type RequestOf<O extends Operation> = Extract<Call, { operation: O }>['request'];

export function isOperation(name: string): name is Operation {
  return Object.hasOwn(REQUESTS, name);
}

/** The request with its names in camelCase and nothing unknown left; or what is wrong with it. */
export function parseCall(
  operation: Operation,
  value: unknown,
): Call | { readonly violations: readonly Violation[] } {
  const result = REQUESTS[operation].safeParse(value, { error: describe });
  if (result.success) return { operation, request: result.data } as Call;
  return { violations: result.error.issues.slice(0, 20).map(violationOf) };
}

/** zod's own texts speak of input; these continue the sentence that the field's name begins. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.input === undefined) return 'is required';
  return issue.code === 'invalid_type' ? `must be of type ${issue.expected}` : undefined;
}

function violationOf(issue: z.core.$ZodIssue): Violation {
  return { field: fieldOf(issue.path), description: issue.message };
}

function fieldOf(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`));
  return steps.join('').replace(/^\./, '') || 'request';
}
