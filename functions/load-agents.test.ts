import { expect, test } from 'vitest';
import { defineAgent } from '../shared/agent/index.ts';
import { publish } from './load-agents.ts';

const agentThat = (decisions: { owner?: boolean; fourEyes?: boolean }) =>
  defineAgent({
    name: 'payer',
    description: 'Pays.',
    publication: { decisions },
    run: () => Promise.resolve('done'),
  });

test('an agent under four eyes is refused where no caller has a name', () => {
  expect(() => publish([agentThat({ fourEyes: true })], 'agents.ts')).toThrow(
    'agents.ts: the agent payer has publication.decisions.fourEyes, which compares the names',
  );
  const others = [agentThat({ owner: true, fourEyes: false })];
  expect(publish(others, 'agents.ts').first.name).toBe('payer');
});
