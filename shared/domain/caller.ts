import { z } from 'zod';
import { isJsonObject, type JsonObject } from './json.ts';
import type { Message } from './message.ts';

/** Whose task it is, as the edge identified the caller. */
export interface Caller {
  /** Stable name of the authenticated caller; empty without authentication. */
  readonly owner: string;
  /** Empty where the deployment has one tenant. */
  readonly tenant: string;
  readonly authenticated: boolean;
  /** What the identity provider said of the sender of this message, if it said anything. */
  readonly claims?: JsonObject;
}

/** What a client sent beside a message (SendMessageRequest), as far as an agent may use it. */
export interface RequestDetails {
  /** Of the request; the message has its own. */
  readonly metadata?: JsonObject;
  /** Media types that the client takes; absent: it did not say. */
  readonly acceptedOutputModes?: readonly string[];
  readonly historyLength?: number;
  /** The client does not wait for the answer. */
  readonly returnImmediately?: boolean;
  /** URIs of extensions that the client asked for and the agent's card declares. */
  readonly extensions?: readonly string[];
  /** The A2A version that the client spoke; absent: 1.0. */
  readonly version?: string;
}

/** What came beside a message, with what is known of its sender. */
export interface Beside extends RequestDetails {
  readonly claims?: JsonObject;
}

/** A message with what came beside it; `beside` is absent where nothing did. */
export interface Delivered {
  readonly message: Message;
  readonly beside?: Beside;
}

const object = z.custom<JsonObject>(isJsonObject);
const strings = z.array(z.string());

/** The stored form of an `Beside`, which is JSON as it stands. */
export const besideSchema: z.ZodType<Beside> = z.object({
  metadata: object.exactOptional(),
  acceptedOutputModes: strings.exactOptional(),
  historyLength: z.number().exactOptional(),
  returnImmediately: z.boolean().exactOptional(),
  extensions: strings.exactOptional(),
  version: z.string().exactOptional(),
  claims: object.exactOptional(),
});
