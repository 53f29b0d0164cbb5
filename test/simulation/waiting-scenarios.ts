import { cancelled, type Scenarios, told } from './scenarios.ts';

/** Each of these is played with every fault at every call. */
export const waitingScenarios: Scenarios = {
  delegates: told('delegates'),
  'delegates twice': told('delegates-twice'),
  'answered at once': told('with-instant'),
  'a remote that fails': told('with-failing'),
  'a remote that asks': told('with-asking'),
  'a remote that wants more rights': told('with-guarded'),
  'a remote that forgets': told('with-vanishing'),
  'a remote that answers nonsense': told('with-garbled'),
  'a remote that is busy': told('with-busy'),
  'a remote that refuses, and one that talks': told('with-refusing'),
  'a remote that can not list': told('with-mute'),
  'a remote that never ends': told('with-endless'),
  'tools that may not run twice': told('pays'),
  'a budget that is spent': told('overspends'),
  'cancelled before it sends': cancelled('with-endless', 12),
  'cancelled while it sends': cancelled('with-endless', 18),
  'cancelled when it has sent': cancelled('with-endless', 26),
  'cancelled while it waits': cancelled('with-endless', 150),
  'cancelled near the end of its wait': cancelled('delegates', 240),
  'cancelled when its wait is over': cancelled('with-endless', 1_560),
  'cancelled in its second wait': cancelled('two-timeouts', 1_900),
};
