import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, toolParts } from '../../shared/agent/index.ts';
import { asked } from './asking.ts';
import { PROVIDERS } from './providers.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const SHEET = new Uint8Array(64).fill(7);

/** Those that take a picture in the result of a tool. */
const SHOWN = ['google', 'google vertex', 'anthropic', 'openai responses'];

const draw = defineTool({
  name: 'draw',
  description: 'Draws.',
  parameters: z.object({ at: z.string() }),
  effect: 'read',
  run: ({ at }) =>
    toolParts([
      { text: `The map of ${at}.` },
      { data: { scale: 5 } },
      { raw: PNG, mediaType: 'image/png', filename: 'map.png' },
      { raw: SHEET, mediaType: 'application/vnd.ms-excel', filename: 'sheet.xls' },
      { raw: Buffer.from('a;b;c'), mediaType: 'text/csv', filename: 'roads.csv' },
      { url: 'https://maps.example/a', mediaType: 'text/html' },
    ]),
});

describe.each(Object.entries(PROVIDERS))('%s', (name, provider) => {
  it('gets the files of a result in its own way, or is told that they are there', async () => {
    const { server, taskId, world } = await asked(
      provider,
      [
        { thought: 'I draw.', calls: [{ name: 'draw', input: { at: 'Ulm' } }] },
        { text: 'There it is.' },
      ],
      [{ text: 'go' }],
      { tools: [draw] },
    );
    expect(server.refused).toEqual([]);
    expect(await world.state(taskId)).toBe('COMPLETED');
    const sent = JSON.stringify(server.requests.at(-1)?.body);
    expect(sent).toContain('The map of Ulm.');
    expect(sent).toMatch(/scale\W+5/);
    expect(sent).toContain('https://maps.example/a');
    expect(sent).toContain('sheet.xls');
    // A result has 1 MiB of words: a text file is told, too, also beside a picture.
    expect(sent).toContain('roads.csv');
    expect(sent).not.toContain('a;b;c');
    expect(sent).not.toContain(Buffer.from(SHEET).toString('base64'));
    const shown = sent.includes(PNG.toString('base64'));
    expect(shown).toBe(SHOWN.some((each) => name === each || name.startsWith(`${each},`)));
    if (!shown) expect(sent).toContain('map.png');
  });
});
