import { describe, expect, it } from 'vitest';
import { figuresOf, RUNS, shortfall } from '../../tools/kits/figures.ts';

describe('the figures of a kit', () => {
  it.each([
    [
      '=== 1 failed, 160 passed, 104 skipped in 70.78s (0:01:10) ===',
      { passed: 160, failed: 1, skipped: 104 },
    ],
    ['161 passed in 3.00s', { passed: 161, failed: 0, skipped: 0 }],
    ['2 failed in 1.0s\nsome words after it', { passed: 0, failed: 2, skipped: 0 }],
  ])('are read from %j', (output, figures) => {
    expect(figuresOf(output)).toEqual(figures);
  });

  it('of a kit that did not run are none, and that is a shortfall', () => {
    expect(figuresOf('ModuleNotFoundError: No module named "dotenv"')).toBeUndefined();
    expect(shortfall({ expected: { passed: 1, failed: 0 } }, undefined)).toContain('no figures');
  });

  it.each([
    [{ passed: 10, failed: 1, skipped: 0 }, true],
    [{ passed: 11, failed: 0, skipped: 0 }, true],
    [{ passed: 10, failed: 2, skipped: 0 }, false],
    [{ passed: 9, failed: 0, skipped: 5 }, false],
  ])('%j against 10 passed and 1 failed: as expected is %j', (figures, fine) => {
    const missing = shortfall({ expected: { passed: 10, failed: 1 } }, figures);
    expect(missing === undefined).toBe(fine);
  });

  it('are expected of both kits on both bindings', () => {
    expect(RUNS.map(({ kit }) => kit)).toEqual(expect.arrayContaining(['1.0-dev', '0.3.x']));
    expect(new Set(RUNS.map(({ name }) => name)).size).toBe(RUNS.length);
  });
});
