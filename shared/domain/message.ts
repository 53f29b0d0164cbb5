import type { Millis } from './brand.ts';
import type { Json, JsonObject } from './json.ts';

interface PartFrame {
  readonly mediaType?: string;
  readonly filename?: string;
  readonly metadata?: JsonObject;
}

export type TextPart = PartFrame & { readonly text: string };
export type DataPart = PartFrame & { readonly data: Json };
export type RawPart = PartFrame & { readonly raw: Uint8Array };
export type UrlPart = PartFrame & { readonly url: string };

/** A2A section 4.1.6: exactly one of text, data, raw bytes or a URL. */
export type Part = TextPart | DataPart | RawPart | UrlPart;

/** Content that was too large for a row: it lies in an object of its own. */
export interface ObjectRef {
  /** Name of the immutable object. */
  readonly object: string;
  /** Size of the content in bytes, before sealing. */
  readonly bytes: number;
}

/** A part whose content lies in an object: raw bytes, or the JSON of its text or data. */
export type StoredPart =
  | Part
  | (PartFrame & { readonly stored: ObjectRef; readonly as: 'text' | 'data' | 'raw' });

export type Role = 'user' | 'agent';

export interface MessageOf<P> {
  readonly messageId: string;
  readonly role: Role;
  /** Of the agent's words in a history: when they became public. Told to those who ask for it. */
  readonly at?: Millis;
  readonly parts: readonly P[];
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
  readonly referenceTaskIds?: readonly string[];
}
export type Message = MessageOf<Part>;
/** What an agent may say of a message beside its parts. */
export type MessageFrame = Partial<Omit<Message, 'role' | 'parts' | 'at'>>;
export type StoredMessage = MessageOf<StoredPart>;

export interface ArtifactOf<P> {
  readonly artifactId: string;
  /**
   * It is still being written, and is stated whole when it is done (decision 0049). Never shown as
   * such.
   */
  readonly draft?: true;
  readonly name?: string;
  readonly description?: string;
  readonly parts: readonly P[];
  readonly metadata?: JsonObject;
  readonly extensions?: readonly string[];
}
export type Artifact = ArtifactOf<Part>;
export type StoredArtifact = ArtifactOf<StoredPart>;

/** The words of a message or artifact: its text parts, one a line. */
export function textOf(content: { readonly parts: readonly Part[] }): string {
  return content.parts.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}
