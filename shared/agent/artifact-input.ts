import type { JsonObject } from '../domain/json.ts';
import type { Words } from './parts.ts';

export interface ArtifactInput {
  /** Names the artifact within its task; made from its position when absent. */
  readonly artifactId?: string;
  readonly name?: string;
  readonly description?: string;
  readonly parts: Words;
  readonly metadata?: JsonObject;
  /** Adds the parts to those that the artifact has; creates it if there is none. */
  readonly append?: boolean;
  /** Nothing will be added any more. True unless `append` is given. */
  readonly lastChunk?: boolean;
}
