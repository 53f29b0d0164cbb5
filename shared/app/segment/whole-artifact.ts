import type { Item } from '../../domain/item.ts';
import type { Artifact } from '../../domain/message.ts';

/** An artifact that is all there: nothing is added to it any more. */
export const wholeArtifact = (artifact: Artifact): Item => ({
  kind: 'artifact',
  artifact,
  append: false,
  lastChunk: true,
});
