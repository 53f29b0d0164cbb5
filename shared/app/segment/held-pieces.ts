import type { ArtifactItem, Item } from '../../domain/item.ts';
import type { Part, TextPart } from '../../domain/message.ts';

/**
 * Artifacts in pieces that are not shown before they are whole: half a name is in no piece, so a
 * redactor finds it in none. Their texts are put together, and shown as one (docs/privacy.md).
 */
export class HeldPieces {
  /** As far as they go; what is shown already, too, because a piece may follow. */
  readonly #artifacts = new Map<string, ArtifactItem<Part>>();
  readonly #unshown = new Set<string>();

  /**
   * What of an item may be shown: itself, or the whole artifact that it is the last piece of.
   * Undefined: nothing yet.
   */
  take(item: Item): Item | undefined {
    if (item.kind !== 'artifact') return item;
    const { artifactId } = item.artifact;
    const before = this.#artifacts.get(artifactId);
    // Its beginning was shown before pieces were held: what it goes on with is not known here.
    if (item.append && before === undefined) return item;
    const whole = item.append && before !== undefined ? joined(before, item) : item;
    this.#artifacts.set(artifactId, whole);
    if (item.lastChunk) this.#unshown.delete(artifactId);
    else this.#unshown.add(artifactId);
    return item.lastChunk ? whole : undefined;
  }

  /** What was held back until now, as far as it goes: for a commit that must take it along. */
  release(): readonly Item[] {
    const shown = [...this.#unshown].flatMap((id) => this.#artifacts.get(id) ?? []);
    this.#unshown.clear();
    return shown;
  }
}

function joined(before: ArtifactItem<Part>, next: ArtifactItem<Part>): ArtifactItem<Part> {
  const parts = next.artifact.parts.reduce(withPiece, before.artifact.parts);
  const artifact = { ...before.artifact, ...next.artifact, parts };
  return { ...next, append: false, artifact };
}

function withPiece(parts: readonly Part[], piece: Part): readonly Part[] {
  const last = parts.at(-1);
  if (last === undefined || !isBareText(last) || !isBareText(piece)) return [...parts, piece];
  return [...parts.slice(0, -1), { text: last.text + piece.text }];
}

function isBareText(part: Part): part is TextPart {
  return 'text' in part && Object.keys(part).length === 1;
}
