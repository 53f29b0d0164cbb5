import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askAtTerminal, sameCommand } from '../../functions/cli/confirm.ts';
import { finish } from '../app/turn-loop-world.ts';
import { approvalWorld, inputWorld, unknownWorld } from '../operator/worlds.ts';
import { holdfast } from './terminal.ts';

/** A person who gives one answer, and what that person was shown. */
function person(answer: string, first: () => Promise<unknown> = () => Promise.resolve()) {
  const shown: string[] = [];
  const ask = async (question: string): Promise<string> => {
    shown.push(question);
    await first();
    return answer;
  };
  return { ask, shown };
}

/** The arguments of the command that an error says to paste. */
function pasted(error: string): readonly string[] {
  const [line = ''] = error.match(/(?<=\n {2}npx --no holdfast ).*(?=\n$)/) ?? [];
  return line.split(' ');
}

describe('a decision that names no pause', () => {
  it.each(['approve', 'deny'] as const)('%s: shows the calls, and asks', async (kind) => {
    const made = await approvalWorld();
    const { ask, shown } = person('y');
    const { exit, out } = await holdfast(made, [kind, made.taskId], { ask });
    expect({ exit, out }).toMatchObject({
      exit: 0,
      out: expect.stringContaining(`decided  ${kind}, pause 1`) as string,
    });
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain('call erase\n    | Erase what is at disk 1.');
    expect(shown[0]).toContain('"secret": "a-secret-word"');
    expect(shown[0]).toMatch(/\n(Approve|Deny)\? \[y\/N\] $/);
    await finish(made.world);
    expect(made.ran).toHaveLength(kind === 'approve' ? 1 : 0);
  });

  it.each(['', 'n', 'yesterday', 'no, yes'])('does nothing on the answer "%s"', async (answer) => {
    const made = await approvalWorld();
    const { error, exit } = await holdfast(made, ['approve', made.taskId], person(answer));
    expect({ error, exit }).toEqual({ error: 'holdfast: nothing was done\n', exit: 1 });
    expect((await made.api.get(`/runs/${made.taskId}`)).body.status).toBe('waiting_for_approval');
  });

  it('is about what was shown: a pause that ended meanwhile is not decided', async () => {
    const made = await approvalWorld();
    const late = person('y', () => holdfast(made, ['deny', made.taskId, '--yes']));
    const { error, exit } = await holdfast(made, ['approve', made.taskId], late);
    expect({ error, exit }).toMatchObject({
      exit: 1,
      error: expect.stringContaining('(PAUSE_OVER)') as string,
    });
    await finish(made.world);
    expect(made.ran).toEqual([]);
  });

  it('shows who may not see content that there is something to see, and asks all the same', async () => {
    const made = await approvalWorld();
    const { ask, shown } = person('');
    await holdfast(made, ['approve', made.taskId], { ask, as: 'not-view' });
    expect(shown[0]).toContain('(what is asked needs the right view)');
    expect(shown[0]).not.toContain('secret');
  });

  it('without a terminal does nothing, and says which command does exactly this', async () => {
    const made = await approvalWorld();
    const { error, exit, out } = await holdfast(made, ['approve', made.taskId, '--direct']);
    expect({ exit, out }).toEqual({ exit: 2, out: '' });
    expect(error).toContain('call erase\n    | Erase what is at disk 1.');
    const command = pasted(error);
    expect(command.slice(0, 5)).toEqual(['approve', made.taskId, '--direct', '--generation', '1']);
    const done = await holdfast(made, command);
    expect(done.out).toContain('status  completed\n');
    expect(made.ran).toHaveLength(1);
  });

  it('an input is shown with its question first, too', async () => {
    const made = await inputWorld();
    const refused = await holdfast(made, ['input', made.taskId, '2']);
    expect(refused.exit).toBe(2);
    expect(refused.error).toContain('wants {');
    const { ask, shown } = person('yes');
    expect((await holdfast(made, ['input', made.taskId, '{"n":2}'], { ask })).exit).toBe(0);
    expect(shown[0]).toContain('Put that in? [y/N] ');
    await finish(made.world);
    expect(made.ran).toMatchObject([{ input: { n: 2 } }]);
  });
});

describe('a decision that names its pause', () => {
  it.each([['--generation'], ['--digest']] as const)(
    'by %s alone is not asked about',
    async (by) => {
      const made = await approvalWorld();
      const { waitsFor } = (await made.api.get(`/runs/${made.taskId}`)).body;
      const value = by === '--digest' ? waitsFor.digest : String(waitsFor.generation);
      expect((await holdfast(made, ['approve', made.taskId, by, value])).exit).toBe(0);
      await finish(made.world);
      expect(made.ran).toHaveLength(1);
    },
  );

  it.each([
    ['--generation', '7', 'PAUSE_OVER'],
    ['--digest', 'x', 'DECISION_MISMATCH'],
  ])('%s %s decides nothing else: %s', async (by, value, code) => {
    const made = await approvalWorld();
    const { error, exit } = await holdfast(made, ['approve', made.taskId, by, value]);
    expect({ exit, error }).toMatchObject({
      exit: 1,
      error: expect.stringContaining(`(${code})`) as string,
    });
    await finish(made.world);
    expect(made.ran).toEqual([]);
  });
});

describe('what else can not be taken back', () => {
  it.each([
    ['resend', 'Send it again'],
    ['abandon', 'Give it up'],
  ])('%s asks first', async (verb, question) => {
    const made = await unknownWorld();
    const refused = await holdfast(made, [verb, made.send]);
    expect(refused).toMatchObject({ exit: 2, out: '' });
    expect(refused.error).toMatch(/^of +agent, to peer\nstate +outcome_unknown/m);
    expect(pasted(refused.error)).toEqual([verb, made.send, '--yes']);
    expect((await holdfast(made, [verb, made.send], person('n'))).exit).toBe(1);
    const before = (await made.api.get(`/runs/${made.taskId}`)).body;
    expect(before.acts).toEqual([]);
    const { ask, shown } = person('y');
    expect((await holdfast(made, [verb, made.send], { ask })).exit).toBe(0);
    expect(shown[0]).toContain(question);
    const { acts } = (await made.api.get(`/runs/${made.taskId}`)).body;
    expect(acts).toMatchObject([{ kind: verb }]);
  });

  it('cancel asks first, with what the run does', async () => {
    const made = await approvalWorld();
    const refused = await holdfast(made, ['cancel', made.taskId]);
    expect(refused).toMatchObject({ exit: 2, out: '' });
    expect(refused.error).toMatch(/^status +waiting_for_approval$/m);
    const { ask } = person('y');
    expect((await holdfast(made, ['cancel', made.taskId], { ask })).out).toContain('cancelled');
  });

  it('is not asked about where the answer would change nothing', async () => {
    const made = await approvalWorld();
    const { ask, shown } = person('y');
    for (const [verb, as] of [
      ['approve', 'not-decide'],
      ['cancel', 'not-cancel'],
    ] as const) {
      const { error } = await holdfast(made, [verb, made.taskId], { ask, as });
      expect(error).toContain('(PERMISSION_DENIED)');
    }
    await holdfast(made, ['cancel', made.taskId, '--yes']);
    await holdfast(made, ['cancel', made.taskId], { ask });
    expect(shown).toEqual([]);
  });
});

describe('the command to paste', () => {
  it('is the one that was given, as a shell reads it, without its token', () => {
    const given = ['input', 'r1', `it's "so"`, '--token', 'secret', '--url', 'http://127.0.0.1:1'];
    expect(sameCommand(given, '--generation', '2')).toBe(
      `npx --no holdfast input r1 'it'\\''s "so"' --token TOKEN --url http://127.0.0.1:1 --generation 2`,
    );
    expect(sameCommand(['runs', '--token=secret'])).toBe('npx --no holdfast runs --token=TOKEN');
  });
});

describe('the terminal', () => {
  const terminal = () => {
    const input = Object.assign(new PassThrough(), { isTTY: true });
    const output = Object.assign(new PassThrough(), { isTTY: true });
    return { input, output };
  };

  it('is asked on its error output, and answers with a line', async () => {
    const there = terminal();
    const answer = askAtTerminal(undefined, there)?.('Sure? ');
    there.input.write('y\nmore\n');
    expect(await answer).toBe('y');
    expect(String(there.output.read())).toBe('Sure? ');
  });

  it('answers nothing when its input ends, and when the command is ended', async () => {
    const closed = terminal();
    const first = askAtTerminal(undefined, closed)?.('Sure? ');
    closed.input.end();
    expect(await first).toBe('');
    const ending = new AbortController();
    const second = askAtTerminal(ending.signal, terminal())?.('Sure? ');
    ending.abort();
    expect(await second).toBe('');
  });

  it.each(['input', 'output'] as const)('is none where %s is no terminal', (which) => {
    const there = terminal();
    there[which].isTTY = false;
    expect(askAtTerminal(undefined, there)).toBeUndefined();
  });
});
