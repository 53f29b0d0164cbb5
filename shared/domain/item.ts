import type { Artifact, ArtifactOf, MessageOf, Part, StoredPart } from './message.ts';
import type { Millis } from './brand.ts';
import type { JsonObject } from './json.ts';

/**
 * One public fact inside a revision, in the order in which it happened. `P` is the form of a part:
 * in memory, or as stored.
 */
export type ItemOf<P> =
  /** A client's message: goes to the history, makes no event. */
  | { readonly kind: 'message'; readonly message: MessageOf<P> }
  /** Adds an artifact, replaces it, or appends parts to it. */
  | {
      readonly kind: 'artifact';
      readonly artifact: ArtifactOf<P>;
      readonly append: boolean;
      readonly lastChunk: boolean;
      /** When what it is a piece of was begun; of an item that is shown, where that is known. */
      readonly at?: Millis;
    }
  /** The state at that moment, with the agent's words if it has any. */
  | {
      readonly kind: 'status';
      readonly state: string;
      readonly at: Millis;
      readonly message?: MessageOf<P>;
      readonly metadata?: JsonObject;
    };

export type Item = ItemOf<Part>;
export type StoredItem = ItemOf<StoredPart>;
export type StatusItem<P> = Extract<ItemOf<P>, { kind: 'status' }>;
export type ArtifactItem<P> = Extract<ItemOf<P>, { kind: 'artifact' }>;

/**
 * What a revision makes public and the journal numbers: never a prompt, a tool argument or raw
 * provider output (G4).
 */
export type EventOf<P> = (StatusItem<P> | ArtifactItem<P>) & { readonly seq: number };
export type StoredEvent = EventOf<StoredPart>;

/** A complete artifact: nothing will be added to it. */
export const wholeArtifact = (artifact: Artifact): Item => ({
  kind: 'artifact',
  artifact,
  append: false,
  lastChunk: true,
});

/**
 * A piece of a text that is being written: half a name is in no piece, so a redactor finds it in
 * none. It is shown only where all may be kept, and its artifact once more, whole.
 */
export const isDraft = <P>(item: ItemOf<P>): boolean =>
  item.kind === 'artifact' && item.artifact.draft === true;
