import { describe, expect, it } from 'vitest';
import { profilerCard } from './profiler.ts';

const CARD = '/agents/table-profiler/.well-known/agent-card.json';

describe('where the profiler is', () => {
  it.each<[string, Record<string, string>, string]>([
    ['nothing is said', {}, `http://127.0.0.1:8080${CARD}`],
    ['the port is another', { PORT: '9000' }, `http://127.0.0.1:9000${CARD}`],
    [
      'the server has a public URL',
      { PORT: '9000', HOLDFAST_BASE_URL: 'https://agents.example/' },
      `https://agents.example${CARD}`,
    ],
    [
      'it is another agent\u2019s',
      {
        HOLDFAST_BASE_URL: 'https://agents.example',
        HOLDFAST_PROFILER_CARD: 'https://b.example/c',
      },
      'https://b.example/c',
    ],
    ['a variable is empty', { PORT: '', HOLDFAST_BASE_URL: '' }, `http://127.0.0.1:8080${CARD}`],
  ])('is known when %s', (_when, environment, card) => {
    expect(profilerCard(environment)).toBe(card);
  });
});
