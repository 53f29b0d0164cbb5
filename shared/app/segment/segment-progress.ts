import { type ArtifactItem, isDraft, type Item } from '../../domain/item.ts';
import type { Part, StoredArtifact } from '../../domain/message.ts';
import { partBytes } from '../../domain/stored-content.ts';
import type { App } from '../app.ts';
import { loadItem, partsOf } from '../content/content.ts';
import type { SealingKey } from '../content/sealing-key.ts';
import { HeldPieces } from './held-pieces.ts';

/** How a flush commits what was gathered: false when the run is no longer ours. */
export type Commit = (items: readonly Item[]) => Promise<boolean>;

/**
 * Gathers what an agent shows and commits it at most four times a second, so that a chatty agent
 * costs no more than a calm one. Nothing is lost by it: what was not flushed when the segment ends
 * is part of the ending's own revision.
 */
export class SegmentProgress {
  readonly #app: App;
  readonly #runKey: SealingKey;
  readonly #commit: Commit;
  readonly #held = new HeldPieces();
  #redacts: () => boolean;
  readonly #base: Map<string, StoredArtifact>;
  readonly #begun = new Set<string>();
  #items: Item[] = [];
  #bytes = 0;
  #flushing: Promise<void> | undefined;
  #cancelTimer: (() => void) | undefined;
  #nextFlush: number;
  #closed = false;
  /** Items that wait for their turn. */
  #before: Promise<void> | undefined;

  /** `base`: the artifacts so far. `redacts`: whether what is shown is redacted by now. */
  constructor(
    app: App,
    runKey: SealingKey,
    base: readonly StoredArtifact[],
    commit: Commit,
    redacts: () => boolean,
  ) {
    this.#app = app;
    this.#runKey = runKey;
    this.#commit = commit;
    this.#redacts = redacts;
    this.#base = new Map(base.map((artifact) => [artifact.artifactId, artifact]));
    this.#nextFlush = app.clock.now() + app.settings.progressDelay;
  }

  /** From now on what is shown is redacted, what was gathered included. */
  redact(): void {
    this.#redacts = () => true;
    this.#items = this.#items.flatMap((item) => this.#held.take(item) ?? []);
  }

  /**
   * Takes an item down. Resolves at once, unless so much has piled up that it must be committed
   * first.
   */
  async take(item: Item): Promise<void> {
    // Most items need no look at what was there before, and are taken down before this function
    // first waits: an agent that does not await its calls loses nothing. The few that do need one
    // keep their place in the order.
    const begun = item.kind === 'artifact' ? this.#begin(item) : item;
    if (this.#before === undefined && !(begun instanceof Promise)) return this.#add(begun);
    const before = this.#before ?? Promise.resolve();
    const turn = before.then(async () => this.#add(await begun));
    const done = turn
      .catch(() => undefined)
      .then(() => {
        if (this.#before === done) this.#before = undefined;
      });
    this.#before = done;
    await turn;
  }

  async #add(item: Item): Promise<void> {
    if (this.#closed) return;
    const added = this.#redacts() ? this.#held.take(item) : item;
    if (added === undefined) return;
    const last = this.#items.at(-1);
    const merged = last === undefined ? undefined : joined(last, added);
    if (merged === undefined) this.#items.push(added);
    else this.#items[this.#items.length - 1] = merged;
    this.#bytes += partsOf(added).reduce((sum, part) => sum + partBytes(part), 0);
    if (this.#bytes > this.#app.settings.progressBytes) await this.#flush();
    else this.#schedule();
  }

  /** Ends the gathering: waits for a flush under way and hands over what is left. */
  async close(): Promise<readonly Item[]> {
    await this.#before;
    this.#closed = true;
    this.#cancelTimer?.();
    await this.#flushing;
    return [...whole(this.#items), ...this.#held.release()];
  }

  /**
   * Has what was gathered committed by another change, before what that one shows; what is gathered
   * meanwhile comes after it.
   */
  async carry<T>(commit: (items: readonly Item[]) => Promise<T>): Promise<T> {
    await this.#before;
    while (this.#flushing !== undefined) await this.#flushing;
    const committed = Promise.withResolvers<T>();
    await this.#handOver((items) =>
      commit([...whole(items), ...this.#held.release()]).then(
        (outcome) => {
          committed.resolve(outcome);
          return true;
        },
        (error: unknown) => {
          committed.reject(error);
          return false;
        },
      ),
    );
    return committed.promise;
  }

  /**
   * The first chunk of an artifact in a segment never appends to something that a reader may not
   * have, nor to what a failed attempt left: it creates the artifact, or states anew what it had
   * when the segment began.
   */
  #begin(item: ArtifactItem<Part>): Item | Promise<Item> {
    const id = item.artifact.artifactId;
    if (this.#begun.has(id)) return item;
    this.#begun.add(id);
    const before = this.#base.get(id);
    if (!item.append || before === undefined) return { ...item, append: false };
    return this.#continued(item, before);
  }

  async #continued(item: ArtifactItem<Part>, before: StoredArtifact): Promise<Item> {
    const loaded = await loadItem(this.#app, this.#runKey, { ...item, artifact: before });
    const parts = [...partsOf(loaded), ...item.artifact.parts];
    return { ...item, append: false, artifact: { ...before, ...item.artifact, parts } };
  }

  #schedule(): void {
    if (this.#cancelTimer !== undefined || this.#flushing !== undefined) return;
    const wait = Math.max(0, this.#nextFlush - this.#app.clock.now());
    this.#cancelTimer = this.#app.clock.after(wait, () => {
      this.#cancelTimer = undefined;
      void this.#flush();
    });
  }

  async #flush(): Promise<void> {
    // Of several that wait for one flush the first begins the next; the others wait for that, too:
    // their items are in it.
    while (this.#flushing !== undefined) await this.#flushing;
    if (this.#closed || this.#items.length === 0) return;
    await this.#handOver((items) => this.#commit(items));
  }

  /**
   * One commit at a time takes what was gathered; if it is refused, that is gone. Answers the flush
   * itself, so that those who wait for it go on in the order in which they came.
   */
  #handOver(commit: (items: readonly Item[]) => Promise<boolean>): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    // Those that were left when it closed go with the ending.
    const items = this.#closed ? [] : this.#items;
    if (!this.#closed) this.#items = [];
    this.#bytes = 0;
    this.#flushing = commit(items).then((held) => {
      this.#flushing = undefined;
      if (items.length > 0)
        this.#nextFlush = this.#app.clock.now() + this.#app.settings.progressInterval;
      if (held && this.#items.length > 0) this.#schedule();
    });
    return this.#flushing;
  }
}

/** A draft that was not shown in time need not be shown: its artifact is stated whole. */
const whole = (items: readonly Item[]): readonly Item[] => items.filter((item) => !isDraft(item));

/** Chunks of one artifact that were not committed between them are one chunk. */
function joined(last: Item, next: Item): Item | undefined {
  if (last.kind !== 'artifact' || next.kind !== 'artifact' || !next.append) return undefined;
  if (last.artifact.artifactId !== next.artifact.artifactId) return undefined;
  const parts = [...last.artifact.parts, ...next.artifact.parts];
  const artifact = { ...last.artifact, ...next.artifact };
  const text = isDraft(next) ? [{ text: parts.map(textIn).join('') }] : parts;
  return { ...next, append: last.append, artifact: { ...artifact, parts: text } };
}

const textIn = (part: Part): string => ('text' in part ? part.text : '');
