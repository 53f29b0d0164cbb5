import { describe, expect, it } from 'vitest';
import { createWorld, ScriptedRemote } from 'holdfast/testing';
import type { Json, Part } from 'holdfast/agent';
import { loadAgents } from '../../functions/load-agents.ts';
import agent from './agent.ts';
import { profiler } from './profiler.ts';
import { WHAT_I_DO } from './rules.ts';

/** A profiler that is at work until the test says what comes of it. */
async function asked(text: string) {
  const peer = new ScriptedRemote({ ends: 'never' });
  const world = createWorld({ agents: [agent], remotes: { [profiler.name]: peer } });
  const { taskId } = await world.send(text);
  const task = () => world.get(taskId);
  return {
    peer,
    task,
    said: async () => (await task()).text,
    decided: (kind: 'approve' | 'deny') => world.operator[kind](taskId),
    input: (data: Json) => world.operator.input(taskId, data),
    looked: () => world.advance('10 s'),
  };
}

const approvalOf = (summary: string) => ({
  state: 'AUTH_REQUIRED',
  message: { parts: [{}, { data: { calls: [{ summary }] } }] },
});

describe('a payment', () => {
  it('waits for an approval that names it, and then is a note', async () => {
    const { decided, task } = await asked('pay Ada 120 euros');
    expect((await task()).status).toMatchObject(approvalOf('120 euros to Ada'));
    await decided('approve');
    const words = '120 euros to Ada. This is a sample: it wrote a note, and paid nothing.';
    expect(await task()).toMatchObject({
      status: { state: 'COMPLETED', message: { parts: [{ text: words }] } },
      artifacts: [{ artifactId: 'note', parts: [{ text: `${words}\n` }] }],
    });
  });

  it('that is declined leaves no note', async () => {
    const { decided, said, task } = await asked('pay Ada 120 euros');
    await decided('deny');
    expect(await said()).toMatch(/^Nothing was paid\. An operator declined/);
    expect((await task()).artifacts).toEqual([]);
  });

  it('without an amount asks for one, and then for the approval of that one', async () => {
    const { decided, input, said, task } = await asked('pay Ada');
    expect((await task()).status.state).toBe('INPUT_REQUIRED');
    expect(await said()).toBe('How many euros does Ada get?');
    await expect(input({ euros: -1 })).rejects.toThrow('euros');
    await input({ euros: 12.5 });
    expect((await task()).status).toMatchObject(approvalOf('12.5 euros to Ada'));
    await decided('approve');
    expect(await said()).toMatch(/^12\.5 euros to Ada\./);
  });
});

describe('the same again', () => {
  it('is what was asked for last in the conversation, and waits for an approval of its own', async () => {
    const world = createWorld({ agents: [agent] });
    const first = await world.send('pay Ada 120 euros', { contextId: 'talk' });
    await world.operator.approve(first.taskId);
    const second = await world.send('the same again', { contextId: 'talk' });
    expect(second.status).toMatchObject(approvalOf('120 euros to Ada'));
  });

  it('is nothing where nothing was before', async () => {
    const { said } = await asked('the same again');
    expect(await said()).toBe('There is nothing before this that I could do again.');
  });
});

describe('a profile', () => {
  it('leaves only when it is approved, and what comes back is handed on, bytes and all', async () => {
    const { decided, looked, peer, said, task } = await asked('profile:\na,b\n1,2\n');
    expect((await task()).status).toMatchObject(approvalOf('Profiles a table that is sent to it.'));
    expect(peer.sends.size).toBe(0);
    await decided('approve');
    expect((await task()).status.state).toBe('WORKING');
    const [sent] = peer.tasks.values();
    expect(sent?.parts).toEqual([{ text: 'a,b\n1,2\n' }]);
    const parts: readonly Part[] = [
      { data: { rows: 1 }, mediaType: 'application/json' },
      { raw: Uint8Array.of(0, 255, 7), mediaType: 'image/svg+xml', filename: 'chart.svg' },
      { text: '# Profile', mediaType: 'text/markdown' },
      { url: 'https://peer.example/more' },
    ];
    peer.settle('remote-task-1', 'COMPLETED', 'One row.');
    if (sent !== undefined)
      sent.artifacts = [
        { artifactId: 'profile', name: 'profile.json', description: 'All of it.', parts },
      ];
    await looked();
    expect((await task()).status.state).toBe('COMPLETED');
    expect(await said()).toBe('One row.');
    expect((await task()).artifacts).toEqual(sent?.artifacts);
    expect(peer.sends.size).toBe(1);
  });

  it.each<[string, (peer: ScriptedRemote) => void, RegExp]>([
    [
      'asks for more',
      (peer) => peer.settle('remote-task-1', 'INPUT_REQUIRED', 'No table in it.'),
      /No table in it\. .*new, complete message/,
    ],
    ['fails in silence', (peer) => peer.settle('remote-task-1', 'FAILED'), /It is failed\.$/],
    ['forgets it', (peer) => peer.forget(), /does not know this task/],
  ])('of a profiler that %s is none, in words', async (_what, happens, words) => {
    const { decided, looked, peer, said } = await asked('profile: a,b');
    await decided('approve');
    happens(peer);
    await looked();
    expect(await said()).toMatch(/^There is no profile\. /);
    expect(await said()).toMatch(words);
  });

  it('that is declined never leaves', async () => {
    const { decided, peer, said } = await asked('profile: a,b');
    await decided('deny');
    expect(await said()).toMatch(/^There is no profile\. An operator declined/);
    expect(peer.sends.size).toBe(0);
  });
});

it('says what it understands where it understands nothing', async () => {
  const { said, task } = await asked('make me rich');
  expect((await task()).status.state).toBe('COMPLETED');
  expect(await said()).toBe(WHAT_I_DO);
});

it('is published before the profiler, so that it answers at the root', async () => {
  const { all } = await loadAgents('examples/assistant/index.ts');
  expect(all.map(({ name }) => name)).toEqual(['assistant', 'table-profiler']);
});
