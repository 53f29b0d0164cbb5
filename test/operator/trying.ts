import type { DefinedAgent } from '../../shared/agent/index.ts';
import type { Ceiling } from '../../shared/domain/ceiling.ts';
import { finish, modelAgent, type Ran, toolbox } from '../app/turn-loop-world.ts';
import { World, type WorldOptions } from '../app/world.ts';
import { call, type Scripted, ScriptedModel } from '../../testing/scripted-model.ts';
import { type Api, Team } from './api.ts';
import { apiOver } from './worlds.ts';

/** A run that has failed, and what it did. */
export interface Failed {
  readonly agent: DefinedAgent;
  readonly model: ScriptedModel;
  readonly world: World;
  readonly api: Api;
  readonly team: Team;
  readonly taskId: string;
  readonly ran: Ran[];
  /** Whether its model breaks down at the end of its script. */
  readonly broken: { now: boolean };
}

export interface FailedOptions extends WorldOptions {
  /** What its model does before it breaks down. */
  readonly script?: readonly Scripted[];
  readonly audit?: Ceiling;
  readonly over?: Parameters<typeof modelAgent>[2];
  /** Within a tool. */
  readonly during?: (ran: Ran, world: () => World) => unknown;
}

export const SECRET = 'a-secret-word';

/** It looked, and paid; then its model failed, and will not fail again. */
export async function failedWorld(options: FailedOptions = {}): Promise<Failed> {
  const { audit = 'full', during, over, script = LOOKED_AND_PAID, ...rest } = options;
  const broken = { now: true };
  const ran: Ran[] = [];
  const model = new ScriptedModel(...script, () => {
    if (broken.now) throw new Error('the model broke down');
    return { text: 'done' };
  });
  const worlds: World[] = [];
  const world = () => {
    const [first] = worlds;
    if (first === undefined) throw new Error('not yet');
    return first;
  };
  const tools = toolbox(ran, (each) => during?.(each, world));
  const agent = modelAgent(model, ran, { tools, ...over });
  const team = new Team();
  const installation = { answer: 'full', audit } as const;
  worlds.push(new World(agent, { grants: team, installation, ...rest }));
  const { taskId } = await world().send(`go ${SECRET}`, { contextId: 'one' });
  await finish(world());
  const api = await apiOver(world());
  return { agent, model, world: world(), api, team, taskId, ran, broken };
}

const LOOKED_AND_PAID: readonly Scripted[] = [
  { calls: [call('look', { at: 'shelf' })] },
  { calls: [call('pay', { at: SECRET })] },
];

let requests = 0;
export const newRequest = (): string => `request ${(requests += 1)}`;
