import { describe, expect, it } from 'vitest';
import {
  type ModelAgentDeclaration,
  type ModelEntry,
  type ModelRequest,
  textOf,
} from '../../shared/agent/index.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { workKeyOf } from '../../shared/app/content/work-key.ts';
import { unsealFields } from '../../shared/app/content/content.ts';
import { boundStep } from '../../shared/app/content/bindings.ts';
import { stepDoc } from '../../shared/app/records/work-documents.ts';
import { call } from '../../testing/scripted-model.ts';
import { finish, modelAgent, rowOf, stepsOf } from './turn-loop-world.ts';
import { World } from './world.ts';

const choose = { calls: [call('choose', { at: 'a' })] };
const usage = { inputTokens: 10, outputTokens: 5 };

const isSummary = ({ tools }: ModelRequest): boolean => tools.length === 0;

/** Notes what it is told; asks when the client says `wait`; sums up what it finds of fruit. */
function talker(sums: (request: ModelRequest) => string = fruitIn) {
  const requests: ModelRequest[] = [];
  const summaries: ModelRequest[] = [];
  const model = {
    name: 'talker',
    turn(request: ModelRequest) {
      if (isSummary(request)) {
        summaries.push(request);
        return Promise.resolve({ text: sums(request), usage });
      }
      requests.push(request);
      const waits = JSON.stringify(request.transcript).includes('wait');
      return Promise.resolve(
        waits && request.transcript.length === 1 ? choose : { text: 'Noted.' },
      );
    },
  };
  return { model, requests, summaries };
}

function fruitIn({ transcript }: ModelRequest): string {
  const words = JSON.stringify(transcript).match(/plum|fig|kiwi|redacted/g) ?? [];
  return `Fruit: ${[...new Set(words)].join(', ')}.`;
}

const over: Partial<Omit<ModelAgentDeclaration, 'run'>> = {
  memory: { mode: 'summary', tokens: 90 },
};

async function say(world: World, text: string): Promise<string> {
  const { taskId } = await world.send(text, { contextId: 'talk' });
  await finish(world);
  await world.clock.advance(1);
  return taskId;
}

const long = (text: string): string => `${text} ${'x'.repeat(100)}`;

/** Four tasks, of which two fit, and one that waits and remembers them. */
async function waiting(made = talker()) {
  const agent = modelAgent(made.model, [], over);
  const world = new World(agent);
  const tasks = [];
  for (const fruit of ['secret plum', 'fig', 'kiwi', 'lime'])
    tasks.push(await say(world, long(fruit)));
  made.summaries.length = 0;
  const taskId = await say(world, 'wait');
  const goOn = async () => {
    await world.trySend([{ data: { n: 1 } }], { taskId });
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
  };
  return { ...made, goOn, taskId, tasks, world };
}

function linesOf(memory: readonly ModelEntry[] = []): readonly string[] {
  return memory.map((entry) => {
    if (entry.role === 'user') return textOf(entry.message).replace(/ x.*/, '');
    return entry.role === 'tool' ? '' : (entry.text ?? '');
  });
}

const SUMMARY = '[Summary of earlier tasks of this conversation, which is not shown any more:]\n';

describe('memory that sums up what does not fit', () => {
  it('has a summary of the older tasks before the newer ones, made once and with its cost', async () => {
    const { goOn, requests, summaries, taskId, tasks, world } = await waiting();
    expect(linesOf(requests.at(-1)?.memory)).toEqual([
      `${SUMMARY}Fruit: plum, fig.`,
      'kiwi',
      'Noted.',
      'lime',
      'Noted.',
    ]);
    expect(await stepsOf(world, taskId)).toMatchObject([
      { opening: { memory: { older: tasks.slice(0, 2), more: false } } },
      { kind: 'summary', reason: 'memory', through: 0, sources: tasks.slice(0, 2), by: 'talker' },
      { kind: 'turn' },
    ]);
    expect((await rowOf(world, taskId)).spent).toMatchObject({ rounds: 2, tokens: 15 });
    await goOn();
    expect(summaries).toHaveLength(1);
    expect(linesOf(requests.at(-1)?.memory)[0]).toBe(`${SUMMARY}Fruit: plum, fig.`);
  });

  it('goes on without one when its model makes none, and does not ask again', async () => {
    const { goOn, requests, summaries } = await waiting(talker(() => ''));
    expect(summaries).toHaveLength(1);
    expect(linesOf(requests.at(-1)?.memory)[0]).toMatch(/began earlier/);
    await goOn();
    expect(summaries).toHaveLength(1);
  });

  it.each<[string, (world: World, id: string) => Promise<unknown>, string]>([
    ['purged', ({ app }, id) => purgeRun(app, id), 'Fruit: fig.'],
    [
      'tightened to none',
      ({ app }, id) => tightenCeiling(app, id, { answer: 'none' }),
      'Fruit: fig.',
    ],
    [
      'tightened to redacted',
      ({ app }, id) => tightenCeiling(app, id, { answer: 'redacted' }),
      'Fruit: plum, fig.',
    ],
  ])(
    'of a task that is %s it has no word left at that commit, and is made anew',
    async (_what, end, left) => {
      const { goOn, requests, summaries, taskId, tasks, world } = await waiting();
      const [first = ''] = tasks;
      expect(JSON.stringify(await stepsOf(world, taskId))).toContain('plum');
      await end(world, first);
      expect(JSON.stringify(await stepsOf(world, taskId))).not.toContain('plum');
      expect(await stepsOf(world, taskId)).toHaveLength(3);
      await goOn();
      expect(summaries).toHaveLength(2);
      expect(JSON.stringify(summaries[1])).not.toContain('secret');
      expect(linesOf(requests.at(-1)?.memory)[0]).toBe(`${SUMMARY}${left}`);
    },
  );

  it('seals it so that the key of its run alone does not open it', async () => {
    const { taskId, world } = await waiting();
    const run = await rowOf(world, taskId);
    const { key } = await workKeyOf(world.app, run);
    const doc = await world.app.store.get(stepDoc(taskId, 2));
    if (doc === undefined) throw new Error('no step');
    const { path } = stepDoc(taskId, 2);
    const opened = JSON.stringify(await unsealFields(world.app, key, path, doc, boundStep(doc)));
    expect(opened).toContain('"kind":"summary"');
    expect(opened).not.toContain('plum');
    const { text } = JSON.parse(opened) as { text: string };
    expect(Buffer.from(text, 'base64').toString('latin1')).not.toContain('plum');
  });
});
