import { z } from 'zod';
import { contextId, taskId } from './ids.ts';
import { isJsonObject, type Json, type JsonObject } from './json.ts';
import type { Artifact, Message, Part } from './message.ts';
import { TASK_STATES } from './status.ts';
import type { Task } from './task.ts';

// The way back from proto-json.ts, for a task that another process may have written. Fields that
// the standard does not know are left out.

// What JSON.parse gave is JSON; taken as it is, `__proto__` stays a name like any other.
const json = z.custom<Json>((value) => value !== undefined);
const object = z.custom<JsonObject>(isJsonObject);
const strings = z.array(z.string());

/**
 * What the schema knows of an object, in the order in which it was written: what is read from it
 * again is the same to the byte.
 */
function inItsOrder<S extends z.ZodType<object, object>>(schema: S) {
  return z.unknown().transform((value, context): Readonly<Record<string, unknown>> => {
    const result = schema.safeParse(value);
    for (const { message: words, path } of result.error?.issues ?? [])
      context.addIssue({ code: 'custom', message: words, path });
    if (!result.success) return z.NEVER;
    const known = new Map(Object.entries(result.data));
    return Object.fromEntries(
      Object.keys(value as object).flatMap((key) =>
        known.has(key) ? [[key, known.get(key)]] : [],
      ),
    );
  });
}

const PART = {
  text: z.string().optional(),
  raw: z.base64().optional(),
  url: z.string().optional(),
  data: json.optional(),
  mediaType: z.string().optional(),
  filename: z.string().optional(),
  metadata: object.optional(),
};
const part = inItsOrder(
  z
    .object(PART)
    .refine(({ data, raw, text, url }) =>
      [data, raw, text, url].some((each) => each !== undefined),
    ),
).transform((fields) => {
  const { raw } = fields;
  const bytes = typeof raw === 'string' && { raw: new Uint8Array(Buffer.from(raw, 'base64')) };
  return { ...fields, ...bytes } as unknown as Part;
});

const message = z
  .object({
    messageId: z.string(),
    role: z.enum(['ROLE_USER', 'ROLE_AGENT']),
    parts: z.array(part),
    metadata: object.optional(),
    extensions: strings.optional(),
    referenceTaskIds: strings.optional(),
  })
  .transform(
    ({ extensions, messageId, metadata, parts, referenceTaskIds, role }): Message => ({
      messageId,
      role: role === 'ROLE_USER' ? 'user' : 'agent',
      parts,
      ...(metadata && { metadata }),
      ...(extensions && { extensions }),
      ...(referenceTaskIds && { referenceTaskIds }),
    }),
  );

const ARTIFACT = {
  artifactId: z.string(),
  name: z.string().optional(),
  description: z.string().optional(),
  parts: z.array(part),
  metadata: object.optional(),
  extensions: strings.optional(),
};
const artifact = inItsOrder(z.object(ARTIFACT)).transform(
  (fields) => fields as unknown as Artifact,
);

const state = z
  .string()
  .transform((name) => TASK_STATES.find((known) => `TASK_STATE_${known}` === name))
  .pipe(z.enum(TASK_STATES));

const task = z
  .object({
    id: z.string().refine((id) => taskId(id) !== undefined),
    contextId: z.string().refine((id) => contextId(id) !== undefined),
    status: z.object({
      state,
      message: message.optional(),
      timestamp: z.iso.datetime({ offset: true }).transform(Date.parse),
    }),
    history: z.array(message).default([]),
    artifacts: z.array(artifact).default([]),
    metadata: object.optional(),
  })
  .transform(({ artifacts, history, id, metadata, status, ...rest }): Task => {
    const { message: said, timestamp: at } = status;
    return {
      taskId: id,
      contextId: rest.contextId,
      status: { state: status.state, at, ...(said && { message: said }) },
      history,
      artifacts,
      ...(metadata && { metadata }),
    };
  });

/**
 * A standard A2A Task in ProtoJSON form, or what is wrong with it: the path of a field and a rule,
 * and no content.
 */
export function taskFromProtoJson(text: string): Task | { readonly problem: string } {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    return { problem: 'it is not JSON' };
  }
  const result = task.safeParse(parsed);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  return { problem: `${issue?.path.join('.') || 'it'}: ${issue?.code ?? 'is wrong'}` };
}
