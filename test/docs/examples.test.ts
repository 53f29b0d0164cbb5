import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chunksOf } from '../app/stream-frames.ts';
import { decide, everythingGranted, finish } from '../app/turn-loop-world.ts';
import { World } from '../app/world.ts';
import { segmentPorts } from '../doubles/segment-ports.ts';
import { loadAgents } from '../../functions/load-agents.ts';
import type { SegmentPorts } from '../../shared/app/agents.ts';
import type { Part } from '../../shared/domain/message.ts';
import { exampleFolder } from './example-folder.ts';

let folder: string;
beforeAll(async () => {
  folder = await exampleFolder();
});
afterAll(() => rm(folder, { recursive: true }));

async function exampleOf(file: string, at: number): Promise<string> {
  const text = await readFile(new URL(`../../${file}`, import.meta.url), 'utf8');
  const code = [...text.matchAll(/```ts\n(.*?)```/gs)][at]?.[1];
  if (code === undefined) throw new Error(`${file} has no example ${at}`);
  return code;
}

async function load(file: string, at = 0) {
  const path = join(folder, `${file.replaceAll(/\W/g, '-')}-${at}.ts`);
  await writeFile(path, await exampleOf(file, at));
  return (await loadAgents(path)).first;
}

function segment(parts: readonly Part[], shown: string[]): SegmentPorts {
  return segmentPorts({
    message: { messageId: 'm', role: 'user', parts },
    artifact: ({ parts: [part] }) => {
      shown.push(part !== undefined && 'text' in part ? part.text : '?');
      return Promise.resolve();
    },
  });
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

  it.each([0, 1])('the executor of the guide moves in (%i)', async (at) => {
    const there = new URL('../../examples/action-items/executor.ts', import.meta.url);
    await writeFile(join(folder, 'executor.ts'), `export * from '${there.href}';`);
    const world = new World(await load('docs/executors.md', at), {
      caller: { owner: 'ada', tenant: '', authenticated: true },
    });
    const { taskId } = await world.send('Ada: order the lamps');
    await world.work();
    await world.rest();
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it.each([0, 1, 2, 3])('the model agents of the guide are declared (%i)', async (at) => {
    expect((await load('docs/models.md', at)).card.description).toMatch(/^Answers/);
  });

  it('the teller of the guide writes its story in pieces, and says it whole in the end', async () => {
    expect((await load('docs/models.md', 4)).card.description).toMatch(/^Tells/);
    const world = new World(await load('docs/models.md', 5));
    const { taskId } = await world.send('go');
    await world.work();
    for (let word = 0; word < 20; word += 1) {
      await world.clock.advance(120);
      await world.rest();
    }
    const chunks = await chunksOf(world, taskId);
    expect(chunks.length).toBeGreaterThan(2);
    expect(chunks[0]).toBe('answer states: Once ');
    const story = 'Once upon a time a lamp was sold, and it shone for a hundred years.';
    expect(chunks.at(-1)).toBe(`answer states whole: ${story}`);
  });

  it('the agent of the page about files keeps its notes from task to task', async () => {
    const world = new World(await load('docs/files.md'));
    const notes = async (text: string) => {
      const { taskId } = await world.send(text, { contextId: 'notes' });
      // Its disk is real.
      await expect.poll(() => world.work().then(() => world.state(taskId))).toBe('COMPLETED');
      const [artifact] = (await world.get(taskId)).artifacts;
      const [part] = artifact?.parts ?? [];
      return part !== undefined && 'raw' in part ? Buffer.from(part.raw).toString() : part;
    };
    await notes('one');
    expect(await notes('two')).toBe('one\ntwo\n');
  });

  it.each([
    ['companion', 0],
    ['reader', 1],
  ])('are agents that remember: %s', async (name, at) => {
    expect((await load('docs/memory.md', at)).card.name).toBe(name);
  });

  it('the agent of the page about MCP is declared', async () => {
    expect((await load('docs/mcp.md')).card.name).toBe('helpdesk');
  });

  it('the shop of the page about tools waits for an approval and for an address, and orders once', async () => {
    const world = new World(await load('docs/tools.md'), { grants: everythingGranted });
    const { taskId } = await world.send('A lamp, please.');
    await finish(world);
    const held = await world.get(taskId);
    expect(held.status.state).toBe('AUTH_REQUIRED');
    expect(JSON.stringify(held.status.message)).toContain('Order a lamp for 45 euros.');
    expect(JSON.stringify(held)).not.toContain('4500');
    await decide(world, taskId, 'approve');
    await finish(world);
    expect((await world.get(taskId)).status).toMatchObject({
      state: 'INPUT_REQUIRED',
      message: { parts: [{ text: 'Where to?' }, {}, {}] },
    });
    await world.trySend([{ data: { address: 'Ulm' } }], { taskId });
    await finish(world);
    const key = `${taskId}.call-4-1`;
    const words = `Ordered: ${JSON.stringify({ ordered: 'lamp', to: 'Ulm', key })}`;
    expect((await world.get(taskId)).status).toMatchObject({
      state: 'COMPLETED',
      message: { parts: [{ text: words }] },
    });
  });

  it('the shop of the page about tools orders nothing that was declined', async () => {
    const world = new World(await load('docs/tools.md'), { grants: everythingGranted });
    const { taskId } = await world.send('A lamp, please.');
    await finish(world);
    await decide(world, taskId, 'deny');
    await finish(world);
    expect(JSON.stringify((await world.get(taskId)).status)).toContain(
      'An operator declined this turn. No call of it was carried out.',
    );
  });

  it('the shop of the authors\u2019 guide names the price, in two turns', async () => {
    const world = new World(await load('docs/agents.md', 1));
    const { taskId } = await world.send('How much is a lamp?');
    await world.work();
    await world.rest();
    expect(await world.get(taskId)).toMatchObject({
      status: { state: 'COMPLETED', message: { parts: [{ text: 'A lamp is 45 euros.' }] } },
    });
  });
});
