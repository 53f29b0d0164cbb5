import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AgentContext, defineAgent, defineTool } from '../../shared/agent/index.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import type { Part } from '../../shared/domain/message.ts';
import { createPatternRedactor } from '../../shared/redaction/pattern-redactor.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent } from './turn-loop-world.ts';
import { latch, World, type WorldOptions } from './world.ts';

const MAIL = 'ada.lovelace@example.com';
const TEXT = `Write to ${MAIL} today.`;
const REDACTED = 'Write to [email] today.';
/** Each place at which the address can be cut in two. */
const CUTS = Array.from({ length: MAIL.length - 1 }, (_, at) => TEXT.indexOf(MAIL) + at + 1);
const halves = (at: number) => [TEXT.slice(0, at), TEXT.slice(at)] as const;
/** What of the address may be in no row and no event: enough of it to know whose it is. */
const TOLD = /ada\.|lovelace|@|example\.com/;

const redactor = createPatternRedactor();
const full: WorldOptions = { redactor, installation: { answer: 'full', audit: 'full' } };
const redacted: WorldOptions = {
  redactor,
  installation: { answer: 'redacted', audit: 'redacted' },
};

function worldOf(options: WorldOptions, run: (ctx: AgentContext) => Promise<void>): World {
  return new World(defineAgent({ name: 'writer', description: 'Writes.', run }), options);
}

const textIn = (parts: readonly Part[] = []): string =>
  parts.map((part) => ('text' in part ? part.text : '')).join('|');

async function textOf(world: World, taskId: string): Promise<string> {
  return textIn((await world.get(taskId)).artifacts[0]?.parts);
}

/** All that a stream of the task tells, from its beginning. */
async function streamed(world: World, taskId: string): Promise<string> {
  const { signal } = new AbortController();
  const wanted = { until: 'settled', afterSeq: 0 } as const;
  const stream = await world.service.stream(world.principal, taskId, wanted, signal);
  if ('kind' in stream) throw new Error(stream.kind);
  const frames: unknown[] = [];
  for await (const frame of stream) frames.push(frame);
  return JSON.stringify(frames);
}

describe('a text in pieces, where answers are redacted', () => {
  it.each(CUTS)('is shown whole and redacted, with an address cut after %i', async (at) => {
    const gate = latch();
    const world = worldOf(redacted, async (ctx) => {
      const [first, second] = halves(at);
      await ctx.artifact({ artifactId: 'a', parts: first, append: true });
      await gate.opened;
      await ctx.artifact({ artifactId: 'a', parts: second, append: true, lastChunk: true });
    });
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(2_000);
    // Nothing of it is told before its last piece.
    expect((await world.get(taskId)).artifacts).toEqual([]);
    gate.open();
    await finish(world);
    expect(await textOf(world, taskId)).toBe(REDACTED);
    expect(await streamed(world, taskId)).not.toMatch(TOLD);
  });

  it('without a last piece is shown when the segment ends', async () => {
    const world = worldOf(redacted, async (ctx) => {
      for (const letter of TEXT)
        await ctx.artifact({ artifactId: 'a', parts: letter, append: true });
    });
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await textOf(world, taskId)).toBe(REDACTED);
  });

  it('goes on behind what was said to be its last piece', async () => {
    const world = worldOf(redacted, async (ctx) => {
      const [first, second] = halves(18);
      await ctx.artifact({ artifactId: 'a', parts: first });
      await ctx.artifact({ artifactId: 'a', parts: second, append: true });
    });
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await textOf(world, taskId)).toBe(REDACTED);
  });

  it('by a tool is shown whole with the result of the call', async () => {
    const show = defineTool({
      name: 'show',
      description: 'Shows something.',
      parameters: z.object({}),
      effect: 'once',
      async run(_, given) {
        for (const parts of halves(18))
          await given.artifact({ artifactId: 'a', parts, append: true });
        return 'shown';
      },
    });
    const model = new ScriptedModel({ calls: [call('show')] });
    const world = new World(modelAgent(model, [], { tools: [show] }), redacted);
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await textOf(world, taskId)).toBe(REDACTED);
    expect((await streamed(world, taskId)).match(/\[email\]/g)).toHaveLength(1);
  });

  it('is shown whole also when the agent has tightened its own answer before', async () => {
    const world = worldOf(full, async (ctx) => {
      await ctx.tighten('redacted');
      for (const parts of halves(18)) {
        await ctx.artifact({ artifactId: 'a', parts, append: true });
        await world.clock.sleep(1_000);
      }
    });
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(5_000);
    await finish(world);
    expect(await textOf(world, taskId)).toBe(REDACTED);
    expect(await streamed(world, taskId)).not.toMatch(TOLD);
  });

  it('that was gathered but not shown when the agent tightened is shown whole, too', async () => {
    const world = worldOf(full, async (ctx) => {
      const [first, second] = halves(18);
      await ctx.artifact({ artifactId: 'a', parts: first, append: true });
      await ctx.tighten('redacted');
      await ctx.artifact({ artifactId: 'a', parts: second, append: true });
    });
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await textOf(world, taskId)).toBe(REDACTED);
  });

  it('that was shown in part before others tightened leaves out what follows', async () => {
    const gate = latch();
    const world = worldOf(full, async (ctx) => {
      await ctx.artifact({ artifactId: 'a', parts: 'It begins. ', append: true });
      await gate.opened;
      await ctx.artifact({ artifactId: 'a', parts: TEXT, append: true });
    });
    const { taskId } = await world.send('go');
    await world.work();
    await world.clock.advance(1_000);
    expect(await tightenCeiling(world.app, taskId, { answer: 'redacted' })).toBe('redacted');
    gate.open();
    await finish(world);
    expect(await textOf(world, taskId)).toBe(
      'It begins. |[a text in pieces was removed by the privacy policy]',
    );
  });
});

describe('a text in several parts that is redacted afterwards', () => {
  const told = async (pieces: readonly string[]): Promise<string> => {
    const world = worldOf(full, async (ctx) => {
      for (const parts of pieces) await ctx.artifact({ artifactId: 'a', parts, append: true });
    });
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await textOf(world, taskId)).toBe(pieces.join('|'));
    expect(await tightenCeiling(world.app, taskId, { answer: 'redacted' })).toBe('redacted');
    return textOf(world, taskId);
  };

  it.each(CUTS)('is removed where an address is cut in two, after %i', async (at) => {
    expect(await told(halves(at))).not.toMatch(TOLD);
  });

  it('keeps its parts where none goes on in the next', async () => {
    expect(await told(['Write to ', `${MAIL}; `, 'or call.'])).toBe('Write to |[email]; |or call.');
  });
});
