import { describe, expect, test } from 'vitest';
import { createPatternRedactor } from '../../shared/redaction/pattern-redactor.ts';
import { openFinder } from '../../shared/redaction/redact-texts.ts';
import { LABELLED, LATER, readLabelled } from './labelled.ts';
import { score } from './score.ts';

const find = await openFinder();

describe('of the labelled texts', () => {
  const lines = readLabelled(LABELLED);
  const { all, kinds } = score(lines, find);

  test('there are enough, with and without something to find', () => {
    const [with_, without] = [true, false].map(
      (wanted) => lines.filter(({ findings }) => findings.length > 0 === wanted).length,
    );
    expect(Math.min(with_ ?? 0, without ?? 0)).toBeGreaterThan(120);
  });

  test('19 of 20 findings are right, and 19 of 20 labels are found', () => {
    expect(all.precision).toBeGreaterThanOrEqual(0.95);
    expect(all.recall).toBeGreaterThanOrEqual(0.95);
  });

  test.each(['email', 'phone', 'iban', 'card', 'secret'] as const)('so it is for %s', (kind) => {
    const strict = kind !== 'email' && kind !== 'phone';
    expect(kinds.get(kind)?.precision).toBeGreaterThanOrEqual(strict ? 0.98 : 0.95);
    expect(kinds.get(kind)?.recall).toBeGreaterThanOrEqual(0.95);
  });
});

test('of the texts that were written after the code, it finds 9 of 10', () => {
  const { all } = score(readLabelled(LATER), find);
  expect(all.precision).toBeGreaterThanOrEqual(0.95);
  expect(all.recall).toBeGreaterThanOrEqual(0.9);
});

test('nothing that was found is left in the redacted text, whole or at its ends', async () => {
  const redactor = createPatternRedactor();
  for (const { line, text } of readLabelled(LABELLED)) {
    const secrets = find(text).filter(({ kind }) => kind === 'secret');
    const [redacted = ''] = await redactor.redact([text]);
    for (const { start, end } of secrets) {
      const value = text.slice(start, end);
      if (value.length < 8 || text.split(value.slice(0, 8)).length > 2) continue;
      expect(redacted, `line ${line}`).not.toContain(value.slice(0, 8));
      expect(redacted, `line ${line}`).not.toContain(value.slice(-8));
    }
  }
});

test('nothing that is labelled a secret is left in the redacted text', async () => {
  const lines = readLabelled(LABELLED);
  const redacted = await createPatternRedactor().redact(lines.map(({ text }) => text));
  const left = lines.flatMap(({ line, text, findings }, index) =>
    findings
      .filter(({ kind }) => kind === 'secret')
      .map(({ start, end }) => text.slice(start, end))
      .filter((value) => value.length > 5 && redacted[index]?.includes(value))
      .map((value) => ({ line, value })),
  );
  expect(left).toEqual([]);
});
