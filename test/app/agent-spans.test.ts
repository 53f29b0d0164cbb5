import { describe, expect, it } from 'vitest';
import { defineAgent, defineTool, ModelFault } from '../../shared/agent/index.ts';
import { type Traceparent, traceparent } from '../../shared/domain/trace-context.ts';
import { RecordingTracer } from '../doubles/recording-tracer.ts';
import { call, type Scripted, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish } from './turn-loop-world.ts';
import { World } from './world.ts';

const CANARY = 'canary';
const caller = (): Traceparent => {
  const trace = traceparent(`00-${'1'.repeat(32)}-${'1'.repeat(16)}-01`);
  if (trace === undefined) throw new TypeError('no traceparent');
  return trace;
};
const request = { trace: caller() };
const description = 'An agent of these tests.';

const tools = [
  defineTool({
    name: 'look',
    description,
    parameters: { type: 'object', properties: { at: { type: 'string' } } },
    effect: 'read',
    run: ({ at }, { trace }) =>
      trace.span('read', (span) => {
        span.set({ rows: 3 });
        if (at === 'nowhere') throw new RangeError(CANARY);
        return { found: CANARY };
      }),
  }),
];

async function spansOf(...turns: readonly Scripted[]): Promise<RecordingTracer> {
  const tracer = new RecordingTracer();
  const model = new ScriptedModel(...turns);
  const world = new World(
    defineAgent({ name: 'clerk', description, model, tools, instructions: 'x' }),
    {
      tracer,
    },
  );
  await world.send(CANARY, { ...request });
  await finish(world);
  return tracer;
}

describe('what a model and a tool did', () => {
  it('is told by the conventions for generative AI, without a word of it', async () => {
    const usage = { inputTokens: 7, outputTokens: 2, cachedInputTokens: 3 };
    const tracer = await spansOf(
      { calls: [call('look', { at: CANARY })], usage, by: 'scripted-2' },
      { text: CANARY },
    );
    const [segment] = tracer.named('segment');
    expect(segment?.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': 'clerk',
    });
    const [chat] = tracer.spans.filter(({ name }) => name.startsWith('chat '));
    expect(chat && tracer.way(chat)).toMatch(/segment > chat \S+$/v);
    expect(chat?.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.response.model': 'scripted-2',
      'gen_ai.usage.input_tokens': 7,
      'gen_ai.usage.output_tokens': 2,
      'gen_ai.usage.cache_read.input_tokens': 3,
    });
    expect(chat?.attributes).toHaveProperty('gen_ai.request.model');
    const [tool] = tracer.named('execute_tool look');
    expect(tool?.attributes).toMatchObject({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'look',
      'gen_ai.tool.type': 'function',
    });
    expect(tool?.fault).toBeUndefined();
    const [read] = tracer.named('read');
    expect(read && tracer.way(read)).toMatch(/segment > execute_tool look > read$/v);
    expect(read?.attributes).toEqual({ 'agent.rows': 3 });
    expect(JSON.stringify(tracer.spans)).not.toContain(CANARY);
  });

  it('that failed is marked as such, with the class of what was thrown', async () => {
    const tracer = await spansOf({ calls: [call('look', { at: 'nowhere' })] }, () => {
      throw new ModelFault('scripted', CANARY);
    });
    const faults = tracer.spans.flatMap(({ fault, name }) => (fault ? [`${name}: ${fault}`] : []));
    expect(faults).toEqual([
      'segment: AGENT_FAILED',
      'execute_tool look: RangeError',
      'read: RangeError',
      expect.stringMatching(/^chat \S+: ModelFault$/v) as string,
    ]);
    expect(JSON.stringify(tracer.spans)).not.toContain(CANARY);
  });
});

describe("an agent's own span", () => {
  const asking = defineAgent({
    name: 'asking',
    description,
    run: (ctx) =>
      ctx.trace.span('think', async (span) => {
        if (ctx.history.length === 0) ctx.ask(`${span.traceparent === undefined}`);
        return 'done';
      }),
  });

  it('lies in the segment, hands on its header, and does not fail by a question', async () => {
    const tracer = new RecordingTracer();
    const world = new World(asking, { tracer });
    const { taskId } = await world.send('hello', { ...request });
    await world.work();
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    const [think] = tracer.named('think');
    expect(think && tracer.way(think)).toMatch(/segment > think$/v);
    expect(think).toMatchObject({ ended: true, fault: undefined });
  });

  it('is only the work where nothing is traced, with the header of the caller', async () => {
    const world = new World(asking);
    const { taskId } = await world.send('hello', { ...request });
    await world.work();
    const { status } = await world.get(taskId);
    expect(status.message?.parts).toEqual([{ text: 'false' }]);
  });
});
