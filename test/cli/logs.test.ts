import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { finish } from '../app/turn-loop-world.ts';
import { approvalWorld, unknownWorld } from '../operator/worlds.ts';
import { holdfast } from './terminal.ts';

const linesOf = (out: string) => out.trimEnd().split('\n');

describe('logs', () => {
  it('shows what happened, oldest first, and what the run is now', async () => {
    const made = await approvalWorld();
    const { exit, out } = await holdfast(made, ['logs', made.taskId]);
    expect(exit).toBe(0);
    const lines = linesOf(out);
    for (const words of [
      /^2027-01-15T08:00:00.000Z state +SUBMITTED \(revision 1\)$/,
      /^\S+ segment +1 begins, after 0ms in the queue$/,
      /^\S+ wait +for approval \(pause 1\)$/,
    ])
      expect(lines.some((each) => words.test(each))).toBe(true);
    expect(lines.at(-1)).toMatch(/^the run is waiting_for_approval: approval for 0ms/);
    expect(out).not.toContain('a-secret-word');
  });

  it('shows each state of a revision that made two: a run that began at once', async () => {
    const made = await approvalWorld();
    const path = `/runs/${made.taskId}`;
    const request = async (url: string, init: RequestInit): Promise<Response> => {
      const answer = await fetch(url, init);
      if (!url.endsWith(path)) return answer;
      const run = (await answer.json()) as { timeline: { revision: number; state: string }[] };
      const [first] = run.timeline;
      const timeline = [first, { ...first, state: 'WORKING' }];
      return Response.json({ ...run, timeline });
    };
    const { out } = await holdfast(made, ['logs', made.taskId], { request });
    expect(out).toMatch(/state +SUBMITTED \(revision 1\)\n.*state +WORKING \(revision 1\)\n/);
  });

  it('shows content to those who may see it, and only if it is asked for', async () => {
    const made = await approvalWorld();
    const args = ['logs', made.taskId, '--content'];
    expect((await holdfast(made, args)).out).toContain('"secret": "a-secret-word"');
    expect((await holdfast(made, args, { as: 'not-view' })).out).not.toContain('a-secret-word');
  });

  it('shows sends and what operators did', async () => {
    const made = await unknownWorld();
    await holdfast(made, ['abandon', made.send, '--yes']);
    const { out } = await holdfast(made, ['logs', made.taskId]);
    expect(out).toMatch(/ send +to peer \S+ is abandoned/);
    expect(out).toMatch(/ operator +all: abandon /);
  });

  it('--json: one thing a line', async () => {
    const made = await approvalWorld();
    const { out } = await holdfast(made, ['logs', made.taskId, '--json']);
    const things = linesOf(out).map((each) => JSON.parse(each) as { at: string; kind: string });
    expect(things.map(({ kind }) => kind)).toContain('wait');
    expect(things.every(({ at }) => at.endsWith('Z'))).toBe(true);
  });

  it('--follow goes on over a server that is away, tells each thing once, and ends with the run', async () => {
    const made = await approvalWorld();
    let looks = 0;
    const follow = await holdfast(made, ['logs', made.taskId, '--follow'], {
      pause: async () => {
        looks += 1;
        if (looks !== 3) return;
        // While no look is answered.
        await holdfast(made, ['approve', made.taskId, '--yes']);
        await finish(made.world);
      },
      request: (url, init) => (looks === 2 ? Promise.reject(new Error('cut')) : fetch(url, init)),
    });
    expect(follow.exit).toBe(0);
    expect(follow.error).toMatch(
      /nothing answers at .*; trying again\nholdfast: the server is back\n$/,
    );
    const lines = linesOf(follow.out);
    expect(new Set(lines).size).toBe(lines.length);
    expect(follow.out).toMatch(/ decision +approve by operator, stored \(pause 1\)$/m);
    expect(follow.out).toMatch(/ state +COMPLETED /);
    expect(lines.at(-1)).toBe('the run is completed');
  });

  it('--follow ends with 1 where the run does not complete', async () => {
    const made = await approvalWorld();
    const { exit, out } = await holdfast(made, ['logs', made.taskId, '--follow'], {
      pause: async () => void (await holdfast(made, ['cancel', made.taskId, '--yes'])),
    });
    expect(exit).toBe(1);
    expect(linesOf(out).at(-1)).toBe('the run is cancelled');
  });

  it('breaks no line of a terminal', async () => {
    const made = await approvalWorld();
    const args = ['logs', made.taskId, '--content'];
    const { out } = await holdfast(made, args, { columns: () => 40 });
    for (const each of linesOf(stripVTControlCharacters(out)))
      expect(each.length).toBeLessThanOrEqual(40);
  });
});
