import { isJsonObject, type JsonObject } from './json.ts';
import type { TimeKeys } from './proto-json.ts';

/** An extension that the server itself carries out, for callers that ask (docs/extensions.md). */
export interface OwnExtension {
  readonly uri: string;
  readonly description: string;
}

const SAMPLES = 'github.com/a2aproject/a2a-samples';

/** The page of the extension has one path, and its implementations have another. */
const TIMESTAMP_PATHS = [
  `${SAMPLES}/extensions/timestamp/v1`,
  `${SAMPLES}/samples/extensions/timestamp/v1`,
] as const;

/** By either of its names. */
export const TIMESTAMPS: readonly OwnExtension[] = TIMESTAMP_PATHS.map((path) => ({
  uri: `https://${path}`,
  description: 'When each message and artifact of the agent was made.',
}));

/** Where the times go for one with these extensions in effect. */
export function timeKeysOf(extensions: readonly string[]): TimeKeys {
  return TIMESTAMP_PATHS.filter((path) => extensions.includes(`https://${path}`)).map(
    (path) => `${path}/timestamp`,
  );
}

const TRACEABILITY_PATH = `${SAMPLES}/extensions/traceability/v1`;
const TRACE_KEY = `${TRACEABILITY_PATH}/traceability`;

/** What an agent did for a task, told to its caller. */
export const TRACEABILITY: OwnExtension = {
  uri: `https://${TRACEABILITY_PATH}`,
  description: 'The tools, agents and models that a task took, with times, tokens and costs.',
};

/**
 * A task, or a change of its state, with its trace: in its metadata, where the implementations of
 * the extension have it, and in those of its message, where its page has it.
 */
export function withTrace(json: JsonObject, trace: JsonObject): JsonObject {
  const { status } = json;
  const message = isJsonObject(status) ? status['message'] : undefined;
  return {
    ...json,
    ...(isJsonObject(status) &&
      isJsonObject(message) && { status: { ...status, message: noted(message, trace) } }),
    metadata: noted(json, trace)['metadata'] ?? {},
  };
}

const noted = (json: JsonObject, trace: JsonObject): JsonObject => ({
  ...json,
  metadata: { ...metadataOf(json), [TRACE_KEY]: trace },
});

const metadataOf = ({ metadata }: JsonObject): JsonObject =>
  isJsonObject(metadata) ? metadata : {};
