import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createA2AApp } from '../shared/a2a/app.ts';
import { offering } from '../shared/a2a/offers.ts';
import { defineAgent } from '../shared/agent/index.ts';
import type { TaskService } from '../shared/app/service.ts';
import type { AgentName } from '../shared/domain/ids.ts';
import { defaults } from '../shared/domain/settings.ts';
import type { Security } from '../shared/ports/access.ts';
import { systemClock } from '../shared/system/system-clock.ts';
import { agentCards } from './agent-cards.ts';
import { publish } from './load-agents.ts';

const agents = publish(
  [
    defineAgent({ name: 'first', description: 'The first.', run: () => '' }),
    defineAgent({
      name: 'second',
      description: 'The second.',
      extended: { description: 'The second, in full.' },
      run: () => '',
    }),
  ],
  'the test',
);
const security: Security = {
  challenge: 'Bearer',
  schemes: { keys: { kind: 'apiKey', header: 'X-API-Key', description: 'A key.' } },
  alternatives: [['keys']],
};

const OFFERS = { draft: true, traceability: true } as const;

/** What the A2A edge answers at that path. */
async function served(path: string, v03: boolean): Promise<{ url: string; card: unknown }> {
  const service = {} as TaskService;
  const access = {
    security,
    principalOf: () => Promise.reject(new Error('a card is for everybody')),
  };
  const edge = createA2AApp({
    service,
    agents: agents.all.map(({ card }) => offering(card, OFFERS)),
    defaultAgent: 'first',
    settings: defaults,
    log: { write: () => undefined },
    clock: systemClock,
    access,
    v03,
    grpc: { port: 8082 },
  });
  const server = createServer(edge).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const response = await fetch(`${url}${path}`, { headers: { 'a2a-version': '1.0' } });
  return { url, card: await response.json() };
}

test.each([
  ['first', false],
  ['second', false],
  ['second', true],
] as const)('an operator sees the card of %s as callers get it (v0.3: %s)', async (name, v03) => {
  const { card, url } = await served(`/agents/${name}/.well-known/agent-card.json`, v03);
  const cards = agentCards(agents, { url, v03, security, grpc: { port: 8082 }, ...OFFERS });
  const seen = await cards(name as AgentName);
  expect(seen?.card).toEqual(card);
  expect(seen?.url).toBe(`${url}/agents/${name}/.well-known/agent-card.json`);
  expect(seen?.missing).toEqual([]);
  const extended = name === 'second' ? 'The second, in full.' : undefined;
  expect(seen?.extended?.['description']).toBe(extended);
});

test('what only the edge knows is named, and an agent that is not published has no card', async () => {
  const cards = agentCards(agents, {
    url: 'https://agents.example/',
    v03: false,
    security: 'elsewhere',
  });
  expect(await cards('first' as AgentName)).toMatchObject({
    url: 'https://agents.example/agents/first/.well-known/agent-card.json',
    missing: ['securitySchemes', 'securityRequirements', 'signatures'],
  });
  expect(await cards('third' as AgentName)).toBeUndefined();
});
