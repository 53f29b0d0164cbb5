import type { Part } from '../../domain/message.ts';
import { partSize } from '../content/task-size.ts';
import type { Ending } from '../agents.ts';
import type { App } from '../app.ts';

/** What an agent shows is more than one event of a stream may carry. Its author reads this. */
export class ItemTooLarge extends Error {
  constructor(what: string, bytes: number, most: number) {
    super(
      `${what} has ${bytes} bytes as JSON, and at most ${most} can be shown at once (setting itemBytes): show an artifact in pieces with \`append\`, or store it elsewhere and give its URL`,
    );
    this.name = 'ItemTooLarge';
  }
}

/**
 * Every item becomes one event, which a stream must be able to carry. Throws ItemTooLarge.
 */
export function requireSize({ settings }: App, what: string, parts: readonly Part[]): void {
  const bytes = parts.reduce((sum, part) => sum + partSize(part), 0);
  if (bytes > settings.itemBytes) throw new ItemTooLarge(what, bytes, settings.itemBytes);
}

/** The same for what a segment ends with. Throws ItemTooLarge. */
export function requireEndingSize(app: App, ending: Ending): void {
  if (ending.kind === 'paused') return requireSize(app, 'the question', ending.pause.words);
  if (!('parts' in ending)) return;
  requireSize(app, ending.kind === 'asked' ? 'the question' : 'the result', ending.parts);
  for (const { artifactId, parts } of ending.kind === 'completed' ? (ending.artifacts ?? []) : [])
    requireSize(app, `artifact ${JSON.stringify(artifactId)}`, parts);
}
