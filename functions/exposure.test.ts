import { describe, expect, test } from 'vitest';
import { defineAgent } from '../shared/agent/index.ts';
import { accessSettings } from './access-settings.ts';
import { openWarning, requireGuarded, requireNames } from './exposure.ts';
import { publish } from './load-agents.ts';

const run = () => 'done';
const plain = defineAgent({ name: 'plain', description: 'Works.', run });
const spender = defineAgent({ name: 'spender', description: 'Pays.', run, spends: true });
const decider = (decisions: object) =>
  defineAgent({ name: 'decider', description: 'Asks.', run, publication: { decisions } });

const options = (ways: readonly string[], more: object = {}) => ({
  host: '127.0.0.1',
  store: 'embedded' as const,
  access: accessSettings(ways, undefined, false),
  ...more,
});
const anyone = { host: '0.0.0.0' };

describe('an agent that spends money, or whose owner decides,', () => {
  test.each([
    [spender, /the agent spender spends money/],
    [decider({ owner: true }), /the agent decider approves what it does by its callers' word/],
  ])('is not published where anyone may call it', (agent, words) => {
    const agents = publish([plain, agent], 'agents.ts');
    expect(() => requireGuarded(agents, options(['open'], anyone), 'signature')).toThrow(words);
    expect(() => requireGuarded(agents, options(['open', 'keys'], anyone), 'signature')).toThrow(
      words,
    );
  });

  test('is published to callers who prove who they are, on this machine alone, behind the platform, and where it is said twice', () => {
    const agents = publish([spender], 'agents.ts');
    const said = { ...anyone, access: accessSettings(['open'], undefined, true) };
    requireGuarded(agents, options(['keys'], anyone), 'signature');
    requireGuarded(agents, options(['open']), 'signature');
    requireGuarded(agents, options(['open'], anyone), 'iam');
    requireGuarded(agents, options(['open'], said), 'signature');
    requireGuarded(publish([plain], 'agents.ts'), options(['open'], anyone), 'signature');
  });
});

test('an agent that compares the names of approver and caller is refused where callers have none', () => {
  const agents = publish([decider({ fourEyes: true })], 'agents.ts');
  expect(() => requireNames(agents, options(['open']))).toThrow(
    'the agent decider has publication.decisions.fourEyes, which compares the names',
  );
  requireNames(agents, options(['keys']));
  requireNames(publish([decider({ owner: true })], 'agents.ts'), options(['open']));
});

test('a start says loudly that all callers are one, and says nothing where they are told apart', () => {
  expect(openWarning(options(['open'], anyone), 'signature')).toMatch(
    /^OPEN: anyone who reaches this server is one anonymous caller/,
  );
  expect(openWarning(options(['open']), 'signature')).toMatch(/^OPEN: all that can call it/);
  expect(openWarning(options(['keys']), 'signature')).toBeUndefined();
});
