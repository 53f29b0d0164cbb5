import { describe, expect, it } from 'vitest';
import { defineAgent, RetryLater, TaskFailed } from '../../shared/agent/index.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { tightenAll } from '../../shared/app/privacy/tighten-all.ts';
import type { Ceiling } from '../../shared/domain/ceiling.ts';
import { call } from '../../testing/scripted-model.ts';
import { finish, modelAgent, type Ran, toolbox } from '../app/turn-loop-world.ts';
import { ScriptedModel } from '../../testing/scripted-model.ts';
import { row } from '../app/waiting.ts';
import { World } from '../app/world.ts';
import { holdfast } from '../cli/terminal.ts';
import { type Api, Team } from './api.ts';
import { apiOver } from './worlds.ts';

const WORDS = 'ada@example.com is no customer';

async function failed(
  audit: Ceiling,
  run: () => string = () => {
    throw Object.assign(new TypeError(WORDS), { status: 401 });
  },
) {
  const agent = defineAgent({ name: 'wrong', description: 'Goes wrong.', run });
  const world = new World(agent, {
    grants: new Team(),
    installation: { answer: 'full', audit },
  });
  const { taskId } = await world.send('go');
  await world.work();
  const api: Api = await apiOver(world);
  const shown = async (as?: string) =>
    (await api.get(`/runs/${taskId}`, as)).body as unknown as { errors: readonly object[] };
  return { world, api, taskId, shown };
}

const facts = { where: 'agent', attempt: 1, fault: 'TypeError', status: 401 };

describe("what an agent's code threw", () => {
  it.each<[Ceiling, unknown]>([
    ['none', []],
    ['metadata', [{ ...facts, at: expect.any(String) as unknown }]],
    [
      'full',
      [
        {
          ...facts,
          at: expect.any(String) as unknown,
          words: expect.stringContaining(`TypeError: ${WORDS}\n    at `) as unknown,
        },
      ],
    ],
  ])('is kept as far as the audit ceiling %s lets it', async (audit, errors) => {
    const { shown } = await failed(audit);
    expect((await shown()).errors).toEqual(errors);
  });

  it('is redacted where the ceiling says so, and sealed in the row', async () => {
    const { shown, taskId, world } = await failed('redacted');
    const [error] = (await shown()).errors as readonly { words: string }[];
    expect(error?.words).toContain('TypeError');
    expect(error?.words).not.toBe('');
    const [kept] = (await row(world, taskId)).errors ?? [];
    expect(Buffer.from(kept?.words ?? []).toString('latin1')).not.toContain('TypeError');
  });

  it('has words only for operators who may see content', async () => {
    const { api, shown, taskId } = await failed('full');
    expect((await shown('not-view')).errors).toMatchObject([facts]);
    expect(JSON.stringify(await shown('not-view'))).not.toContain(WORDS);
    const seen = await holdfast({ api }, ['run', taskId]);
    expect(seen.out).toMatch(/\nerrors\n {2}at +where +attempt +class +status\n/);
    expect(seen.out).toContain(`    | TypeError: ${WORDS}\n`);
  });

  it('is there with its try, and the newest five are kept', async () => {
    const tries = await failed('full', () => {
      throw new RetryLater('not now');
    });
    // What is tried again says why, too.
    expect((await tries.shown()).errors).toMatchObject([
      { where: 'segment', fault: 'RetryLater', attempt: 1 },
    ]);
    const words = await failed('full', () => {
      throw new TaskFailed('no table');
    });
    expect((await words.shown()).errors).toMatchObject([{ fault: 'TaskFailed' }]);
  });

  it('of tools comes with the step that follows, and ends with the newest five', async () => {
    const ran: Ran[] = [];
    const model = new ScriptedModel(
      ...Array.from({ length: 7 }, (_, at) => ({ calls: [call('look', { at: `${at}` })] })),
      { text: 'done' },
    );
    const agent = modelAgent(model, ran, {
      tools: toolbox(ran, () => {
        throw new RangeError('broken');
      }),
    });
    const world = new World(agent, { grants: new Team(), installation: FULL });
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    const { errors = [] } = await row(world, taskId);
    expect(errors).toHaveLength(5);
    expect(errors.every(({ fault, where }) => where === 'tool' && fault === 'RangeError')).toBe(
      true,
    );
  });

  it.each(['metadata', 'redacted'] as const)(
    'loses its words when the audit ceiling is tightened to %s afterwards',
    async (audit) => {
      const { shown, world } = await failed('full');
      await tightenAll(world.app, { audit, dryRun: false });
      expect((await shown()).errors).toEqual([{ ...facts, at: expect.any(String) as unknown }]);
    },
  );

  it('loses its words with the key of its run', async () => {
    const { shown, taskId, world } = await failed('full');
    await tightenCeiling(world.app, taskId, { answer: 'redacted' });
    expect((await shown()).errors).toEqual([{ ...facts, at: expect.any(String) as unknown }]);
  });
});

const FULL = { answer: 'full', audit: 'full' } as const;
