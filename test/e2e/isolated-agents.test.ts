import { expect, test } from 'vitest';
import { request, say } from '../edge/calls.ts';
import { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { useOracle } from './oracle.ts';
import { type Server, STORE, useFleet } from './server.ts';
import { stateOf, type WireTask } from './wire.ts';

const fleet = useFleet();
const oracle = useOracle();
const SETTINGS = {
  agentSilence: 5_000,
  agentMemory: 128 * 1024 * 1024,
  // A run that a killed server left is taken up soon, and no busy machine loses one.
  lease: 6_000,
  leaseRenewal: 1_500,
  sweepInterval: 150,
  sweepGrace: 100,
};
const ARGS = ['--agents', 'test/fixtures/agents/isolated.ts'];
const GREEDY = '/agents/greedy';

async function greedy(server: Server, text: string, returnImmediately = false): Promise<WireTask> {
  const sent = await request(server, 'POST', `${GREEDY}/message:send`, {
    ...say(text),
    configuration: { returnImmediately },
  });
  return (sent.body as { task: WireTask }).task;
}

const words = ({ status }: WireTask): unknown => status.message?.parts[0]?.text;

// Processes are started and ended a dozen times: on a busy machine that is most of a minute.
const SLOW = { timeout: 180_000 };

test(
  'a loop, eaten memory or an exit of one agent ends its own run: others go on',
  SLOW,
  async () => {
    const server = await fleet.start({ settings: SETTINGS, args: ARGS });
    const client = new Client(server, oracle);
    const other = await client.stream('steps=60 delay=100');
    await other.next();
    const beside = await greedy(server, 'wait', true);
    const task = async (id: string) =>
      (await request(server, 'GET', `${GREEDY}/tasks/${id}`)).body as unknown as WireTask;
    await eventually(async () => words(await task(beside.id)), 'at work');

    const looping = await greedy(server, 'loop', true);
    // The edge and the other agent answer while it holds its thread.
    expect(stateOf(await client.send('steps=1'))).toBe('COMPLETED');
    const looped = await eventually(
      () => task(looping.id),
      (value) => stateOf(value) === 'FAILED',
    );
    expect(looped.status).toMatchObject({
      message: { parts: [{ text: 'The agent failed.' }] },
    });
    expect(looped.metadata).toMatchObject({ reason: 'AGENT_FAILED', fault: 'AGENT_STALLED' });
    if (STORE === 'embedded')
      expect(server.log.join('\n')).toMatch(/AgentStalled[^]*isolated\.ts:\d+/);
    // The run beside it had no part in that, and begins again in the next process.
    await eventually(async () => stateOf(await task(beside.id)), 'COMPLETED');

    for (const [text, fault] of [
      ['eat', 'AGENT_OUT_OF_MEMORY'],
      ['exit', 'AGENT_PROCESS_ENDED'],
    ] as const) {
      const ended = await greedy(server, text);
      expect(ended.metadata, text).toMatchObject({ reason: 'AGENT_FAILED', fault });
      expect(stateOf(ended)).toBe('FAILED');
    }
    await other.all();
    expect(other.names().at(-1)).toBe('COMPLETED');

    const alive = await greedy(server, 'pid');
    expect(stateOf(alive)).toBe('COMPLETED');
    const pid = Number(words(alive));
    const replied = await request(server, 'POST', `${GREEDY}/message:send`, say('ping'));
    expect(replied.body).toMatchObject({ message: { parts: [{ text: 'pong' }] } });
    if (STORE !== 'embedded') return;

    // What ended does not come back, and no process of an agent outlives its server.
    const left = await greedy(server, 'loop', true);
    await server.restart('kill');
    await eventually(() => isThere(pid), false);
    await eventually(async () => stateOf(await task(left.id)), 'FAILED');
    expect(stateOf(await task(looping.id))).toBe('FAILED');
  },
);

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
