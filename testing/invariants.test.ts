import { expect, it } from 'vitest';
import { defineAgent } from '../shared/agent/index.ts';
import { World } from '../test/app/world.ts';
import type { Effect } from './effects.ts';
import { type Looked, problemsOf } from './invariants.ts';

const agent = defineAgent({
  name: 'greeter',
  description: 'Greets.',
  run: (ctx) => (ctx.text === '?' ? ctx.ask('Who?') : 'Hello.'),
});
const everyone = { allows: () => Promise.resolve(true) };

function problemsIn(world: World, over: Partial<Looked> = {}): Promise<readonly string[]> {
  const { backend } = world;
  return problemsOf({ host: world, backend, effects: [], completed: new Map(), ...over });
}

it('a completed task without what its agent ended with is told', async () => {
  const world = new World(agent);
  const { taskId } = await world.send('hi');
  await world.work();
  const ended = (artifact: string) =>
    new Map([[taskId, { words: [{ text: 'Hello.' }], artifactIds: new Set([artifact]) }]]);
  expect(await problemsIn(world, { completed: ended('letter') })).toEqual([
    `the task ${taskId} of greeter is completed without its artifact letter`,
  ]);
  const whole = new Map([
    [taskId, { words: [{ text: 'Hello.' }], artifactIds: new Set<string>() }],
  ]);
  expect(await problemsIn(world, { completed: whole })).toEqual([]);
});

it('what must not run twice and did is told, what may is not', async () => {
  const call = { kind: 'tool', agent: 'clerk', taskId: 't', attempt: 1 } as const;
  const effects: readonly Effect[] = [
    { ...call, name: 'pay', effect: 'once', callId: '1' },
    { ...call, name: 'pay', effect: 'once', callId: '2' },
    { ...call, name: 'look', effect: 'read', callId: '3' },
    { ...call, name: 'look', effect: 'read', callId: '3' },
    { ...call, name: 'pay', effect: 'once', callId: '1' },
  ];
  expect(await problemsIn(new World(agent), { effects })).toEqual([
    'the tool pay of clerk ran 2 times for one call, and must not (task t)',
  ]);
});

it('a run that nothing is done about, or that waits unseen, is told', async () => {
  const left = new World(agent, { grants: everyone });
  await left.send('hi');
  expect(await problemsIn(left)).toEqual([]);
  await left.clock.advance(600_000);
  expect(await problemsIn(left)).toEqual([expect.stringContaining('what is due was not done')]);

  for (const [grants, told] of [
    [{ allows: () => Promise.resolve(false) }, 1],
    [everyone, 0],
  ] as const) {
    const world = new World(agent, { grants });
    await world.send('?');
    await world.work();
    expect(await problemsIn(world)).toHaveLength(told);
  }
});
