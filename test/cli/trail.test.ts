import { describe, expect, it } from 'vitest';
import { approvalWorld } from '../operator/worlds.ts';
import { holdfast } from './terminal.ts';

/** A server whose run has so many steps, in pages of 200 at most. */
const long = (last: number) => (url: string) => {
  const { searchParams } = new URL(url);
  const [from, limit] = ['from', 'limit'].map((name) => Number(searchParams.get(name) ?? 1));
  const count = Math.min(limit ?? 0, last - (from ?? 1) + 1);
  const steps = Array.from({ length: count }, (_, at) => ({
    n: (from ?? 1) + at,
    segment: 1,
    kind: 'turn',
    at: '2027-01-15T08:00:00.000Z',
  }));
  const next = (from ?? 1) + count;
  const about = { run: 'r', agent: 'a', open: true, level: 'full', errors: [] };
  return Promise.resolve(Response.json({ ...about, steps, ...(next <= last && { next }) }));
};

const numbersIn = (out: string) => out.match(/^ *\d+(?= {2}turn)/gm)?.map(Number);

describe('trail', () => {
  it('shows all steps of a long run, in their order', async () => {
    const made = await approvalWorld();
    const all = Array.from({ length: 450 }, (_, at) => at + 1);
    const request = long(450);
    const { out } = await holdfast(made, ['trail', made.taskId], { request });
    expect(numbersIn(out)).toEqual(all);
    expect(out).not.toContain('more:');
    const json = await holdfast(made, ['trail', made.taskId, '--json'], { request });
    const { steps } = JSON.parse(json.out) as { readonly steps: readonly { readonly n: number }[] };
    expect(steps.map(({ n }) => n)).toEqual(all);
  });

  it('--from and --limit: those, and where to go on', async () => {
    const made = await approvalWorld();
    const args = ['trail', made.taskId, '--from', '3', '--limit', '2'];
    const { out } = await holdfast(made, args, { request: long(450) });
    expect(numbersIn(out)).toEqual([3, 4]);
    expect(out).toContain('more: --from 5');
    const rest = await holdfast(made, ['trail', made.taskId, '--from', '449'], {
      request: long(450),
    });
    expect(numbersIn(rest.out)).toEqual([449, 450]);
  });
});
