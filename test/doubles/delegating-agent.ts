import { defineAgent, type DefinedAgent } from '../../shared/agent/index.ts';
import type { Agent, Ending, SegmentPorts } from '../../shared/app/agents.ts';
import type { Delegated } from '../../shared/app/transcript.ts';
import type { Json } from '../../shared/domain/json.ts';
import type { Remote } from '../../shared/domain/remote.ts';
import { digestOfCalls, type Step, type ToolCall } from '../../shared/domain/step.ts';

export interface DelegatingOptions extends Pick<Agent, 'limits'> {
  readonly remote: Remote;
  /** How often it delegates, one after the other. */
  readonly times?: number;
  readonly words?: string;
  /** Waits before it goes on, in each segment. */
  readonly before?: (segment: SegmentPorts) => Promise<unknown>;
}

/**
 * An agent that does nothing but delegate, by the ledger alone, and writes down what it was given
 * back.
 */
export interface DelegatingAgent extends DefinedAgent {
  /**
   * Results as the segments saw them: a call whose segment was repeated is there more than once,
   * always alike.
   */
  readonly seen: { readonly callId: string; readonly value: Json }[];
  /** How often `delegate` was called for a call. */
  readonly asked: Map<string, number>;
}

export function delegatingAgent(options: DelegatingOptions): DelegatingAgent {
  const { remote, times = 1, words = 'Do it.', before, limits } = options;
  const seen: DelegatingAgent['seen'] = [];
  const asked = new Map<string, number>();

  async function result(
    { transcript }: SegmentPorts,
    steps: readonly Step[],
    id: string,
  ): Promise<Delegated | { readonly kind: 'known'; readonly value: Json }> {
    const call: ToolCall = { id, tool: remote.name, arguments: { words } };
    if (!steps.some((step) => step.kind === 'turn' && step.calls.some((made) => made.id === id))) {
      const digest = digestOfCalls([call]);
      const turn: Step = { kind: 'turn', calls: [call], digest, artifacts: [] };
      await transcript.append(turn, { spend: { rounds: 1, tokens: 10 } });
    }
    const known = steps.find((step) => step.kind === 'result' && step.callId === id);
    if (known?.kind === 'result') return { kind: 'known', value: known.value };
    asked.set(id, (asked.get(id) ?? 0) + 1);
    return transcript.delegate({ callId: id, remote, parts: [{ text: words }] });
  }

  async function run(segment: SegmentPorts): Promise<Ending> {
    await before?.(segment);
    const steps = await segment.transcript.load();
    const values: Json[] = [];
    for (let n = 1; n <= times; n += 1) {
      const callId = `call-${n}`;
      const came = await result(segment, steps, callId);
      if (came.kind !== 'known' && came.kind !== 'answered') return came;
      const value = came.kind === 'known' ? came.value : came.step.value;
      seen.push({ callId, value });
      values.push(value);
    }
    return { kind: 'completed', parts: [{ data: values }] };
  }

  const description = 'Delegates all of its work.';
  const declared = defineAgent({ name: 'agent', description, run: () => undefined });
  return { ...declared, remotes: [remote], ...(limits && { limits }), run, seen, asked };
}
