import { onTestFinished } from 'vitest';
import type { DefinedAgent } from '../../shared/agent/index.ts';
import { sendName } from '../../shared/app/operators/unresolved-send.ts';
import type { Fields } from '../../shared/ports/backend.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { finish, modelAgent, type Ran, toolbox } from '../app/turn-loop-world.ts';
import {
  begun,
  suspended,
  type Waiting,
  waitingWorld,
  type WaitingOptions,
} from '../app/waiting.ts';
import { obeying, told } from '../app/files-world.ts';
import { World, type WorldOptions } from '../app/world.ts';
import { HOOK, passes as elapses, URL, webhookWorld } from '../app/webhook-world.ts';
import { answered, type MemoryWebhooks } from '../doubles/memory-webhooks.ts';
import { Api, Team } from './api.ts';

export async function apiOver(world: World): Promise<Api> {
  const api = await Api.over(world.app, world.principal.agent);
  onTestFinished(() => api.close());
  return api;
}

/** Two tasks of one context with files: the first writes three, the second changes them. */
export async function filesWorld() {
  const team = new Team();
  const world = new World(obeying(), { grants: team });
  const first = await told(world, 'write a.json "one"\nwrite sub/b.txt bee\nwrite c.txt sea');
  const taskId = await told(world, 'write a.json "two"\nwrite sub/d.txt dee\ndelete c.txt');
  return { world, team, first, taskId, api: await apiOver(world) };
}

export interface Asking {
  readonly world: World;
  readonly api: Api;
  readonly team: Team;
  readonly taskId: string;
  readonly ran: Ran[];
  readonly model: ScriptedModel;
}

/** A run of a model that waits for an approval. Its call holds a word that only some may see. */
export async function approvalWorld(
  options: WorldOptions = {},
  during?: (ran: Ran) => unknown,
): Promise<Asking> {
  const ran: Ran[] = [];
  const erase = call('erase', { at: 'disk 1', secret: 'a-secret-word' });
  const model = new ScriptedModel({ calls: [erase] }, { text: 'gone' });
  const agent = modelAgent(model, ran, { tools: toolbox(ran, during) });
  return { model, ...(await asking(agent, ran, options)) };
}

/** A run of a model that waits for a number. */
export async function inputWorld(options: WorldOptions = {}): Promise<Asking> {
  const ran: Ran[] = [];
  const choose = call('choose', { at: 'a' });
  const model = new ScriptedModel({ calls: [choose] }, { text: 'ok' });
  return { model, ...(await asking(modelAgent(model, ran), ran, options)) };
}

async function asking(
  agent: DefinedAgent,
  ran: Ran[],
  options: WorldOptions,
): Promise<Omit<Asking, 'model'>> {
  const team = new Team();
  const world = new World(agent, { grants: team, ...options });
  const { taskId } = await world.send('go');
  await finish(world);
  return { world, team, taskId, ran, api: await apiOver(world) };
}

export interface Unknown extends Waiting {
  readonly api: Api;
  readonly team: Team;
  readonly taskId: string;
  /** The send whose outcome is not known. */
  readonly send: string;
}

/** A run whose message got lost on the way, before or after the remote took it. */
export async function unknownWorld(
  when: 'before' | 'after' = 'before',
  options: WaitingOptions = {},
): Promise<Unknown> {
  const team = new Team();
  const made = waitingWorld({ grants: team, peer: { canList: false }, ...options });
  made.peer.script('send', { kind: 'drop', when });
  const taskId = await begun(made.world);
  const { dependency } = await suspended(made.world, taskId);
  const api = await apiOver(made.world);
  return { ...made, team, api, taskId, send: sendName(taskId, dependency.sendId) };
}

export interface ParkedWorld {
  readonly api: Api;
  readonly team: Team;
  readonly world: World;
  readonly webhooks: MemoryWebhooks;
  readonly taskId: string;
  /** Of the webhook that was given up, as an operator knows it. */
  readonly name: string;
}

/** A webhook that answered 500 as often as it was tried. */
export async function parkedWorld(): Promise<ParkedWorld> {
  const team = new Team();
  const made = webhookWorld({ grants: team, settings: { pushAttempts: 2 } });
  const { webhooks, world } = made;
  webhooks.at(URL, () => answered(500));
  const { taskId } = await world.send('hi', { webhook: { ...HOOK, id: 'a.b' } });
  await elapses(world, 60_000);
  return { ...made, team, taskId, api: await apiOver(world), name: `${taskId}.a.b` };
}

/** Writes fields into a run's row, past all that guards it. */
export async function overwrite(world: World, taskId: string, more: Fields): Promise<void> {
  const path = `runs/${taskId}`;
  const { fields } = world.backend.peek(path) ?? { fields: {} };
  await world.backend.commit([], [{ path, fields: { ...fields, ...more }, expect: 'any' }]);
}
