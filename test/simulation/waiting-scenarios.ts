import type { Millis } from '../../shared/domain/brand.ts';
import { Client } from './client.ts';
import { decidingScenarios } from './deciding-scenarios.ts';
import { cancelled, type Scenario, type Scenarios, told } from './scenarios.ts';

/**
 * One task of that agent from its start to its end, by a client that comes back when it should be
 * over.
 */
function waited(agent: string, span: Millis): Scenario {
  return {
    plainly: true,
    async story(world) {
      const client = new Client(world, agent);
      const taskId = await client.start();
      await client.pause(span);
      await client.ended(taskId);
    },
  };
}

/** Runs that wait for remote agents, each played with every fault at every call. */
export const waitingScenarios: Scenarios = {
  delegates: told('delegates'),
  'delegates twice': waited('delegates-twice', 500),
  'answered at once': waited('with-instant', 40),
  'remotes that fail, forget, refuse and talk': waited('with-failing', 500),
  'remotes that ask, and answer nonsense': waited('with-asking', 500),
  'a remote that is busy': waited('with-busy', 1_300),
  'a remote that can not list': waited('with-mute', 500),
  'a remote that never ends': waited('with-endless', 900),
  'tools that may not run twice': waited('pays', 350),
  'a budget that is spent': waited('overspends', 60),
  'cancelled while it sends': cancelled('with-endless', 18),
  'cancelled when it has sent': cancelled('with-endless', 26),
  'cancelled near the end of its wait': { ...cancelled('delegates', 240), plainly: true },
  'cancelled in its second wait': { ...cancelled('two-timeouts', 1_050), plainly: true },
  ...decidingScenarios,
};
