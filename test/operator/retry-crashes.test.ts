import { describe, expect, it } from 'vitest';
import { type Break, Breaking, BREAKS } from '../../testing/breaking.ts';
import { finish, rowOf } from '../app/turn-loop-world.ts';
import { World } from '../app/world.ts';
import { call, type Scripted } from '../../testing/scripted-model.ts';
import { Api } from './api.ts';
import { type Failed, type FailedOptions, failedWorld, newRequest } from './trying.ts';

type Verb = 'retry' | 'fork';

interface Case {
  readonly verb: Verb;
  readonly body: object;
  /** How often `pay` runs, in the end. */
  readonly pays: number;
  readonly options?: () => FailedOptions;
}

/** It looked, paid, and asks a person; made once more it ends. */
function asking(): FailedOptions {
  const turns: string[] = [];
  const last: Scripted = () =>
    turns.push('asked') === 1 ? { calls: [call('choose', { at: 'shelf' })] } : { text: 'done' };
  const paid = [{ calls: [call('look', { at: 'shelf' })] }, { calls: [call('pay', { at: 'b' })] }];
  return { script: [...paid, last] };
}

const CASES: readonly (readonly [string, Case])[] = [
  ['retry', { verb: 'retry', body: {}, pays: 1 }],
  ['fork', { verb: 'fork', body: { from: 4, again: ['call-4-1'] }, pays: 2 }],
  [
    'fork of a run that waits',
    { verb: 'fork', body: { from: 6, cancel: true }, pays: 1, options: asking },
  ],
];

/** Asks a second process, whose store breaks at that call. */
async function broken(made: Failed, verb: Verb, body: object, at: number, how: Break) {
  const { agent, team, taskId, world } = made;
  const breaking = new Breaking(at, how);
  const second = new World(agent, {
    below: world,
    grants: team,
    installation: world.app.installation,
    settings: { transactionDeadline: 200 },
    wrap: (backend) => breaking.store(backend),
  });
  const api = await Api.over(second.app, second.principal.agent);
  const asked = api.post(`/runs/${taskId}/${verb}`, body).catch(() => undefined);
  const gone = async (): Promise<void> => {
    while (!breaking.dead) await new Promise<void>((resolve) => setImmediate(resolve));
    await second.rest();
  };
  await Promise.race([asked, gone()]);
  api.close();
  // Its queue dies with it; the sweeper of the other process finds what is due.
  return breaking;
}

const runsOf = async ({ api, taskId }: Failed): Promise<readonly string[]> =>
  (await api.get('/runs')).body.runs.map(({ id }) => id).filter((id) => id !== taskId);

describe.each(CASES)(
  'a %s that is broken at any call of the store',
  (_what, { body: more, options, pays, verb }) => {
    it.each(BREAKS)(
      '(%s) and asked for again makes one run, which does its work once',
      async (how) => {
        let made = 0;
        for (let at = 1, over = false; !over; at += 1) {
          const failed = await failedWorld(options?.());
          failed.broken.now = false;
          const body = { requestId: newRequest(), ...more };
          const breaking = await broken(failed, verb, body, at, how);
          over = breaking.calls < at;
          const where = `call ${at}: ${breaking.names.join(' ')}`;
          const before = await runsOf(failed);
          expect(before.length, where).toBeLessThanOrEqual(1);
          made += before.length;
          const again = await failed.api.post(`/runs/${failed.taskId}/${verb}`, body);
          expect(again.status, `${where}: ${JSON.stringify(again.body)}`).toBe(200);
          await finish(failed.world);
          const [id = '', ...others] = await runsOf(failed);
          expect(others, where).toEqual([]);
          if (before[0] !== undefined) expect(id).toBe(before[0]);
          const run = await rowOf(failed.world, id);
          // One that was made by the process that died is due, and no wake-up is left of it.
          if (run.status === 'queued') {
            await failed.world.clock.advance(60_000);
            const { sweep } = await import('../../shared/app/worker/sweep.ts');
            await sweep(failed.world.app);
            await finish(failed.world);
          }
          expect(await failed.world.state(id), where).toBe('COMPLETED');
          const paid = failed.ran.filter(({ tool }) => tool === 'pay');
          expect(paid, where).toHaveLength(pays);
          const { acts = [] } = await rowOf(failed.world, failed.taskId);
          expect(
            acts.map(({ kind, task }) => [kind, task]),
            where,
          ).toEqual([[verb, id]]);
        }
        expect(made).toBeGreaterThan(0);
      },
    );

    it.each(BREAKS)(
      '(%s) and asked for as another request, unless it was tried, makes one run, too',
      async (how) => {
        for (let at = 1, over = false; !over; at += 1) {
          const failed = await failedWorld(options?.());
          failed.broken.now = false;
          const body = { unlessTried: true, ...more };
          const first = { requestId: newRequest(), ...body };
          const breaking = await broken(failed, verb, first, at, how);
          over = breaking.calls < at;
          const second = { requestId: newRequest(), ...body };
          const again = await failed.api.post(`/runs/${failed.taskId}/${verb}`, second);
          const where = `call ${at}: ${breaking.names.join(' ')}: ${JSON.stringify(again.body)}`;
          expect([200, 409], where).toContain(again.status);
          expect(await runsOf(failed), where).toHaveLength(1);
        }
      },
    );
  },
);
