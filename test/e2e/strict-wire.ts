import { z } from 'zod';

// What the kit for A2A 1.0 checks: no field beyond the proto, and required fields that are there
// (section 5.7).

const metadata = z.record(z.string(), z.unknown()).optional();
const extensions = z.array(z.string()).min(1).optional();

const part = z
  .strictObject({
    text: z.string().optional(),
    raw: z.base64().optional(),
    url: z.string().optional(),
    data: z.unknown().optional(),
    metadata,
    filename: z.string().optional(),
    mediaType: z.string().optional(),
  })
  .refine(
    (value) =>
      ['text', 'raw', 'url', 'data'].filter((name) => Object.hasOwn(value, name)).length === 1,
    'exactly one content',
  );
const parts = z.array(part).min(1);

const message = z.strictObject({
  messageId: z.string().min(1),
  contextId: z.string().optional(),
  taskId: z.string().optional(),
  role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
  parts,
  metadata,
  extensions,
  referenceTaskIds: z.array(z.string()).min(1).optional(),
});

const artifact = z.strictObject({
  artifactId: z.string().min(1),
  name: z.string().optional(),
  description: z.string().optional(),
  parts,
  metadata,
  extensions,
});

const status = z.strictObject({
  state: z.string().regex(/^TASK_STATE_(?!UNSPECIFIED)[A-Z_]+$/),
  message: message.optional(),
  timestamp: z.iso.datetime({ precision: 3 }),
});

export const task = z.strictObject({
  id: z.string().min(1),
  contextId: z.string().min(1),
  status,
  artifacts: z.array(artifact).min(1).optional(),
  history: z.array(message).min(1).optional(),
  metadata,
});

const ofTask = { taskId: z.string().min(1), contextId: z.string().min(1), metadata };

/** SendMessageResponse is the first two of these. */
export const streamResponse = z.union([
  z.strictObject({ task }),
  z.strictObject({ message }),
  z.strictObject({ statusUpdate: z.strictObject({ ...ofTask, status }) }),
  z.strictObject({
    artifactUpdate: z.strictObject({
      ...ofTask,
      artifact,
      append: z.boolean().optional(),
      lastChunk: z.boolean().optional(),
    }),
  }),
]);

export const taskPage = z.strictObject({
  tasks: z.array(task),
  nextPageToken: z.string(),
  pageSize: z.number().int(),
  totalSize: z.number().int(),
});

export const rpcError = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number(), z.null()]),
  error: z.strictObject({
    code: z.number().int().min(-32_768).max(-32_000),
    message: z.string().min(1),
    data: z.array(z.looseObject({ '@type': z.string() })).min(1),
  }),
});

export const restError = z.strictObject({
  error: z.strictObject({
    code: z.number().int().min(400).max(599),
    status: z.string().regex(/^[A-Z_]+$/),
    message: z.string().min(1),
    details: z.array(z.looseObject({ '@type': z.string() })).min(1),
  }),
});

const modes = z.array(z.string().min(1)).min(1);

export const agentCard = z.strictObject({
  name: z.string().min(1),
  description: z.string().min(1),
  supportedInterfaces: z
    .array(
      z.union([
        z.strictObject({
          url: z.url(),
          protocolBinding: z.enum(['JSONRPC', 'HTTP+JSON']),
          protocolVersion: z.string(),
        }),
        z.strictObject({
          // As gRPC's clients take it.
          url: z.string().regex(/^[^:/]+:\d+$/),
          protocolBinding: z.literal('GRPC'),
          protocolVersion: z.literal('1.0'),
          tenant: z.string().optional(),
        }),
      ]),
    )
    .min(1),
  version: z.string().min(1),
  capabilities: z.strictObject({
    streaming: z.boolean(),
    pushNotifications: z.boolean(),
    extendedAgentCard: z.boolean(),
    extensions: z
      .array(z.strictObject({ uri: z.url(), description: z.string().min(1) }))
      .optional(),
  }),
  defaultInputModes: modes,
  defaultOutputModes: modes,
  skills: z
    .array(
      z.strictObject({
        id: z.string().min(1),
        name: z.string().min(1),
        description: z.string().min(1),
        tags: z.array(z.string()).min(1),
      }),
    )
    .min(1),
});
