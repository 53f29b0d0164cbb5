import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineAgent,
  type DefinedAgent,
  RetryLater,
  StepFailed,
  type StepsAgentDeclaration,
  TaskFailed,
} from '../../shared/agent/index.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { Peer } from '../../testing/peer.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import { decide, everythingGranted, finish, rowOf } from './turn-loop-world.ts';
import { latch, World, type WorldOptions } from './world.ts';
import { withCommit } from './wrapped.ts';

type Steps = StepsAgentDeclaration['steps'];

const agentOf = (steps: Steps, more: Partial<StepsAgentDeclaration> = {}) =>
  defineAgent({ name: 'flow', description: 'Works in steps.', ...more, steps });

async function begun(
  steps: Steps,
  more: Partial<StepsAgentDeclaration> = {},
  over: WorldOptions = {},
) {
  const world = new World(agentOf(steps, more), { grants: everythingGranted, ...over });
  const { taskId } = await world.send('go');
  await world.work();
  return { world, taskId };
}

const wordsOf = async (world: World, taskId: string) => {
  const { status } = await world.get(taskId);
  return `${status.state}: ${JSON.stringify(status.message?.parts)}`;
};

const HOUR = 3_600_000;

describe('a function that works in steps', () => {
  it('runs each step once, over a sleep that no worker holds, and ends with what it returns', async () => {
    const ran: string[] = [];
    const { taskId, world } = await begun(async (ctx) => {
      const one = await ctx.step('one', () => {
        ran.push('one');
        return { n: 1, at: new Date(0) };
      });
      await ctx.sleep('2 h');
      return ctx.step('two', ({ key }) => {
        ran.push('two');
        return `${key.split('.')[1]} after ${one.n} at ${one.at} for ${ctx.text}`;
      });
    });
    expect(ran).toEqual(['one']);
    const asleep = await rowOf(world, taskId);
    expect(asleep).toMatchObject({ status: 'queued', asleep: true, attempts: 0, steps: 4 });
    expect(asleep.status === 'queued' && asleep.notBefore - world.clock.now()).toBe(2 * HOUR);
    await world.clock.advance(2 * HOUR);
    await world.work();
    expect(ran).toEqual(['one', 'two']);
    expect(await wordsOf(world, taskId)).toBe(
      'COMPLETED: [{"text":"3 after 1 at 1970-01-01T00:00:00.000Z for go"}]',
    );
  });

  it('commits a step and its result in one transaction', async () => {
    let commits = 0;
    const { taskId, world } = await begun(
      async (ctx) => {
        const before = commits;
        for (let n = 0; n < 10; n += 1) await ctx.step(`step ${n}`, () => n);
        return `${commits - before} commits`;
      },
      {},
      {
        wrap: (backend) =>
          withCommit(backend, (...given) => {
            commits += 1;
            return backend.commit(...given);
          }),
      },
    );
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: [{"text":"10 commits"}]');
  });

  it('tells what a step threw each time that the run comes by there', async () => {
    const seen: unknown[] = [];
    const { taskId, world } = await begun(async (ctx) => {
      try {
        await ctx.step('pay', () => {
          throw new RangeError('no such account');
        });
      } catch (error) {
        seen.push(error instanceof StepFailed && [error.fault, error.message]);
      }
      await ctx.sleep('1 d');
      return 'made good';
    });
    await world.clock.advance(24 * HOUR);
    await finish(world);
    expect(seen).toEqual([
      ['RangeError', 'no such account'],
      ['RangeError', 'no such account'],
    ]);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: [{"text":"made good"}]');
  });

  it('shows the words of a TaskFailed that a step threw, and of nothing else', async () => {
    const failing =
      (error: Error): Steps =>
      (ctx) =>
        ctx.step('pay', () => {
          throw error;
        });
    const told = await begun(failing(new TaskFailed('The account is closed.')));
    expect(await wordsOf(told.world, told.taskId)).toBe(
      'FAILED: [{"text":"The account is closed."}]',
    );
    const untold = await begun(failing(new Error('secret')));
    expect(await wordsOf(untold.world, untold.taskId)).toBe(
      'FAILED: [{"text":"The agent failed."}]',
    );
  });

  it('runs a step again that asks for it, and no earlier one', async () => {
    const ran: string[] = [];
    const { taskId, world } = await begun(async (ctx) => {
      await ctx.step('first', () => void ran.push('first'));
      return ctx.step('second', ({ attempt }) => {
        ran.push(`second, try ${attempt}`);
        if (attempt < 3) throw new RetryLater('not yet', { delay: 1_000 });
        return 'done';
      });
    });
    for (let second = 0; second < 3; second += 1) {
      await world.clock.advance(1_000);
      await finish(world);
    }
    expect(ran).toEqual(['first', 'second, try 1', 'second, try 2', 'second, try 3']);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: [{"text":"done"}]');
  });

  it('shows what is shown between steps once, however often the function runs', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      await ctx.status('begun');
      await ctx.artifact({ parts: 'first' });
      await ctx.step('one', () => 1);
      await ctx.artifact({ artifactId: 'list', parts: 'a', lastChunk: false });
      await ctx.sleep('1 h');
      await ctx.artifact({ artifactId: 'list', parts: 'b', append: true });
      await ctx.sleep('1 h');
      await ctx.artifact({ parts: 'last' });
      return 'done';
    });
    for (let hour = 0; hour < 2; hour += 1) {
      await world.clock.advance(HOUR);
      await finish(world);
    }
    const { artifacts, history } = await world.get(taskId);
    expect(artifacts.map(({ artifactId, parts }) => [artifactId, JSON.stringify(parts)])).toEqual([
      ['artifact-2', '[{"text":"first"}]'],
      ['list', '[{"text":"a"},{"text":"b"}]'],
      ['artifact-5', '[{"text":"last"}]'],
    ]);
    expect(JSON.stringify(history).split('begun')).toHaveLength(2);
  });
});

describe('what a function waits for', () => {
  it('an approval is for exactly its details, and the function goes on with the decision', async () => {
    const paid: string[] = [];
    const pays: Steps = async (ctx) => {
      const { approved, by } = await ctx.approve('pay', {
        summary: 'Pay 10 to Ada.',
        details: { to: 'Ada', amount: 10 },
      });
      if (!approved) return `not paid: ${by}`;
      await ctx.step('pay', () => void paid.push('Ada'), { effect: 'once' });
      return 'paid';
    };
    const yes = await begun(pays);
    expect(await rowOf(yes.world, yes.taskId)).toMatchObject({ status: 'waiting_for_approval' });
    expect(await wordsOf(yes.world, yes.taskId)).toContain('Pay 10 to Ada.');
    await decide(yes.world, yes.taskId, 'approve');
    await finish(yes.world);
    expect(await wordsOf(yes.world, yes.taskId)).toBe('COMPLETED: [{"text":"paid"}]');
    const no = await begun(pays);
    await decide(no.world, no.taskId, 'deny');
    await finish(no.world);
    expect(await wordsOf(no.world, no.taskId)).toBe('COMPLETED: [{"text":"not paid: operator"}]');
    expect(paid).toEqual(['Ada']);
  });

  it('a question answers with what the caller says, and the message of the task stays', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      const { n } = await ctx.ask('How many?', z.object({ n: z.number() }));
      const words = await ctx.ask('Which colour?');
      return `${ctx.text}: ${n} of ${JSON.stringify(words.parts)}`;
    });
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    await world.trySend([{ data: { n: 3 } }], { taskId });
    await finish(world);
    await world.send('red', { taskId });
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe(
      'COMPLETED: [{"text":"go: 3 of [{\\"text\\":\\"red\\"}]"}]',
    );
  });

  it('an operator may answer a question, too', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      const { n } = await ctx.ask('How many?', z.object({ n: z.number() }));
      return `${n}`;
    });
    await decide(world, taskId, 'input', { n: 4 });
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: [{"text":"4"}]');
  });

  it('another agent is sent one message, while no worker is held', async () => {
    const peer = new Peer();
    const { taskId, world } = await begun(
      async (ctx) => {
        const { artifacts, status } = await ctx.call('peer', 'please');
        return `${status}, ${artifacts.length}`;
      },
      { remotes: [remoteAt('https://peer.example/card')] },
      { remotes: new MemoryRemoteAgents(peer) },
    );
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'waiting_for_dependency' });
    peer.settle('remote-task-1', 'COMPLETED', 'the answer');
    await world.clock.advance(HOUR / 60);
    await finish(world);
    expect(await wordsOf(world, taskId)).toContain('COMPLETED: [{"text":"completed, ');
    expect([...peer.sends.values()]).toEqual([1]);
  });

  it('an agent that can not be reached is an answer that says why', async () => {
    const peer = new Peer();
    peer.reachable = false;
    const { taskId, world } = await begun(
      async (ctx) => {
        const { note, status } = await ctx.call('peer', 'please');
        return `${status}: ${note}`;
      },
      { remotes: [remoteAt('https://peer.example/card')] },
      { remotes: new MemoryRemoteAgents(peer) },
    );
    for (let tries = 0; tries < 3; tries += 1) {
      await world.clock.advance(HOUR / 60);
      await finish(world);
    }
    expect(await wordsOf(world, taskId)).toBe(
      'COMPLETED: [{"text":"not_sent: connection refused"}]',
    );
  });

  it('a message to an agent that needs an approval is not sent without', async () => {
    const peer = new Peer();
    const { taskId, world } = await begun(
      async (ctx) => (await ctx.call('peer', 'a secret')).status,
      { remotes: [remoteAt('https://peer.example/card', { approval: true })] },
      { remotes: new MemoryRemoteAgents(peer) },
    );
    expect(peer.sends.size).toBe(0);
    await decide(world, taskId, 'deny');
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: [{"text":"declined"}]');
    expect(peer.sends.size).toBe(0);
  });

  it('branches go on side by side, and their waits are taken one at a time', async () => {
    const ran: string[] = [];
    const { taskId, world } = await begun(async (ctx) => {
      const [approval, slept, made] = await ctx.all([
        async (one) => {
          const { approved } = await one.approve('ship', { summary: 'Ship it.' });
          await one.step('ship', () => void ran.push('ship'));
          return approved;
        },
        async (two) => {
          await two.sleep('1 d');
          return two.step('late', () => ran.push('late') && 'late');
        },
        (three) => three.step('early', () => ran.push('early') && 'early'),
      ]);
      return `${approval} ${slept} ${made}`;
    });
    expect(ran).toEqual(['early']);
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(ran).toEqual(['early', 'ship']);
    await world.clock.advance(24 * HOUR);
    await finish(world);
    expect(ran).toEqual(['early', 'ship', 'late']);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: [{"text":"true late early"}]');
  });

  it('an answer finds its question, also where time has let another branch go on meanwhile', async () => {
    const ran: string[] = [];
    const { taskId, world } = await begun(async (ctx) => {
      const [words] = await ctx.all([
        async (one) => (await one.ask('Which?')).parts.length,
        async (two) => {
          await two.sleep('1 h');
          await two.step('late', () => void ran.push('late'));
          return 0;
        },
      ]);
      return `${words}`;
    });
    await world.clock.advance(2 * HOUR);
    await world.send('this one', { taskId });
    await finish(world);
    expect(ran).toEqual(['late']);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: [{"text":"1"}]');
  });

  it('nothing of the function runs while it waits: no catch and no finally', async () => {
    const ran: string[] = [];
    const { world } = await begun(async (ctx) => {
      try {
        await ctx.sleep('1 h');
      } catch {
        ran.push('caught');
      } finally {
        ran.push('finally');
      }
      return 'done';
    });
    expect(ran).toEqual([]);
    await world.clock.advance(HOUR);
    await finish(world);
    expect(ran).toEqual(['finally']);
  });
});

describe('a function that no longer fits what is recorded', () => {
  /** The second function takes over from the first, once the run sleeps. */
  async function changed(first: Steps, second: Steps) {
    let steps = first;
    const { taskId, world } = await begun((ctx) => steps(ctx));
    steps = second;
    await world.clock.advance(HOUR);
    await finish(world);
    return { taskId, world, back: () => void (steps = first) };
  }
  const original: Steps = async (ctx) => {
    await ctx.step('charge', () => 1);
    await ctx.sleep('1 h');
    return 'done';
  };

  it.each<[string, Steps, string, readonly string[]]>([
    [
      'asks for another step',
      (ctx) => ctx.step('refund', () => 'x'),
      '1 step charge',
      ['step refund'],
    ],
    ['asks for another kind', (ctx) => ctx.sleep(1), '1 step charge', ['sleep']],
    ['ends before', async () => 'over', '1 step charge', []],
    [
      'leaves a wait out',
      async (ctx) => {
        await ctx.step('charge', () => 1);
        return 'done';
      },
      '2 sleep',
      [],
    ],
    ['throws before', () => Promise.reject(new Error('oh')), '1 step charge', []],
    [
      'branches there',
      async (ctx) => void (await ctx.all([(one) => one.step('charge', () => 1)])),
      '1 step charge',
      ['all'],
    ],
  ])('one that %s is held, and goes on when it fits again', async (_name, second, name, facets) => {
    const { back, taskId, world } = await changed(original, second);
    const held = await rowOf(world, taskId);
    expect(held).toMatchObject({
      status: 'queued',
      attempts: 0,
      blocked: { changes: [{ kind: 'step', name, facets }] },
    });
    back();
    await world.clock.advance(HOUR);
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: [{"text":"done"}]');
  });

  it('details of an approval that changed are another approval', async () => {
    let amount = 10;
    const { taskId, world } = await begun(async (ctx) => {
      const { approved } = await ctx.approve('pay', { summary: 'Pay.', details: { amount } });
      return `${approved}`;
    });
    amount = 1_000;
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(await rowOf(world, taskId)).toMatchObject({
      blocked: { changes: [{ kind: 'step', name: '1 approve pay', facets: ['approve pay'] }] },
    });
  });
});

describe('a lost worker', () => {
  it('repeats at most the step that it was at', async () => {
    const ran: string[] = [];
    const gate = latch();
    const steps: Steps = async (ctx) => {
      await ctx.step('one', () => void ran.push('one'));
      return ctx.step('two', async ({ attempt }) => {
        ran.push(`two, try ${attempt}`);
        if (attempt === 1) await gate.opened;
        return 'done';
      });
    };
    const { taskId, world } = await begun(steps);
    await lost(world, agentOf(steps));
    expect(ran).toEqual(['one', 'two, try 1', 'two, try 2']);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: [{"text":"done"}]');
  });

  it('within a step that must not run twice ends the run, and it never runs again', async () => {
    const ran: string[] = [];
    const gate = latch();
    const steps: Steps = (ctx) =>
      ctx.step(
        'pay',
        async () => {
          ran.push('pay');
          await gate.opened;
          return 'paid';
        },
        { effect: 'once' },
      );
    const { taskId, world } = await begun(steps);
    await lost(world, agentOf(steps));
    expect(ran).toEqual(['pay']);
    const { status } = await world.get(taskId);
    expect([status.state, JSON.stringify(status)]).toEqual([
      'FAILED',
      expect.stringContaining('must not be repeated may have happened'),
    ]);
  });
});

describe('mistakes of an author', () => {
  it.each<[string, Steps, string]>([
    [
      'two steps at once',
      async (ctx) => {
        await Promise.all([ctx.step('a', () => 1), ctx.step('b', () => 2)]);
        return '';
      },
      'StepsAtOnce',
    ],
    [
      'a step that is not awaited',
      async (ctx) => {
        void ctx.step('a', () => new Promise(() => undefined));
        return 'over';
      },
      'TypeError',
    ],
    ['a name that is none', (ctx) => ctx.step('1', () => 'x'), 'TypeError'],
    ['a span that is none', (ctx) => ctx.sleep('soon'), 'TypeError'],
    ['an unknown remote', async (ctx) => void (await ctx.call('nobody', 'hi')), 'TypeError'],
    ['a result that JSON can not hold', (ctx) => ctx.step('a', () => 1n as never), 'StepFailed'],
  ])('%s end the task, and the author is told which', async (_name, steps, fault) => {
    const { taskId, world } = await begun(steps);
    await finish(world);
    expect(await world.state(taskId)).toBe('FAILED');
    expect(JSON.stringify(world.logged)).toContain(`"fault":"${fault}"`);
  });

  it('an agent has one of run, steps and a model', () => {
    expect(() =>
      defineAgent({ name: 'a', description: 'b', run: () => '', steps: () => '' } as never),
    ).toThrow('one of run, steps and a model');
  });
});

/** The process is gone: the sweeper finds the lease lapsed, and another one goes on. */
async function lost(world: World, agent: DefinedAgent): Promise<void> {
  const next = new World(agent, { below: world, grants: everythingGranted });
  for (let round = 0; round < 4; round += 1) {
    await next.clock.advance(2 * 60_000);
    await sweep(next.app);
    await finish(next);
  }
}
