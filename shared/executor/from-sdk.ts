import type { Artifact as SdkArtifact, Message as SdkMessage, Part as SdkPart } from '@a2a-js/sdk';
import { toJson } from '../agent/parts.ts';
import { isJsonObject, type JsonObject } from '../domain/json.ts';
import type { Artifact, MessageFrame, Part } from '../domain/message.ts';

// What executors publish is checked, though the SDK's types say it all: many executors are
// JavaScript, or leave out what is empty. It is copied, too, so that an executor that goes on
// changing what it published changes nothing that was shown. All of these throw TypeError with the
// path of what A2A can't carry.

/** What an agent said: its parts, and what its message has beside them. */
export interface Said {
  readonly parts: readonly Part[];
  readonly frame: MessageFrame;
}

/** Longer ids, and those with control characters, are made anew. */
const MESSAGE_ID = /^[^\p{Cc}\p{Cs}]{1,256}$/u;

export function saidFrom(message: Partial<SdkMessage>, path: string): Said {
  const { extensions = [], messageId = '', referenceTaskIds = [] } = message;
  return {
    parts: partsFrom(message.parts, `${path}.parts`),
    frame: {
      ...(MESSAGE_ID.test(messageId) && { messageId }),
      ...metadataFrom(message.metadata, path),
      ...(extensions.length > 0 && { extensions: [...extensions] }),
      ...(referenceTaskIds.length > 0 && { referenceTaskIds: [...referenceTaskIds] }),
    },
  };
}

export function artifactFrom(artifact: Partial<SdkArtifact>, path: string): Artifact {
  const { artifactId = '', description, extensions = [], name } = artifact;
  if (artifactId === '') throw new TypeError(`${path}.artifactId is empty`);
  return {
    artifactId,
    ...(name && { name }),
    ...(description && { description }),
    ...metadataFrom(artifact.metadata, path),
    ...(extensions.length > 0 && { extensions: [...extensions] }),
    parts: partsFrom(artifact.parts, `${path}.parts`),
  };
}

/** Empty metadata says nothing. */
export function metadataFrom(
  metadata: { readonly [key: string]: unknown } | undefined,
  path: string,
): { readonly metadata?: JsonObject } {
  if (metadata === undefined || Object.keys(metadata).length === 0) return {};
  const json = toJson(metadata, `${path}.metadata`);
  return isJsonObject(json) ? { metadata: json } : {};
}

function partsFrom(parts: readonly SdkPart[] | undefined, path: string): readonly Part[] {
  return (parts ?? []).map((part, at) => partFrom(part, `${path}[${at}]`));
}

function partFrom({ content, filename, mediaType, metadata }: SdkPart, path: string): Part {
  const frame = {
    ...(mediaType && { mediaType }),
    ...(filename && { filename }),
    ...metadataFrom(metadata, path),
  };
  switch (content?.$case) {
    case 'text':
      return { ...frame, text: content.value };
    case 'raw':
      return { ...frame, raw: Uint8Array.from(content.value) };
    case 'url':
      return { ...frame, url: content.value };
    case 'data':
      return { ...frame, data: toJson(content.value ?? null, `${path}.data`) };
    case undefined:
      throw new TypeError(`${path} has no content`);
  }
}
