import { describe, expect, it } from 'vitest';
import assistant from '../../examples/assistant/agent.ts';
import tableProfiler from '../../examples/table-profiler/agent.ts';
import { lookCommand, tryItCommand } from './try-it.ts';

const URL = 'http://127.0.0.1:8080';

/** What the command sends. */
function sentBy(command: string): unknown {
  const [, body = ''] = /-d '(.*)'$/m.exec(command) ?? [];
  const { message } = JSON.parse(body) as { message: { parts: { text: string }[] } };
  return message.parts[0]?.text;
}

describe('the command to paste', () => {
  it('sends the first example of the first skill', () => {
    const command = tryItCommand(URL, assistant);
    expect(command).toContain(`curl -s ${URL}/message:send `);
    expect(sentBy(command)).toBe(assistant.card.skills[0]?.examples?.[0]);
    expect(sentBy(command)).toMatch(/^profile:\n.+,.+\n/);
  });

  it('sends the table profiler a table', () => {
    expect(sentBy(tryItCommand(URL, tableProfiler))).toMatch(/^city,population,area_km2\nBerlin/);
  });
});

it('an operator is told where to look, and beside which data', () => {
  expect(lookCommand('./holdfast-data')).toMatch(/npx holdfast runs\n.*npx holdfast inbox\n$/);
  expect(lookCommand('/data')).toMatch(/runs --data \/data\n.*inbox --data \/data\n$/);
});
