import { Client } from './client.ts';
import { decidingScenarios } from './deciding-scenarios.ts';
import { cancelled, type Scenario, type Scenarios, told } from './scenarios.ts';

/** One task of that agent from its start to its end, by a client that looks at it now and then. */
function waited(agent: string): Scenario {
  return {
    plainly: true,
    async story(world) {
      const client = new Client(world, agent);
      await client.ended(await client.start());
    },
  };
}

/** Runs that wait for remote agents, each played with every fault at every call. */
export const waitingScenarios: Scenarios = {
  delegates: told('delegates'),
  'delegates twice': waited('delegates-twice'),
  'answered at once': waited('with-instant'),
  'remotes that fail, forget, refuse and talk': waited('with-failing'),
  'remotes that ask, and answer nonsense': waited('with-asking'),
  'a remote that is busy': waited('with-busy'),
  'a remote that can not list': waited('with-mute'),
  'a remote that never ends': waited('with-endless'),
  'tools that may not run twice': waited('pays'),
  'a budget that is spent': waited('overspends'),
  'cancelled while it sends': cancelled('with-endless', 18),
  'cancelled when it has sent': cancelled('with-endless', 26),
  'cancelled near the end of its wait': { ...cancelled('delegates', 240), plainly: true },
  'cancelled in its second wait': { ...cancelled('two-timeouts', 1_900), plainly: true },
  ...decidingScenarios,
};
