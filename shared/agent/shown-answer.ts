import type { SegmentPorts } from '../app/agents.ts';
import type { Artifact, Part } from '../domain/message.ts';
import type { Step } from '../domain/step.ts';
import type { Draft } from '../models/model.ts';
import { TEXT } from './read-turn.ts';

/** The artifact that a streaming agent answers with. */
export const ANSWER = 'answer';

/**
 * The answer of a streaming agent, as one turn makes it: pieces of a draft while the model writes,
 * and then once more, whole, in the commit of the turn.
 */
export class ShownAnswer {
  readonly #segment: SegmentPorts;
  /** The try whose pieces are shown. */
  #current: object | undefined;
  #begun = false;

  constructor(segment: SegmentPorts) {
    this.#segment = segment;
  }

  /** A late piece of a try before this one, or of a turn that is over, is shown nowhere. */
  draft(): Draft {
    const own = {};
    let characters = 0;
    this.#current = own;
    return {
      write: async (text) => {
        if (typeof text !== 'string') throw new TypeError('draft.write takes a string');
        const append = characters > 0;
        characters += text.length;
        // A longer text is no turn, so no more of it needs to be shown.
        if (this.#current !== own || text === '' || characters > TEXT) return;
        this.#begun = true;
        const artifact = { artifactId: ANSWER, draft: true, parts: [{ text }] } as const;
        await this.#segment.artifact(artifact, append, false);
      },
      anew: () => this.draft(),
    };
  }

  /**
   * What the turn says, whole. Without words, an empty text takes the place of what this turn, or a
   * try of it that was lost, may have shown; of a last turn also what the turns before it said.
   */
  whole(parts: readonly Part[], before: readonly Step[] = []): readonly Artifact[] {
    this.#current = undefined;
    if (parts.length > 0) return [{ artifactId: ANSWER, parts }];
    const said = before.some((step) => step.kind === 'turn' && step.text !== undefined);
    if (!this.#begun && this.#segment.attempt === 1 && !said) return [];
    return [{ artifactId: ANSWER, parts: [{ text: '' }] }];
  }
}
