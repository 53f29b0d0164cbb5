import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { finish, rowOf } from '../app/turn-loop-world.ts';
import { begun, passes, sends, suspended, total, waitingWorld } from '../app/waiting.ts';
import { World } from '../app/world.ts';
import { type Api, Team } from '../operator/api.ts';
import { failedWorld } from '../operator/trying.ts';
import { apiOver } from '../operator/worlds.ts';
import { holdfast, type TerminalOptions } from './terminal.ts';

const patient = defineAgent({
  name: 'patient',
  description: 'Asks.',
  run(ctx) {
    if (ctx.text === 'go') ctx.ask('What?');
    throw new Error('it fails');
  },
});

/** So many runs that wait for an answer, and one that has ended. */
async function openWorld(count: number) {
  const team = new Team();
  const world = new World(patient, { grants: team });
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) ids.push((await world.send('go')).taskId);
  await world.send('fail');
  await finish(world);
  return { world, team, ids, api: await apiOver(world) };
}

/** A terminal at which a person types that. */
function typing(answer: string) {
  const asked: string[] = [];
  const ask = (question: string): Promise<string> => {
    asked.push(question);
    return Promise.resolve(answer);
  };
  return { asked, options: { ask } satisfies TerminalOptions };
}

const states = (world: World, ids: readonly string[]): Promise<readonly string[]> =>
  Promise.all(ids.map((id) => world.state(id)));

/** An API whose requests end, from the n-th on that does something. */
function endingAt(n: number): TerminalOptions {
  let posts = 0;
  return {
    request: (url, init) => {
      if (init.method === 'POST') posts += 1;
      return posts >= n ? Promise.reject(new Error('gone')) : fetch(url, init);
    },
  };
}

describe('cancelling many runs', () => {
  it('shows what it would be done to, by agent and state, and does nothing without the number', async () => {
    const made = await openWorld(12);
    const { asked, options } = typing('y');
    const no = await holdfast(made, ['cancel', '--agent', 'patient'], options);
    expect(no).toMatchObject({ exit: 1, error: 'holdfast: nothing was done\n' });
    expect(asked[0]).toMatch(/cancel +12 runs/v);
    expect(asked[0]).toMatch(/of +patient 12/v);
    expect(asked[0]).toMatch(/because +input 12/v);
    expect(asked[0]).toContain('... and 2 more');
    expect(asked[0]).toContain('Cancel 12 runs? Type 12 to say so: ');
    expect(new Set(await states(made.world, made.ids))).toEqual(new Set(['INPUT_REQUIRED']));
  });

  it('is done when the number is typed, with its progress', async () => {
    const made = await openWorld(12);
    const { options } = typing('12');
    const yes = await holdfast(made, ['cancel', '--agent', 'patient'], options);
    expect(yes).toMatchObject({ exit: 0, error: '' });
    expect(yes.out).toMatch(/8 of 12\n12 of 12\ndone +12\n/v);
    expect(new Set(await states(made.world, made.ids))).toEqual(new Set(['CANCELED']));
    const { acts = [] } = await rowOf(made.world, made.ids[0] ?? '');
    expect(acts.map(({ kind }) => kind)).toEqual(['cancel']);
  });

  it('without a terminal says which command does exactly that', async () => {
    const made = await openWorld(3);
    const refused = await holdfast(made, ['cancel', '--status', 'waiting_for_input']);
    expect(refused.exit).toBe(2);
    const [, paste = ''] = /holdfast (cancel .*)$/mv.exec(refused.error) ?? [];
    expect(paste).toMatch(/--confirm 3 --as-of 20/v);
    const done = await holdfast(made, paste.split(' '));
    expect(done).toMatchObject({ exit: 0 });
    expect(new Set(await states(made.world, made.ids))).toEqual(new Set(['CANCELED']));
  });

  it('leaves alone what was accepted since, and is not done to more than was confirmed', async () => {
    const made = await openWorld(3);
    const asOf = new Date(made.world.clock.now()).toISOString();
    await made.world.clock.advance(1_000);
    const { taskId } = await made.world.send('go');
    await finish(made.world);
    const bulk = ['cancel', '--agent', 'patient', '--as-of', asOf];
    const more = await holdfast(made, [...bulk, '--confirm', '2']);
    expect(more).toMatchObject({ exit: 1 });
    expect(more.error).toContain('these are 3 by now, more than the 2 of --confirm');
    expect(await holdfast(made, [...bulk, '--confirm', '3'])).toMatchObject({ exit: 0 });
    expect(await made.world.state(taskId)).toBe('INPUT_REQUIRED');
  });

  it.each([1, 2, 9, 12])(
    'that was killed at its act %i goes on by the same command, and is done once to each',
    async (n) => {
      const made = await openWorld(12);
      const asOf = new Date(made.world.clock.now()).toISOString();
      const command = ['cancel', '--agent', 'patient', '--confirm', '12', '--as-of', asOf];
      const killed = await holdfast(made, command, endingAt(n));
      expect(killed.exit).toBe(1);
      expect(killed.out).toContain('the API is not reached; the same command goes on');
      expect((await holdfast(made, command)).exit).toBe(0);
      for (const id of made.ids) {
        const { acts = [], status } = await rowOf(made.world, id);
        expect([status, acts.length]).toEqual(['cancelled', 1]);
      }
      expect((await holdfast(made, command)).out).toMatch(/cancel +0 runs/v);
    },
  );

  it('is done to the runs that the operator may cancel, and says how many are not theirs', async () => {
    const made = await openWorld(2);
    const dry = await holdfast(made, ['cancel', '--agent', 'patient', '--dry-run'], { as: 'view' });
    expect(dry.out).toMatch(/cancel +0 runs/v);
    expect(dry.out).toMatch(/not yours +2: the right cancel is missing/v);
  });

  it('as JSON is one document with what was done', async () => {
    const made = await openWorld(2);
    const asOf = new Date(made.world.clock.now()).toISOString();
    const bulk = ['cancel', '--agent', 'patient', '--json'];
    const dry = await holdfast(made, [...bulk, '--dry-run']);
    expect(JSON.parse(dry.out)).toEqual({ would: 2, asOf });
    const done = await holdfast(made, [...bulk, '--confirm', '2', '--as-of', asOf]);
    expect(JSON.parse(done.out)).toEqual({
      would: 2,
      asOf,
      done: 2,
      already: 0,
      refused: [],
      left: 0,
    });
  });

  it.each<[readonly string[], RegExp]>([
    [['cancel'], /id of the run is missing/v],
    [['cancel', '--agent', 'patient', '--yes'], /confirmed by their number/v],
    [['cancel', '--agent', 'patient', '--confirm', '2'], /goes with --as-of/v],
    [['cancel', '--agent', 'patient', '--confirm', 'x', '--as-of', '1h'], /number of runs/v],
    [['cancel', '--blocked', '--unknown-sends'], /do not go together/v],
    [['cancel', '--status', 'misspelt'], /misspelt/v],
  ])('%j is not understood', async (args, words) => {
    const made = await openWorld(1);
    const refused = await holdfast(made, args);
    expect(refused.error).toMatch(words);
    expect(refused.exit).toBe(2);
    expect(await states(made.world, made.ids)).toEqual(['INPUT_REQUIRED']);
  });
});

describe('sending many messages again', () => {
  async function unknownSends(count: number) {
    const team = new Team();
    const made = waitingWorld({ grants: team, peer: { canList: false } });
    const ids: string[] = [];
    for (let n = 0; n < count; n += 1) {
      made.peer.script('send', { kind: 'drop', when: 'before' });
      ids.push(await begun(made.world));
    }
    return { ...made, team, ids, api: await apiOver(made.world) };
  }

  it('is done once to each, also if it gets lost again and the command is repeated', async () => {
    const made = await unknownSends(3);
    const asOf = new Date(made.world.clock.now()).toISOString();
    await made.world.clock.advance(1_000);
    const command = ['resend', '--unknown-sends', '--confirm', '3', '--as-of', asOf];
    // The first of them gets lost once more.
    made.peer.script('send', { kind: 'drop', when: 'before' });
    expect(await holdfast(made, command)).toMatchObject({ exit: 0 });
    const again = await holdfast(made, command);
    expect(again.out).toMatch(/resend +0 runs/v);
    expect(again.out).toMatch(/left alone +1: done before/v);
    for (const id of made.ids) expect(sends(made.world, id)).toHaveLength(2);
    expect(total(made.peer.sends)).toBe(2);
  });

  it('or giving them up lets the runs go on', async () => {
    const made = await unknownSends(3);
    const { options } = typing('3');
    expect(await holdfast(made, ['abandon', '--unknown-sends'], options)).toMatchObject({
      exit: 0,
    });
    await passes(made.world, 5_000);
    expect(new Set(await states(made.world, made.ids))).toEqual(new Set(['COMPLETED']));
  });

  it('leaves a run alone whose outcome became known meanwhile', async () => {
    const made = await unknownSends(2);
    const [first = ''] = made.ids;
    const { dependency } = await suspended(made.world, first);
    const raced: TerminalOptions = {
      ask: async () => {
        await made.api.post(`/sends/${first}.${dependency.sendId}/abandon`);
        return '2';
      },
    };
    const done = await holdfast(made, ['abandon', '--unknown-sends'], raced);
    expect(done).toMatchObject({ exit: 0 });
    expect(done.out).toMatch(/done +1\nalready so +1\n/v);
  });
});

describe('retrying many runs', () => {
  /** Runs that failed, each in a context of its own. */
  async function failures() {
    const made = await failedWorld();
    for (const contextId of ['two', 'three']) await made.world.send('go', { contextId });
    await finish(made.world);
    made.broken.now = false;
    return made;
  }

  const runsOf = async (api: Api) => (await api.get('/runs')).body.runs;

  it('makes one of each, and none a second time, whatever is said again', async () => {
    const made = await failures();
    const dry = await holdfast(made, [
      'retry',
      '--reason',
      'AGENT_FAILED',
      '--since',
      '1h',
      '--dry-run',
    ]);
    expect(dry.out).toMatch(/retry +3 runs/v);
    expect(dry.out).toMatch(/because +AGENT_FAILED 3/v);
    const asOf = new Date(made.world.clock.now()).toISOString();
    const command = ['retry', '--reason', 'AGENT_FAILED', '--confirm', '3', '--as-of', asOf];
    const killed = await holdfast(made, command, endingAt(2));
    expect(killed.exit).toBe(1);
    await holdfast(made, command);
    await finish(made.world);
    expect(await runsOf(made.api)).toHaveLength(6);
    const { options } = typing('3');
    const later = await holdfast(made, ['retry', '--status', 'failed'], options);
    expect(later.out).toMatch(/retry +0 runs/v);
    expect(later.out).toMatch(/left alone +3: done before/v);
    expect(await runsOf(made.api)).toHaveLength(6);
    expect(made.ran.filter(({ tool }) => tool === 'pay')).toHaveLength(3);
  });

  it('says which were refused, and why', async () => {
    const made = await failures();
    await made.world.send('busy', { contextId: 'two' });
    const { options } = typing('3');
    const done = await holdfast(made, ['retry', '--status', 'failed'], options);
    expect(done.exit).toBe(1);
    expect(done.out).toMatch(/done +2\nrefused +1\n/v);
    expect(done.out).toContain('(CONTEXT_BUSY)');
  });
});

describe('retrying one run', () => {
  it('shows what is kept, asks, and shows the run that it made', async () => {
    const made = await failedWorld();
    made.broken.now = false;
    const dry = await holdfast(made, ['retry', made.taskId, '--dry-run']);
    expect(dry.out).toMatch(/kept +5 of 5 steps/v);
    const { asked, options } = typing('y');
    const done = await holdfast(made, ['retry', made.taskId], options);
    expect(done).toMatchObject({ exit: 0 });
    expect(asked[0]).toContain('Have it go on in a new task?');
    expect(done.out).toMatch(/status +queued/v);
  });

  it('names what must not run twice, and leaves the refusal to the API', async () => {
    const made = await failedWorld();
    const dry = await holdfast(made, ['fork', made.taskId, '--from', '2', '--dry-run']);
    expect(dry.out).toContain('pay (call-4-1, step 4, once): it ran');
    const refused = await holdfast(made, ['fork', made.taskId, '--from', '2', '--yes']);
    expect(refused).toMatchObject({ exit: 1 });
    expect(refused.error).toContain('--again');
    expect((await holdfast(made, ['fork', made.taskId])).error).toContain('--from is missing');
    const done = await holdfast(made, [
      'fork',
      made.taskId,
      '--from=1',
      '--edit=stop',
      '--again=call-4-1',
      '--yes',
    ]);
    expect(done).toMatchObject({ exit: 0 });
  });

  it('whose answer was lost says how to find what was made', async () => {
    const made = await failedWorld();
    const lost = await holdfast(made, ['retry', made.taskId, '--yes'], endingAt(2));
    expect(lost.exit).toBe(3);
    const [, id = ''] = /--request-id (\S+)/v.exec(lost.error) ?? [];
    const command = ['retry', made.taskId, '--yes', '--request-id', id];
    const first = await holdfast(made, [...command, '--json']);
    const second = await holdfast(made, [...command, '--json']);
    expect(JSON.parse(first.out)).toMatchObject({ run: { origin: { run: made.taskId } } });
    expect((JSON.parse(second.out) as { run: { id: string } }).run.id).toBe(
      (JSON.parse(first.out) as { run: { id: string } }).run.id,
    );
  });
});
