import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noLedger } from '../doubles/no-ledger.ts';
import { loadAgents } from '../../functions/load-agents.ts';
import type { SegmentPorts } from '../../shared/app/agents.ts';
import type { Part } from '../../shared/domain/message.ts';

/** Inside the project, so that `holdfast/agent` means this very package. */
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(import.meta.dirname, 'example-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function exampleOf(file: string): Promise<string> {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  const [, code] = /```ts\n(.*?)```/s.exec(text) ?? [];
  if (code === undefined) throw new Error(`${file} has no example`);
  return code;
}

async function load(file: string) {
  const path = join(folder, `${file.replaceAll(/\W/g, '-')}.ts`);
  await writeFile(path, await exampleOf(file));
  return (await loadAgents(path)).first;
}

function segment(parts: readonly Part[], shown: string[]): SegmentPorts {
  return {
    taskId: 'task',
    contextId: 'context',
    message: { messageId: 'm', role: 'user', parts },
    history: [],
    attempt: 1,
    signal: new AbortController().signal,
    artifacts: 0,
    earlierTasks: () => Promise.resolve([]),
    tighten: () => Promise.resolve(),
    ledger: noLedger,
    status: () => Promise.resolve(),
    artifact: ({ parts: [part] }) => {
      shown.push(part !== undefined && 'text' in part ? part.text : '?');
      return Promise.resolve();
    },
  };
}

describe('examples in the documentation', () => {
  it('the agent of the README greets, and asks when it knows no name', async () => {
    const agent = await load('README.md');
    const shown: string[] = [];
    expect(await agent.run(segment([{ text: 'Ada' }], shown))).toEqual({
      kind: 'completed',
      parts: [{ text: 'Greeted.' }],
    });
    expect(shown).toEqual(['Hello, Ada!']);
    expect(await agent.run(segment([{ text: ' ' }], shown))).toMatchObject({ kind: 'asked' });
  });

  it('the agent of the authors\u2019 guide counts, and asks for data with a schema', async () => {
    const agent = await load('docs/agents.md');
    const shown: string[] = [];
    expect(await agent.run(segment([{ data: { to: 3 } }], shown))).toMatchObject({
      kind: 'completed',
    });
    expect(shown.join('')).toBe('1 2 3 ');
    expect(await agent.run(segment([{ text: 'go' }], shown))).toMatchObject({
      kind: 'asked',
      schema: { type: 'object' },
    });
  });
});
