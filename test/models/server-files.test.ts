import { expect, it, onTestFinished } from 'vitest';
import { defineMcp } from '../../shared/agent/index.ts';
import { createToolServers } from '../../shared/mcp/tool-servers.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { HUM, MANUAL, photo } from '../fixtures/tool-servers/shop-server.ts';
import { ShopOverHttp } from '../fixtures/tool-servers/shop-over-http.ts';
import { asked } from './asking.ts';
import { type Provider, PROVIDERS } from './providers.ts';

/** All that a result may have in files, less what else is in the answer. */
const LIMIT = 4 * 1024 * 1024 - HUM.byteLength - MANUAL.byteLength;
const base64 = (bytes: Buffer) => bytes.toString('base64');

/** What the provider is sent after a model asked a real MCP server for a photo of that size. */
async function photographed(provider: Provider, bytes: number): Promise<string> {
  const shop = new ShopOverHttp('stateless');
  const toolServers = createToolServers({
    secrets: () => undefined,
    allowPrivate: ['127.0.0.1'],
    environment: {},
    clock: systemClock,
    log: { write: () => undefined },
  });
  onTestFinished(async () => {
    await toolServers.close();
    await shop.stop();
  });
  const answerBytes = 8 * 1024 * 1024;
  const { server, taskId, world } = await asked(
    provider,
    [
      { thought: 'I look.', calls: [{ name: 'shop_photo', input: { bytes } }] },
      { text: 'There it is.' },
    ],
    [{ text: 'go' }],
    { mcp: [defineMcp({ name: 'shop', url: await shop.start(), answerBytes })], toolServers },
  );
  expect(server.refused).toEqual([]);
  expect(await world.state(taskId)).toBe('COMPLETED');
  return JSON.stringify(server.requests.at(-1)?.body);
}

it.each([
  ['google', true, false],
  ['google, specification v3', true, false],
  ['google vertex', true, false],
  ['anthropic', true, true],
  ['openai responses', true, true],
  ['openai chat', false, false],
])(
  '%s gets the files of an MCP server that it takes, and is told of the others',
  async (name, picture, pdf) => {
    const provider = PROVIDERS[name];
    if (provider === undefined) throw new Error(`no provider ${name}`);
    const sent = await photographed(provider, 1_000);
    expect(sent.includes(base64(photo(1_000)))).toBe(picture);
    expect(sent.includes(base64(MANUAL))).toBe(pdf);
    expect(sent).not.toContain(base64(HUM));
    for (const told of ['A lamp.', 'audio/wav', 'shop://papers/manual.pdf'])
      expect(sent).toContain(told);
  },
);

it('files at the limit of one result are handed over; a byte more, and all are told by type and size', async () => {
  const { google } = PROVIDERS;
  if (google === undefined) throw new Error('no google');
  const whole = await photographed(google, LIMIT);
  expect(whole.includes(base64(photo(LIMIT)))).toBe(true);
  const told = await photographed(google, LIMIT + 1);
  expect(told.length).toBeLessThan(20_000);
  expect(told).toContain('A lamp.');
  expect(told).toMatch(new RegExp(`image/png\\W+bytes\\W+${LIMIT + 1}\\b`));
});
