import type { Item } from '../../domain/item.ts';
import type { Part, TextPart } from '../../domain/message.ts';
import type { Redactor } from '../../ports/redactor.ts';

/** What stands where a text stood of which a redactor can't find all in its parts. */
export const CUT_TEXT: Part = {
  text: '[a text in pieces was removed by the privacy policy]',
};

/** So much on either side of a cut is looked at: longer than what a redactor finds. */
const REACH = 512;

/**
 * Items in which no text part goes on in the next with something that is to be redacted: half a
 * name is in neither, so a redactor finds it in none. Where one does, the text is left out.
 */
export async function withoutCutTexts(
  redactor: Redactor,
  items: readonly Item[],
): Promise<readonly Item[]> {
  const cuts = items.flatMap((item) => stretchesOf(partsIn(item)).flatMap(cutsOf));
  if (cuts.length === 0) return items;
  const asked = cuts.flatMap(({ left, right }) => [left + right, left, right]);
  const answers = await redactor.redact(asked);
  const found = cuts.filter(({ left, right }, at) => {
    const [whole, ...halves] = answers.slice(3 * at, 3 * at + 3);
    return whole !== left + right && whole !== halves.join('');
  });
  const removed: ReadonlySet<Part> = new Set(found.flatMap(({ stretch }) => stretch));
  return found.length === 0 ? items : items.map((item) => without(item, removed));
}

interface Cut {
  readonly stretch: readonly TextPart[];
  /** The text before the cut, and behind it, as far as it matters. */
  readonly left: string;
  readonly right: string;
}

/** The text parts that stand next to each other, where there are several. */
function stretchesOf(parts: readonly Part[]): readonly (readonly TextPart[])[] {
  const stretches: TextPart[][] = [[]];
  for (const part of parts) {
    if ('text' in part) stretches.at(-1)?.push(part);
    else stretches.push([]);
  }
  return stretches.filter(({ length }) => length > 1);
}

function cutsOf(stretch: readonly TextPart[]): readonly Cut[] {
  const whole = stretch.map(({ text }) => text).join('');
  let at = 0;
  return stretch.slice(0, -1).map(({ text }) => {
    at += text.length;
    const left = whole.slice(Math.max(0, at - REACH), at);
    return { stretch, left, right: whole.slice(at, at + REACH) };
  });
}

function partsIn(item: Item): readonly Part[] {
  return item.kind === 'artifact' ? item.artifact.parts : (item.message?.parts ?? []);
}

function without(item: Item, removed: ReadonlySet<Part>): Item {
  const kept = (parts: readonly Part[]): readonly Part[] =>
    parts.flatMap((part, at) => {
      if (!removed.has(part)) return [part];
      const before = parts[at - 1];
      return before !== undefined && removed.has(before) ? [] : [CUT_TEXT];
    });
  if (item.kind === 'artifact')
    return { ...item, artifact: { ...item.artifact, parts: kept(item.artifact.parts) } };
  if (item.message === undefined) return item;
  const message = { ...item.message, parts: kept(item.message.parts) };
  return item.kind === 'message' ? { ...item, message } : { ...item, message };
}
