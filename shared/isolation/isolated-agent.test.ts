import { describe, expect, test } from 'vitest';
import { segmentPorts } from '../../test/doubles/segment-ports.ts';
import { settled, VirtualClock } from '../../testing/virtual-clock.ts';
import { noToolServers } from '../../functions/no-tool-servers.ts';
import { defineAgent } from '../agent/index.ts';
import type { Ending } from '../app/agents.ts';
import { isolated } from './isolated-agent.ts';
import type { Death, FromProcess, OpenLink, ToProcess } from './messages.ts';

/** A process as a test plays it. */
interface Played {
  readonly got: ToProcess[];
  readonly says: (message: FromProcess) => void;
  readonly dies: (death: Death) => Promise<void>;
  killed: boolean;
}

const agent = defineAgent({
  name: 'played',
  description: 'Is played by the test.',
  run: () => 'not here',
  reply: () => 'not here',
});
const MEMORY: Death = { kind: 'memory', seen: { stack: [] } };
const DONE: Ending = { kind: 'completed', parts: [{ text: 'done' }] };

function play() {
  const clock = new VirtualClock();
  const processes: Played[] = [];
  const open: OpenLink = (_agent, heard) => {
    const ended = Promise.withResolvers<Death>();
    const played: Played = {
      got: [],
      says: heard,
      dies: async (death) => {
        ended.resolve(death);
        await settled();
      },
      killed: false,
    };
    processes.push(played);
    return {
      send: (message) => void played.got.push(message),
      ended: ended.promise,
      end: () => {
        played.killed = true;
      },
    };
  };
  const strays: unknown[] = [];
  const here = isolated(agent, {
    open,
    clock,
    toolServers: noToolServers,
    bounds: { silence: 30_000, memory: 2 ** 29 },
    stray: (_name, error) => void strays.push(error),
  });
  const run = (taskId: string) =>
    here.run(segmentPorts({ taskId, after: (wait, callback) => clock.after(wait, callback) }));
  const at = (index: number): Played => {
    const found = processes[index];
    if (found === undefined) throw new Error(`there is no process ${index}`);
    return found;
  };
  return { clock, here, run, at, processes, strays };
}

const end = (process: Played, run: number): void =>
  process.says({ kind: 'ended', run, ending: { kind: 'completed', parts: [{ text: 'done' }] } });

describe('an agent in a process of its own', () => {
  test('has one process for its runs, started with the first and ended when idle', async () => {
    const { at, clock, processes, run } = play();
    expect(processes).toHaveLength(0);
    const both = [run('a'), run('b')];
    for (const number of [1, 2]) end(at(0), number);
    expect(await Promise.all(both)).toEqual([DONE, DONE]);
    await clock.advance(4 * 60_000);
    const third = run('c');
    await clock.advance(4 * 60_000);
    end(at(0), 3);
    expect(await third).toEqual(DONE);
    expect(at(0).killed).toBe(false);
    await clock.advance(5 * 60_000);
    expect(at(0).killed).toBe(true);
    void run('d');
    expect(processes).toHaveLength(2);
  });

  test('tries the runs of a process that took too much memory alone, two at a time', async () => {
    const { at, processes, run } = play();
    const all = ['a', 'b', 'c'].map(run);
    await at(0).dies(MEMORY);
    const endings = await Promise.all(all);
    expect(endings.map(({ kind }) => kind)).toEqual(['retry', 'retry', 'retry']);
    const again = ['a', 'b', 'c'].map(run);
    await settled();
    expect(processes).toHaveLength(3);
    await at(1).dies(MEMORY);
    end(at(2), 1);
    await settled();
    expect(processes).toHaveLength(4);
    end(at(3), 1);
    const [failed, ...others] = await Promise.all(again);
    expect(failed).toMatchObject({ kind: 'failed', fault: 'AGENT_OUT_OF_MEMORY' });
    expect(others).toEqual([DONE, DONE]);
    // Who is cleared works beside others again.
    const cleared = ['b', 'd'].map(run);
    await settled();
    for (const number of [1, 2]) end(at(4), number);
    expect(await Promise.all(cleared)).toEqual([DONE, DONE]);
    expect(processes).toHaveLength(5);
  });

  test('leaves a run that waits for its turn until half its time is over', async () => {
    const { at, clock, run } = play();
    const all = ['a', 'b', 'c'].map(run);
    await at(0).dies(MEMORY);
    await Promise.all(all);
    const [, , third] = ['a', 'b', 'c'].map(run);
    await clock.advance(60 * 60_000);
    expect(await third).toEqual({ kind: 'interrupted' });
  });

  test('tries a run again that its process could not be loaded for', async () => {
    const { at, run } = play();
    const ending = run('a');
    at(0).says({ kind: 'broken', error: { kind: 'value', value: 'no module' } });
    await at(0).dies({ kind: 'ended', how: 'exit code 1' });
    expect(await ending).toEqual({ kind: 'retry', error: 'no module' });
  });

  test('answers by its process, and throws what happened to that', async () => {
    const { at, here, strays } = play();
    const message = { messageId: 'm', role: 'user', parts: [] } as const;
    const answered = here.reply?.(message);
    at(0).says({ kind: 'replied', run: 1, parts: [{ text: 'pong' }] });
    expect(await answered).toEqual([{ text: 'pong' }]);
    const stray = { kind: 'value', value: 'left behind' } as const;
    at(0).says({ kind: 'tell', run: 1, told: { what: 'stray', error: stray } });
    expect(strays).toEqual(['left behind']);
    const lost = expect(here.reply?.(message)).rejects.toThrow('more than the 512 MiB');
    await at(0).dies(MEMORY);
    await lost;
  });

  test('goes on when its code says something by the same way that makes no sense', async () => {
    const { at, run, strays } = play();
    const ending = run('a');
    for (const kind of ['call', 'tell', 'ended', 'of its own'])
      at(0).says({ kind, run: 1 } as unknown as FromProcess);
    await settled();
    expect(strays.length).toBeGreaterThan(0);
    end(at(0), 1);
    expect(await ending).toEqual(DONE);
  });
});
