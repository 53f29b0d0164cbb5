import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { defineAgent, defineTool, type Model } from '../shared/agent/index.ts';
import { gemini } from '../test/doubles/providers/gemini.ts';
import { ProviderServer } from '../test/doubles/providers/provider-server.ts';
import { call, createWorld, NotRecorded, recordedModel, ScriptedModel } from './index.ts';

let file = '';
beforeEach(() => {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-recording-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  file = join(folder, 'clerk.json');
});

const KEY = `AIza${'Sy'.repeat(16)}abc`;

function clerk(model: Model, sum = 12, instructions = `Add. The key is ${KEY}.`) {
  return defineAgent({
    name: 'clerk',
    description: 'Adds.',
    model,
    instructions,
    stream: true,
    tools: [
      defineTool({
        name: 'add',
        description: 'Adds.',
        parameters: z.object({ a: z.number() }),
        effect: 'read',
        run: () => ({ sum, of: 'case 4711' }),
      }),
    ],
  });
}

function script() {
  return new ScriptedModel(
    { calls: [call('add', { a: 5 })] },
    {
      text: 'It is twelve.',
      artifacts: [
        { artifactId: 'sum', parts: [{ raw: Buffer.of(0, 255, 7), filename: 'sum.bin' }] },
      ],
    },
  );
}

async function recordIt(): Promise<void> {
  const model = recordedModel({ file, record: true, model: script(), secrets: [/case \d+/] });
  const world = createWorld({ agents: [clerk(model)] });
  expect((await world.send('5 and 7')).state).toBe('COMPLETED');
}

const replayed = () => recordedModel({ file, secrets: [/case \d+/] });

it('what was recorded is played without the model, in a world of other ids', async () => {
  await recordIt();
  const world = createWorld({ agents: [clerk(replayed())], seed: 99 });
  const task = await world.send('5 and 7');
  expect(task.state).toBe('COMPLETED');
  expect(task.artifacts.map(({ parts }) => parts)).toEqual([
    [{ text: 'It is twelve.' }],
    [{ raw: Uint8Array.of(0, 255, 7), filename: 'sum.bin' }],
  ]);
  // And once more, by the same recording.
  expect((await createWorld({ agents: [clerk(replayed())] }).send('5 and 7')).state).toBe(
    'COMPLETED',
  );
});

it('a recording has no secret, of a known form or named', async () => {
  await recordIt();
  const text = readFileSync(file, 'utf8');
  expect(text).toContain('The key is [secret].');
  expect(text).toContain('"of": "[secret]"');
  expect(text).not.toContain(KEY);
  expect(text).not.toContain('4711');
});

it.each<[string, () => Model, number, string | undefined, RegExp]>([
  [
    'a tool',
    replayed,
    13,
    undefined,
    /turn 2 of 2.*\n {2}transcript\[2\]\.value\.sum: recorded 12, asked 13\n/,
  ],
  [
    'instructions',
    replayed,
    12,
    'Add with care.',
    /turn 1 of 2.*\n {2}instructions: recorded "Add. The key is \[secret\]\.", asked "Add with care\."/,
  ],
])(
  'where %s changed, the test is told what differs',
  async (_, model, sum, instructions, words) => {
    await recordIt();
    const world = createWorld({ agents: [clerk(model(), sum, instructions)] });
    const sent = world.send('5 and 7');
    await expect(sent).rejects.toThrow(NotRecorded);
    await expect(sent).rejects.toThrow(words);
    expect(world.thrown[0]).toMatchObject({ agent: 'clerk', where: 'model' });
  },
);

it('other words of the caller are not in the recording', async () => {
  await recordIt();
  const sent = createWorld({ agents: [clerk(replayed())] }).send('5 and 8');
  await expect(sent).rejects.toThrow(
    'transcript[0].parts[0].text: recorded "5 and 7", asked "5 and 8"',
  );
});

it('a turn whose process was lost is played again', async () => {
  await recordIt();
  const world = createWorld({ agents: [clerk(replayed())] });
  world.crashAt(4, 'before');
  expect((await world.send('5 and 7')).state).toBe('COMPLETED');
});

it('a model of the AI SDK is recorded against its provider, and played when that is gone', async () => {
  const provider = new ProviderServer(gemini, [
    { calls: [{ name: 'add', input: { a: 5 } }] },
    { text: 'Twelve.' },
  ]);
  const baseURL = await provider.start();
  const model = createGoogleGenerativeAI({ apiKey: KEY, baseURL })('gemini-3-pro-preview');
  const recording = recordedModel({ file, record: true, model });
  const there = createWorld({ agents: [clerk(recording)] });
  const { state } = await there.send('5 and 7');
  await provider.stop();
  expect([state, there.thrown]).toEqual(['COMPLETED', []]);
  expect(provider.refused).toEqual([]);
  const world = createWorld({ agents: [clerk(recordedModel({ file }))] });
  const task = await world.send('5 and 7');
  expect([task.state, task.artifacts.at(-1)?.parts]).toEqual(['COMPLETED', [{ text: 'Twelve.' }]]);
  expect(readFileSync(file, 'utf8')).not.toContain(KEY);
});

it('what is no recording is named', () => {
  expect(() => recordedModel({ file })).toThrow(/there is no recording .*record: true/);
  expect(() => recordedModel({ file, record: true })).toThrow('model: what is to be recorded?');
  writeFileSync(file, '{"recording":2}');
  expect(() => recordedModel({ file })).toThrow('is no recording');
});
