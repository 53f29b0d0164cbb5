import { createHash } from 'node:crypto';
import { posix } from 'node:path';

/** Where the pictures lie that `tools/diagrams.ts` makes of the diagrams in pages. */
export const DIAGRAMS = 'docs/diagrams';

const DIAGRAM = /^```mermaid\n([\s\S]*?)^```$/gm;

export interface Diagram {
  /** As Mermaid reads it. */
  readonly source: string;
  /** Its picture. The name says what it was made of, so one that is there is current. */
  readonly file: string;
  /** Where the page has it. */
  readonly index: number;
}

/** The diagrams of a page, in its order. */
export function diagramsOf(page: string, text: string): readonly Diagram[] {
  return [...text.matchAll(DIAGRAM)].map(({ 1: source = '', index }) => ({
    source,
    file: pictureOf(page, source),
    index,
  }));
}

export function pictureOf(page: string, source: string): string {
  const digest = createHash('sha256').update(source).digest('hex').slice(0, 10);
  return `${DIAGRAMS}/${posix.basename(page, '.md')}-${digest}.svg`;
}
