import type { Part } from '../../domain/message.ts';
import { partSize } from '../content/task-size.ts';
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
