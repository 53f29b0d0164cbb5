import { describe, expect, it } from 'vitest';
import type { Item } from '../../domain/item.ts';
import type { Json } from '../../domain/json.ts';
import type { Part } from '../../domain/message.ts';
import { createPatternRedactor } from '../../redaction/pattern-redactor.ts';
import { REDACTED_CHARACTERS, redactItems } from './redact-items.ts';

const CARD = '4111 1111 1111 1111';
const MAIL = 'ada@example.com';
const redactor = createPatternRedactor();

async function redacted(part: Part): Promise<Part> {
  const [item] = await redactItems(redactor, [
    { kind: 'message', message: { messageId: 'm', role: 'user', parts: [part] } },
  ]);
  const [kept] = item?.kind === 'message' ? item.message.parts : [];
  if (kept === undefined) throw new Error('no part');
  return kept;
}

const dataOf = async (data: Json): Promise<Json> => {
  const part = await redacted({ data });
  return 'data' in part ? part.data : null;
};

describe('what is kept of a long text', () => {
  it.each(Array.from({ length: CARD.length + 2 }, (_, at) => at))(
    'holds no digit of a card that begins %i characters before its end',
    async (before) => {
      const text = `${'x'.repeat(REDACTED_CHARACTERS - before - 1)} ${CARD} ${'y'.repeat(3_000)}`;
      const part = await redacted({ text });
      const kept = 'text' in part ? part.text : '';
      expect(kept).not.toMatch(/\d/);
      expect(kept.length).toBeLessThanOrEqual(REDACTED_CHARACTERS + 1);
      const data = JSON.stringify(await dataOf({ a: text.slice(1) }));
      expect(data).not.toMatch(/\d/);
    },
  );

  it('is not filled up by what lay behind it, however much was taken out', async () => {
    const text = `${`${MAIL} `.repeat(100)}${'z'.repeat(REDACTED_CHARACTERS)} ${CARD.slice(0, 12)}`;
    const part = await redacted({ text: `${text}${'w'.repeat(1_000)} ${MAIL}` });
    expect(JSON.stringify(part)).not.toMatch(/\d{4}|ada@/);
  });
});

describe('data', () => {
  it('numbers that are cards are taken out, and other numbers stay numbers', async () => {
    const data = { card: 4111111111111111, cards: [5555555555554444], year: 2024, pi: 3.14, n: -7 };
    const kept = await dataOf(data);
    expect(JSON.stringify(kept)).not.toMatch(/4111|5555/);
    expect(kept).toMatchObject({ year: 2024, pi: 3.14, n: -7 });
  });

  it('a document that is written as keys is cut like any other', async () => {
    const data = Object.fromEntries(
      Array.from({ length: 400 }, (_, at) => [`word-${at} of a long document`, at % 10]),
    );
    const kept = JSON.stringify(await dataOf(data));
    expect(kept.length).toBeLessThan(2 * REDACTED_CHARACTERS);
  });

  it('a long key is no longer than a text may be', async () => {
    expect(JSON.stringify(await dataOf({ ['k'.repeat(50_000)]: 1 })).length).toBeLessThan(2_100);
  });
});

describe('what stands beside the parts', () => {
  const item: Item = {
    kind: 'artifact',
    append: false,
    lastChunk: true,
    artifact: {
      artifactId: `report for ${MAIL}`,
      name: `${'n'.repeat(5_000)}`,
      description: MAIL,
      extensions: [`https://example.com/${MAIL}`],
      parts: [
        { text: 'a', mediaType: `text/plain; author=${MAIL}`, filename: `${MAIL}.txt` },
        { text: 'b', mediaType: 'a document, written as a media type' },
        { text: 'c', mediaType: 'application/vnd.example+json' },
      ],
    },
  };

  it('is redacted, and short: ids, names, media types, extensions', async () => {
    const [kept] = await redactItems(redactor, [item]);
    expect(JSON.stringify(kept)).not.toContain(MAIL);
    expect(JSON.stringify(kept).length).toBeLessThan(1_000);
    const parts = kept?.kind === 'artifact' ? kept.artifact.parts : [];
    expect(parts.map(({ mediaType }) => mediaType)).toEqual([
      'text/plain',
      undefined,
      'application/vnd.example+json',
    ]);
  });

  it('an id that is a UUID stays, and equal ids stay equal', async () => {
    const id = '41111111-1111-4111-8111-411111111111';
    const message = (messageId: string, referenceTaskIds: readonly string[]): Item => ({
      kind: 'message',
      message: { messageId, role: 'user', parts: [], referenceTaskIds },
    });
    expect(await redactItems(redactor, [message(id, [id, MAIL])])).toMatchObject([
      { message: { messageId: id, referenceTaskIds: [id, '[email]'] } },
    ]);
    const [first] = await redactItems(redactor, [item]);
    const [again] = await redactItems(redactor, [item]);
    expect(again).toEqual(first);
  });
});
