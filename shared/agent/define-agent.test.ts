import { describe, expect, it } from 'vitest';
import { segmentPorts } from '../../test/doubles/segment-ports.ts';
import { z } from 'zod';
import type { SegmentPorts } from '../app/agents.ts';
import type { Artifact, Part } from '../domain/message.ts';
import {
  defineAgent,
  defineRemote,
  defineTool,
  type Model,
  RetryLater,
  TaskFailed,
} from './index.ts';
import type { AgentContext } from './agent-context.ts';

interface Shown {
  readonly status: (readonly Part[])[];
  readonly artifacts: {
    readonly artifact: Artifact;
    readonly append: boolean;
    readonly lastChunk: boolean;
  }[];
}

function segment(shown: Shown = { status: [], artifacts: [] }): SegmentPorts {
  return segmentPorts({
    message: {
      messageId: 'm',
      role: 'user',
      parts: [{ text: 'hello' }, { data: 1 }, { text: 'world' }],
    },
    status: (parts) => Promise.resolve(void shown.status.push(parts)),
    artifact: (artifact, append, lastChunk) =>
      Promise.resolve(void shown.artifacts.push({ artifact, append, lastChunk })),
  });
}

const agent = (run: (ctx: AgentContext) => unknown) =>
  defineAgent({ name: 'test', description: 'A test.', run: (ctx) => run(ctx) as string });

describe('declaring an agent', () => {
  it('three lines are enough; the card gets sensible defaults', () => {
    const { card } = defineAgent({
      name: 'shout',
      description: 'Shouts.',
      run: (ctx) => ctx.text.toUpperCase(),
    });
    expect(card.skills).toEqual([
      { id: 'shout', name: 'shout', description: 'Shouts.', tags: ['shout'] },
    ]);
    expect(card.version).toBe('1.0.0');
  });

  it('everything that is wrong with a declaration is said at once', () => {
    const wrong = (): unknown =>
      defineAgent({ name: 'Not A Name', description: '', skills: [], run: 5 as never });
    expect(wrong).toThrow(
      /description is missing.*skills needs at least one.*name must be.*run must be a function/,
    );
  });
});

describe('declaring an agent with a model', () => {
  const look = defineTool({
    name: 'look',
    description: 'Looks.',
    parameters: z.object({}),
    effect: 'read',
    run: () => null,
  });
  const peer = defineRemote({ name: 'peer', description: 'Helps.', card: 'https://peer.example' });
  const model: Model = { name: 'test', turn: () => Promise.resolve({ text: 'done' }) };
  const fields = { name: 'test', description: 'A test.', model, instructions: 'Help.' };

  it('a model and its instructions are enough', () => {
    const declared = defineAgent(fields);
    expect(declared.card.skills).toHaveLength(1);
    expect(declared).not.toHaveProperty('limits');
  });

  it('whom it may delegate to, and what it may use, is there for the application', () => {
    const limits = { rounds: 3, cost: 0 };
    expect(defineAgent({ ...fields, tools: [look], remotes: [peer], limits })).toMatchObject({
      remotes: [peer],
      limits,
    });
  });

  it.each<[string, object, RegExp]>([
    ['both a function and a model', { run: () => 'x' }, /one of run, steps and a model/],
    ['a model that can not be asked', { model: { name: 'x' } }, /model must be/],
    ['no instructions', { instructions: undefined }, /instructions must be/],
    ['a tool that is none', { tools: [{ name: 'look' }] }, /tools must be/],
    ['a remote that is none', { remotes: ['peer'] }, /remotes must be/],
    ['two tools of one name', { tools: [look, look] }, /called "look"/],
    [
      'a remote called like a tool',
      { tools: [look], remotes: [{ ...peer, name: 'look' }] },
      /called "look"/,
    ],
    ['a limit that is no number', { limits: { tokens: Number.NaN } }, /limits.tokens must be/],
    ['a limit of part of a round', { limits: { rounds: 0.5 } }, /limits.rounds must be/],
    ['no round at all', { limits: { rounds: 0 } }, /limits.rounds must be/],
    [
      'a model with hardly any window',
      { model: { ...fields.model, window: 10 } },
      /window of a model/,
    ],
    ['instructions that are a number', { instructions: 5 }, /instructions must be a string, or/],
    ['a memory of its own kind', { memory: 'all' }, /memory must be off, tasks/],
    ['a memory with a typing error', { memory: { token: 5 } }, /memory must be off, tasks/],
    ['a memory of no tokens', { memory: { tokens: 0 } }, /memory must be off, tasks/],
    ['ask that is a tool', { ask: 'ask_client' }, /ask must be true or false/],
    [
      'a tool of the name of the built-in one',
      { ask: true, tools: [{ ...look, name: 'ask_client' }] },
      /With ask, ask_client is the built-in tool/,
    ],
    ['a limit of something else', { limits: { time: 5 } }, /limits.time must be/],
    [
      'decisions of another owner',
      { publication: { decisions: { admin: true } } },
      /publication.decisions holds/,
    ],
    [
      'a switch that is none',
      { publication: { decisions: { owner: 'yes' } } },
      /publication.decisions holds/,
    ],
  ])('%s is refused', (_what, over, words) => {
    expect(() => defineAgent({ ...fields, ...over })).toThrow(words);
  });
});

describe('how a segment ends', () => {
  it('what run returns is the final message, and nothing is fine', async () => {
    expect(await agent((ctx) => ctx.text).run(segment())).toEqual({
      kind: 'completed',
      parts: [{ text: 'hello\nworld' }],
    });
    expect(await agent(() => undefined).run(segment())).toEqual({ kind: 'completed', parts: [] });
  });

  it('a question ends it, with the JSON Schema of the data it wants', async () => {
    const ending = await agent((ctx) => ctx.ask('How many?', z.object({ n: z.number() }))).run(
      segment(),
    );
    expect(ending).toMatchObject({
      kind: 'asked',
      parts: [{ text: 'How many?' }],
      schema: { type: 'object', required: ['n'] },
    });
  });

  it('code that swallows every error can not swallow an ending', async () => {
    const stubborn = agent((ctx) => {
      try {
        ctx.reject('no');
      } catch {
        // Swallowed, as some code does.
      }
      return 'yes';
    });
    expect(await stubborn.run(segment())).toEqual({ kind: 'rejected', parts: [{ text: 'no' }] });
  });

  it('TaskFailed speaks to the caller, RetryLater asks for another try, and any other error passes through', async () => {
    const failing = (error: Error) =>
      agent(() => {
        throw error;
      }).run(segment());
    expect(await failing(new TaskFailed('for you'))).toMatchObject({
      kind: 'failed',
      parts: [{ text: 'for you' }],
    });
    expect(await failing(new RetryLater('busy', { delay: 5 }))).toMatchObject({
      kind: 'retry',
      delay: 5,
    });
    await expect(failing(new Error('internal'))).rejects.toThrow('internal');
  });
});

describe('what an agent shows', () => {
  it('is copied: changing it afterwards changes nothing', async () => {
    const shown: Shown = { status: [], artifacts: [] };
    await agent(async (ctx) => {
      const data = { list: [1] };
      const raw = new Uint8Array([1]);
      await ctx.artifact({ parts: [{ data }, { raw }] });
      data.list.push(2);
      raw[0] = 9;
    }).run(segment(shown));
    expect(shown.artifacts[0]?.artifact.parts).toEqual([
      { data: { list: [1] } },
      { raw: new Uint8Array([1]) },
    ]);
  });

  it('is the last chunk unless it is appended', async () => {
    const shown: Shown = { status: [], artifacts: [] };
    await agent(async (ctx) => {
      await ctx.artifact({ parts: 'whole' });
      await ctx.artifact({ artifactId: 'a', parts: 'piece', append: true });
    }).run(segment(shown));
    expect(shown.artifacts.map(({ append, lastChunk }) => [append, lastChunk])).toEqual([
      [false, true],
      [true, false],
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['no part at all', [], /at least one part/],
    ['two contents in a part', [{ text: 'a', data: 1 }], /exactly one of text, data, raw or url/],
    [
      'a number that JSON has not',
      [{ data: { x: [Number.NaN] } }],
      /artifact\.parts\[0\]\.data\.x\[0\] is NaN/,
    ],
    ['a function in data', [{ data: { f: () => 1 } }], /data\.f/],
    ['a text that is none', [{ text: 5 }], /text has the wrong type/],
  ])('%s is reported with its path, at the line of the author', async (_what, parts, message) => {
    const run = agent((ctx) => ctx.artifact({ parts: parts as never })).run(segment());
    await expect(run).rejects.toThrow(message);
  });
});
