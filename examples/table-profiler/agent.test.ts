import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { segmentPorts } from '../../test/doubles/segment-ports.ts';
import type { Artifact, Message, Part } from 'holdfast/agent';
import type { Ending, SegmentPorts } from '../../shared/app/agents.ts';
import agent from './agent.ts';

type Seen = {
  readonly ending: Ending;
  readonly artifacts: readonly Artifact[];
  readonly statuses: readonly string[];
};

const sent = (...parts: Part[]): Message => ({ messageId: 'm', role: 'user', parts });
const fixture = (filename: string): Part => ({
  raw: readFileSync(new URL(`../../test/fixtures/tables/${filename}`, import.meta.url)),
  mediaType: 'text/csv',
  filename,
});

async function run(message: Message, options: Partial<SegmentPorts> = {}): Promise<Seen> {
  const artifacts: Artifact[] = [];
  const statuses: string[] = [];
  const ending = await agent.run(
    segmentPorts({
      message,
      status: async (parts) => void statuses.push(wordsOf(parts)),
      artifact: async (artifact) => void artifacts.push(artifact),
      ...options,
    }),
  );
  return { ending, artifacts, statuses };
}

function wordsOf(parts: readonly Part[]): string {
  return parts.map((part) => ('text' in part ? part.text : '')).join();
}

function answerOf(ending: Ending): string {
  return 'parts' in ending ? wordsOf(ending.parts) : '';
}

describe('the table profiler', () => {
  it('answers a file with a profile, a report, a chart and the numbers that matter', async () => {
    const { ending, artifacts, statuses } = await run(sent(fixture('orders-european.csv')));
    expect(ending.kind).toBe('completed');
    expect(answerOf(ending)).toEqual(
      expect.stringMatching(
        /^orders-european.csv has 60 rows and 10 columns; 56 of 600 cells \(9.3%\) are missing. .* read as windows-1252: check words such as "Bäckerei"/,
      ),
    );
    expect(statuses).toEqual(['Read 60 rows and 10 columns']);
    expect(artifacts).toMatchObject([
      { artifactId: 'profile', parts: [{ mediaType: 'application/json', data: { rows: 60 } }] },
      { artifactId: 'report', parts: [{ mediaType: 'text/markdown', filename: 'report.md' }] },
      { artifactId: 'chart', parts: [{ mediaType: 'image/svg+xml', filename: 'chart.svg' }] },
    ]);
  });

  it('run again after a crash emits the very same artifacts', async () => {
    const message = sent(fixture('sensors-bom.csv'));
    expect((await run(message)).artifacts).toEqual((await run(message)).artifacts);
  });

  it('asks for a table, and takes it from the answer or from what was sent before', async () => {
    const first = sent({ text: 'Profile my table' });
    expect((await run(first)).ending.kind).toBe('asked');
    const answer = sent({ text: 'name,age\nAda,36' });
    expect((await run(answer, { history: [first] })).ending.kind).toBe('completed');
    const reference = sent({ text: 'the one above' });
    expect((await run(reference, { history: [answer] })).ending.kind).toBe('completed');
  });

  it('asks again, with the reason, when the file is no table', async () => {
    const part: Part = { raw: Uint8Array.of(0x25, 0x50, 0x44, 0x46, 0x2d), mediaType: 'text/csv' };
    const { ending, artifacts } = await run(sent(part));
    expect(ending.kind).toBe('asked');
    expect(answerOf(ending)).toContain('It seems to be a PDF');
    expect(artifacts).toEqual([]);
  });

  it('answers an empty file and a header alone like any other table', async () => {
    for (const text of ['', 'name,age\n']) {
      const { ending, artifacts } = await run(sent({ text, mediaType: 'text/csv' }));
      expect(ending.kind).toBe('completed');
      expect(artifacts).toHaveLength(3);
    }
  });

  it('shows how far it is with a long table, and stops when it is cancelled', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => `${index},x`);
    const message = sent({ text: ['n,m', ...lines].join('\n'), mediaType: 'text/csv' });
    expect((await run(message)).statuses).toContain('Profiled 1 of 2 columns');

    const controller = new AbortController();
    const statuses: string[] = [];
    const status = async (parts: readonly Part[]): Promise<void> => {
      statuses.push(wordsOf(parts));
      if (statuses.length === 2) controller.abort(new Error('canceled'));
    };
    const { signal } = controller;
    await expect(run(message, { status, signal })).rejects.toThrow('canceled');
    expect(statuses).toHaveLength(2);
  });

  it('explains itself to a greeting without making a task of it', async () => {
    expect(await agent.reply?.(sent({ text: 'Hello!' }))).toEqual([
      { text: expect.stringMatching(/^I profile tables/) },
    ]);
    expect(await agent.reply?.(sent({ text: 'a,b\n1,2' }))).toBeUndefined();
  });
});
