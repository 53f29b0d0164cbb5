import {
  type DefinedAgent,
  defineAgent,
  type PublicationProfile,
} from '../../shared/agent/index.ts';
import type { Ending, SegmentPorts } from '../../shared/app/agents.ts';
import type { Decider } from '../../shared/app/decisions/decider.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import type { Decision } from '../../shared/domain/decision.ts';
import type { JsonObject } from '../../shared/domain/json.ts';
import type { Part } from '../../shared/domain/message.ts';
import type { Run } from '../../shared/domain/run.ts';
import { digestOfCalls, type Step, type ToolCall } from '../../shared/domain/step.ts';
import type { Grants, Right } from '../../shared/ports/grants.ts';
import { World, type WorldOptions } from './world.ts';

export const CALLS: readonly ToolCall[] = [
  { id: 'call-1', tool: 'pay', arguments: { amount: 120, to: 'ada', reference: 'my-secret-word' } },
];
export const DIGEST = digestOfCalls(CALLS);
export const SCHEMA = {
  type: 'object',
  properties: { count: { type: 'integer', minimum: 1 } },
  required: ['count'],
  additionalProperties: false,
} as const;

/** What happened outside, in order: a call that ran, or one that was declined and by whom. */
export type Effects = string[];

type Asks = 'approval' | 'input' | 'words';

/** A model's loop in little: one turn that is held until a decision about it is stored. */
export function held(
  effects: Effects,
  decisions: PublicationProfile['decisions'] = {},
  asks: Asks = 'approval',
): DefinedAgent {
  const name = 'held';
  const publication = { decisions: decisions ?? {} };
  const declared = defineAgent({ name, description: 'Holds a turn.', publication, run: () => '' });
  return { ...declared, run: (segment) => loop(segment, effects, asks) };
}

async function loop({ transcript }: SegmentPorts, effects: Effects, asks: Asks): Promise<Ending> {
  const steps = await transcript.load();
  const decided = steps.find(
    (step): step is Step & { kind: 'decision' } => step.kind === 'decision',
  );
  if (decided === undefined) {
    if (steps.length === 0)
      await transcript.append({ kind: 'turn', calls: CALLS, digest: DIGEST, artifacts: [] });
    return asking(asks);
  }
  if (decided.decision === 'deny') {
    effects.push(`declined by ${decided.by}`);
    return { kind: 'completed', parts: [{ text: `declined by the ${decided.by}` }] };
  }
  if (!steps.some(({ kind }) => kind === 'result')) {
    await transcript.begin('call-1');
    effects.push('paid');
    await transcript.append({ kind: 'result', callId: 'call-1', status: 'ok', value: null });
  }
  const words: Part =
    decided.input === undefined ? { text: 'paid' } : { data: { got: decided.input } };
  return { kind: 'completed', parts: [words] };
}

function asking(asks: Asks): Ending {
  const words = [{ text: 'May I pay?' }];
  if (asks === 'approval') {
    const calls = [{ id: 'call-1', tool: 'pay', summary: 'a payment of 120' }];
    return { kind: 'paused', pause: { kind: 'approval', words, digest: DIGEST, calls } };
  }
  const schema = asks === 'input' ? { schema: SCHEMA } : {};
  const pause = { kind: 'input', words, digest: DIGEST, callId: 'call-1', ...schema } as const;
  return { kind: 'paused', pause };
}

export const approve: Decision = { kind: 'approve', pauseGeneration: 1, digest: DIGEST };
export const deny: Decision = { kind: 'deny', pauseGeneration: 1, digest: DIGEST };
export const input = (value: Decision['input']): Decision => ({
  kind: 'input',
  pauseGeneration: 1,
  digest: DIGEST,
  ...(value !== undefined && { input: value }),
});

export const operator = (subject = 'grace@example.com'): Decider => ({ kind: 'operator', subject });
export const owner = (world: World): Decider => ({ kind: 'owner', principal: world.principal });

/** Rights that a test gives and takes. */
export class TestGrants implements Grants {
  readonly given = new Map<string, readonly Right[]>([['grace@example.com', ['view', 'decide']]]);

  allows(subject: string, right: Right): Promise<boolean> {
    return Promise.resolve(this.given.get(subject)?.includes(right) ?? false);
  }
}

/** A world in which a run waits for a decision. */
export async function waitingWorld(
  agent: DefinedAgent,
  options: WorldOptions = {},
): Promise<{ readonly world: World; readonly taskId: string; readonly grants: TestGrants }> {
  const grants = new TestGrants();
  const world = new World(agent, { grants, ...options });
  const { taskId } = await world.send('pay ada');
  await world.work();
  return { world, taskId, grants };
}

export async function rowOf(world: World, taskId: string): Promise<Run> {
  const run = await world.app.store.get(runDoc(taskId));
  if (run === undefined) throw new Error('no such run');
  return run;
}

/** The data part of a decision. */
export const part = (decision: Decision): Part => ({ data: decision as unknown as JsonObject });
