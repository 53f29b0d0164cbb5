import { describe, expect, it } from 'vitest';
import { responseTrace, type TracedStep } from './response-trace.ts';

const run = { traceId: 't', taskId: 'run', agent: 'clerk', createdAt: 1_000 };
const usage = { input: 10, output: 5 };

const turn: TracedStep = {
  number: 1,
  kind: 'turn',
  at: 3_000,
  facts: {
    model: 'gpt',
    usage,
    cost: 7,
    startedAt: 2_000,
    calls: [{ callId: 'c', name: 'ask the bank', effect: 'remote' }],
  },
};
const result = (facts: TracedStep['facts']): TracedStep => ({
  number: 2,
  kind: 'result',
  at: 9_000,
  facts: { status: 'ok', ...facts },
});

describe('a trace', () => {
  it('adds up tokens and costs at its root, and says how many steps came before', () => {
    expect(responseTrace(run, [turn, { ...turn, number: 3 }], 4)).toMatchObject({
      steps: [
        { total_tokens: 30, cost: 14, additional_attributes: { steps_left_out: '4' } },
        { name: 'gpt', total_tokens: 15, cost: 7, latency: 1_000 },
        {},
      ],
    });
  });

  it('names a remote agent as an agent, below the turn that called it', () => {
    const [, , remote] = responseTrace(run, [turn, result({ callId: 'c', startedAt: 3_000 })], 0)[
      'steps'
    ] as readonly object[];
    expect(remote).toEqual({
      step_id: 'run/2',
      trace_id: 't',
      parent_step_id: 'run/1',
      call_type: 'AGENT',
      name: 'ask the bank',
      step_action: { agent_invocation: { agent_name: 'ask the bank' } },
      additional_attributes: { kind: 'remote', effect: 'remote', status: 'ok' },
      latency: 6_000,
      start_time: '1970-01-01T00:00:03.000Z',
      end_time: '1970-01-01T00:00:09.000Z',
    });
  });

  it('keeps a call of which only its end is known, and no step of a person', () => {
    const steps = [result({ callId: 'lost' }), { ...turn, number: 3, kind: 'decision' }];
    expect(responseTrace({ ...run, endedAt: 9_500 }, steps, 0)).toMatchObject({
      steps: [
        { latency: 8_500 },
        { parent_step_id: 'run', call_type: 'TOOL', name: 'unknown', end_time: expect.any(String) },
      ],
    });
  });
});
