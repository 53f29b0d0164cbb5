import { describe, expect, it } from 'vitest';
import { finish } from '../app/turn-loop-world.ts';
import { approvalWorld } from '../operator/worlds.ts';
import { holdfast } from './terminal.ts';

/** A person who gives these answers, and what that person was shown. */
function person(...answers: readonly string[]) {
  const shown: string[] = [];
  const left = [...answers];
  const ask = (question: string): Promise<string> => {
    shown.push(question);
    return Promise.resolve(left.shift() ?? '');
  };
  return { ask, shown };
}

describe('approve --next', () => {
  it('shows each call whole, and does what is answered', async () => {
    const made = await approvalWorld();
    const { ask, shown } = person('what?', 'y');
    const { exit, out } = await holdfast(made, ['approve', '--next'], { ask });
    expect(exit).toBe(0);
    expect(out).toMatch(/^approve: stored as \S+\n\napproved 1, denied 0, skipped 0\n$/);
    // An answer that is none is asked for again.
    expect(shown).toHaveLength(2);
    expect(shown[0]).toContain(`approval of modelled, run ${made.taskId}, pause 1`);
    expect(shown[0]).toContain('"secret": "a-secret-word"');
    await finish(made.world);
    expect(made.ran).toHaveLength(1);
  });

  it('denies, and skips', async () => {
    const denied = await approvalWorld();
    const no = await holdfast(denied, ['approve', '--next'], { ask: person('n').ask });
    expect(no.out).toContain('approved 0, denied 1, skipped 0');
    await finish(denied.world);
    expect(denied.ran).toEqual([]);
    expect(JSON.stringify(denied.model.seen)).toContain('An operator declined this turn.');
    const skipped = await approvalWorld();
    const skip = await holdfast(skipped, ['approve', '--next'], { ask: person('s').ask });
    expect(skip.out).toBe('approved 0, denied 0, skipped 1\n');
  });

  it('asks why it is denied, and the model is told', async () => {
    const installation = { answer: 'full', audit: 'full' } as const;
    const made = await approvalWorld({ installation });
    const { ask, shown } = person('n', 'Ask for the invoice first.');
    await holdfast(made, ['approve', '--next'], { ask });
    expect(shown.at(-1)).toContain('Why, for its model to read?');
    await finish(made.world);
    expect(made.ran).toEqual([]);
    expect(JSON.stringify(made.model.seen)).toContain('Why: Ask for the invoice first.');
    const { out } = await holdfast(made, ['trail', made.taskId]);
    expect(out).toContain('Ask for the invoice first.');
  });

  it.each(['q', ''])('decides nothing on %j', async (answer) => {
    const made = await approvalWorld();
    const { out } = await holdfast(made, ['approve', '--next'], { ask: person(answer).ask });
    expect(out).toBe('no approval was decided\n');
    expect((await made.api.get(`/runs/${made.taskId}`)).body.decisions).toEqual([]);
  });

  it('decides about what was shown: what another decided meanwhile is left', async () => {
    const made = await approvalWorld();
    const ask = async (): Promise<string> => {
      await holdfast(made, ['deny', made.taskId, '--yes']);
      return 'y';
    };
    const { out } = await holdfast(made, ['approve', '--next'], { ask });
    expect(out).toContain('nothing was decided: ');
    await finish(made.world);
    expect(made.ran).toEqual([]);
  });

  it('is for a terminal, and for no other way to say what is meant', async () => {
    const made = await approvalWorld();
    const without = await holdfast(made, ['approve', '--next']);
    expect(without).toMatchObject({
      exit: 2,
      error: expect.stringContaining('there is no terminal to ask at') as string,
    });
    for (const more of [[made.taskId], ['--yes'], ['--generation', '1']]) {
      const { exit } = await holdfast(made, ['approve', '--next', ...more], person('y'));
      expect(exit).toBe(2);
    }
    expect((await made.api.get(`/runs/${made.taskId}`)).body.decisions).toEqual([]);
  });
});
