import { z } from 'zod';
import {
  defineAgent,
  defineTool,
  type DefinedAgent,
  type Model,
  type ModelAgentDeclaration,
  type Tool,
} from '../../shared/agent/index.ts';
import { loadSteps } from '../../shared/app/worker/transcript.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { storeDecision } from '../../shared/app/decisions/store-decision.ts';
import type { Decision } from '../../shared/domain/decision.ts';
import { isJsonObject, type Json } from '../../shared/domain/json.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Run } from '../../shared/domain/run.ts';
import type { Step } from '../../shared/domain/step.ts';
import type { Grants } from '../../shared/ports/grants.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import type { World } from './world.ts';

/** One time that a tool ran. */
export interface Ran {
  readonly tool: string;
  readonly callId: string;
  readonly attempt: number;
  readonly args: unknown;
  readonly input: unknown;
}

export const everythingGranted: Grants = { allows: () => Promise.resolve(true) };

/** Tools of every kind, that write down when they run. `during`: what happens within one. */
export function toolbox(
  ran: Ran[],
  during: (ran: Ran) => unknown = () => undefined,
): readonly Tool[] {
  const parameters = z.object({ at: z.string() });
  const run =
    (tool: string) =>
    async (
      args: unknown,
      { attempt, callId, input }: { attempt: number; callId: string; input: unknown },
    ) => {
      const this_ = { tool, callId, attempt, args, input };
      ran.push(this_);
      return (await during(this_)) ?? { tool, args, ...(input !== undefined && { input }) };
    };
  const frame = (name: string) => ({
    name,
    description: `The tool ${name}.`,
    parameters,
    run: run(name),
  });
  return [
    defineTool({ ...frame('look'), effect: 'read' }),
    defineTool({ ...frame('note'), effect: 'idempotent' }),
    defineTool({ ...frame('pay'), effect: 'once' }),
    defineTool({
      ...frame('erase'),
      effect: 'once',
      approval: true,
      summary: ({ at }) => `Erase what is at ${at}.`,
    }),
    defineTool({ ...frame('hide'), effect: 'read', approval: true }),
    defineTool({
      ...frame('choose'),
      effect: 'read',
      input: { question: 'Which one?', schema: z.object({ n: z.number().int().max(3) }) },
    }),
  ];
}

/** A model with that toolbox and a remote called `peer`, which needs no approval. */
export function modelAgent(
  model: Model,
  ran: Ran[] = [],
  over: Partial<Omit<ModelAgentDeclaration, 'run'>> = {},
): DefinedAgent {
  return defineAgent({
    name: 'modelled',
    description: 'Works in turns.',
    model,
    instructions: 'Do it.',
    tools: toolbox(ran),
    remotes: [remoteAt('https://peer.example/card')],
    ...over,
  });
}

/** Delivers what is due until the run rests. */
export async function finish(world: World): Promise<void> {
  for (let idle = 0; idle < 3; ) {
    const before = world.backend.everything().map(({ version }) => version);
    await world.work();
    await world.rest();
    const after = world.backend.everything().map(({ version }) => version);
    idle = String(before) === String(after) ? idle + 1 : 0;
  }
}

export async function rowOf(world: World, taskId: string): Promise<Run> {
  const run = await world.app.store.get(runDoc(taskId));
  if (run === undefined) throw new Error('no row');
  return run;
}

/** The transcript of a run that is open; it can't be read once the run has ended. */
export async function stepsOf(world: World, taskId: string): Promise<readonly Step[]> {
  return loadSteps(world.app, { run: await rowOf(world, taskId) });
}

/** What the task says that a decision about it must name. */
export async function heldOf(world: World, taskId: string) {
  const { status } = await world.get(taskId);
  const parts = status.message?.parts ?? [];
  const data = parts.flatMap((part) => ('data' in part ? [part.data] : []));
  const held = data.find((each) => isJsonObject(each) && 'pauseGeneration' in each);
  const { digest, pauseGeneration } = isJsonObject(held) ? held : {};
  if (typeof digest !== 'string' || typeof pauseGeneration !== 'number')
    throw new Error('nothing is held');
  return { pauseGeneration, digest, held };
}

/** An operator decides about what is held now. */
export async function decide(
  world: World,
  taskId: string,
  kind: Decision['kind'],
  input: Json = null,
): Promise<void> {
  const { digest, pauseGeneration } = await heldOf(world, taskId);
  const named = { pauseGeneration, digest };
  const decision = kind === 'input' ? { kind, ...named, input } : { kind, ...named };
  const operator = { kind: 'operator', subject: 'olga' } as const;
  const receipt = await storeDecision(world.app, operator, taskId, decision);
  if (isRefused(receipt)) throw new Error(receipt.message);
}
