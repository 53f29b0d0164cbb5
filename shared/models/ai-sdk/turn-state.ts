import type {
  JSONValue,
  LanguageModelV4Content,
  LanguageModelV4CustomPart,
  LanguageModelV4FilePart,
  LanguageModelV4ReasoningFilePart,
  LanguageModelV4ReasoningPart,
  LanguageModelV4TextPart,
  LanguageModelV4ToolCallPart,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../../domain/json.ts';

// What a provider answered is kept as it came, with its signatures, and handed back as it came: a
// provider may refuse, or think again, when a signed part is missing or elsewhere in the order.

/** What a tool came to. */
export type Output =
  | { readonly type: 'text' | 'error-text'; readonly value: string }
  | { readonly type: 'json' | 'error-json'; readonly value: JSONValue };

export type AssistantPart =
  | LanguageModelV4TextPart
  | LanguageModelV4FilePart
  | LanguageModelV4CustomPart
  | LanguageModelV4ReasoningPart
  | LanguageModelV4ReasoningFilePart
  | LanguageModelV4ToolCallPart
  | (Omit<LanguageModelV4ToolResultPart, 'output'> & { readonly output: Output });

const metadata = z.record(z.string(), z.custom<JsonObject>(isJsonObject)).optional();
const json = z.custom<Json>((value) => value !== undefined);
const file = z.union([
  z.object({ type: z.literal('data'), data: z.string() }),
  z.object({ type: z.literal('url'), url: z.string() }),
]);
const frame = { providerMetadata: metadata };

/** The stored form: JSON, bytes as base64. Sources are only shown, so they are not kept. */
const storedPart = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string(), ...frame }),
  z.object({ type: z.literal('reasoning'), text: z.string(), ...frame }),
  z.object({
    type: z.literal('custom'),
    kind: z.templateLiteral([z.string(), '.', z.string()]),
    ...frame,
  }),
  z.object({ type: z.literal('file'), mediaType: z.string(), data: file, ...frame }),
  z.object({ type: z.literal('reasoning-file'), mediaType: z.string(), data: file, ...frame }),
  z.object({
    type: z.literal('tool-call'),
    toolCallId: z.string(),
    toolName: z.string(),
    input: z.string(),
    providerExecuted: z.boolean().optional(),
    ...frame,
  }),
  z.object({
    type: z.literal('tool-result'),
    toolCallId: z.string(),
    toolName: z.string(),
    result: json,
    isError: z.boolean().optional(),
    ...frame,
  }),
]);
type StoredPart = z.infer<typeof storedPart>;
const storedTurn = z.array(storedPart);

export function stateOf(content: readonly LanguageModelV4Content[]): Json {
  return content.flatMap((part): Json[] => {
    if (part.type === 'source' || part.type === 'tool-approval-request') return [];
    const data = 'data' in part ? { data: storedFile(part.data) } : {};
    // Members that are undefined are no JSON.
    return [JSON.parse(JSON.stringify({ ...part, ...data })) as Json];
  });
}

/** Files of version 3 are not tagged. */
function storedFile(data: unknown): Json {
  if (typeof data === 'string') return { type: 'data', data };
  if (data instanceof Uint8Array) return { type: 'data', data: base64(data) };
  if (!isTagged(data)) return null;
  if (data.type === 'url') return { type: 'url', url: String(data.url) };
  return storedFile(data.data);
}

function isTagged(data: unknown): data is { type: string; data?: unknown; url?: unknown } {
  return typeof data === 'object' && data !== null && 'type' in data;
}

const base64 = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

/** A turn as it is handed back, and the provider's own ids of the calls in it. */
export interface Replayed {
  readonly content: AssistantPart[];
  readonly callIds: readonly string[];
}

/** Undefined: it is no state of ours. */
export function replayed(state: Json): Replayed | undefined {
  const parsed = storedTurn.safeParse(state);
  if (!parsed.success) return undefined;
  const own = parsed.data.filter((part) => part.type === 'tool-call' && !part.providerExecuted);
  return {
    content: parsed.data.map(assistantPart),
    callIds: own.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : [])),
  };
}

function assistantPart(part: StoredPart): AssistantPart {
  const { providerMetadata } = part;
  const options = providerMetadata && { providerOptions: providerMetadata };
  switch (part.type) {
    case 'text':
    case 'reasoning':
      return { type: part.type, text: part.text, ...options };
    case 'custom':
      return { type: 'custom', kind: part.kind, ...options };
    case 'file':
    case 'reasoning-file':
      return { type: part.type, mediaType: part.mediaType, data: fileOf(part.data), ...options };
    case 'tool-call': {
      const { input, providerExecuted, toolCallId, toolName } = part;
      const executed = providerExecuted === undefined ? {} : { providerExecuted };
      const call = { toolCallId, toolName, input: inputOf(input) };
      return { type: 'tool-call', ...call, ...executed, ...options };
    }
    case 'tool-result': {
      const { isError = false, result: value, toolCallId, toolName } = part;
      const output = { type: isError ? 'error-json' : 'json', value } as const;
      return { type: 'tool-result', toolCallId, toolName, output, ...options };
    }
  }
}

function fileOf(data: z.infer<typeof file>) {
  return data.type === 'url' ? { type: data.type, url: new URL(data.url) } : data;
}

/** Arguments that are no JSON can't be handed back: the call was answered with an error. */
function inputOf(input: string): unknown {
  try {
    return JSON.parse(input === '' ? '{}' : input) as unknown;
  } catch {
    return {};
  }
}
