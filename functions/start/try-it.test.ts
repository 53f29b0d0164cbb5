import { describe, expect, it } from 'vitest';
import assistant from '../../examples/assistant/agent.ts';
import tableProfiler from '../../examples/table-profiler/agent.ts';
import { accessSettings } from '../access-settings.ts';
import { lookCommand, tryItCommand } from './try-it.ts';

const asking = (way: string, data = './holdfast-data') => ({
  access: accessSettings([way], undefined, false),
  data,
});
const open = asking('open');
const URL = 'http://127.0.0.1:8080';

/** What the command sends. */
function sentBy(command: string): unknown {
  const [, body = ''] = /-d '(.*)'$/m.exec(command) ?? [];
  const { message } = JSON.parse(body) as { message: { parts: { text: string }[] } };
  return message.parts[0]?.text;
}

describe('the command to paste', () => {
  it('sends the first example of the first skill', () => {
    const command = tryItCommand(URL, assistant, open);
    expect(command).toContain(`curl -s ${URL}/message:send `);
    expect(sentBy(command)).toBe(assistant.card.skills[0]?.examples?.[0]);
    expect(sentBy(command)).toMatch(/^profile:\n.+,.+\n/);
  });

  it('sends the table profiler a table', () => {
    expect(sentBy(tryItCommand(URL, tableProfiler, open))).toMatch(
      /^city,population,area_km2\nBerlin/,
    );
  });
});

it('a caller who must prove who it is makes a key first, and shows it', () => {
  const keys = tryItCommand(URL, tableProfiler, asking('keys'));
  expect(keys).toMatch(/^KEY=\$\(npx --no holdfast keys make --owner me/m);
  expect(keys).toContain(' -H "X-API-Key: $KEY" ');
  expect(tryItCommand(URL, tableProfiler, asking('keys', '/data'))).toContain(' --data /data ');
  const google = tryItCommand(URL, tableProfiler, asking('google'));
  expect(google).toContain(' -H "Authorization: Bearer $TOKEN" ');
});

it('an operator is told where to look, and beside which data', () => {
  expect(lookCommand('./holdfast-data')).toMatch(
    /npx --no holdfast console\n.*npx --no holdfast runs\n.*npx --no holdfast inbox\n$/,
  );
  expect(lookCommand('/data')).toMatch(
    /console --data \/data\n.*runs --data \/data\n.*inbox --data \/data\n$/,
  );
});
