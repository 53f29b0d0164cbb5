import { runDoc } from '../../shared/app/records/documents.ts';
import { type SendDoc, sendCodec } from '../../shared/app/records/work-documents.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import type { Remote } from '../../shared/domain/remote.ts';
import type { Run, WaitingForDependency } from '../../shared/domain/run.ts';
import type { Settings } from '../../shared/domain/settings.ts';
import {
  type DelegatingAgent,
  delegatingAgent,
  type DelegatingOptions,
} from '../doubles/delegating-agent.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { Peer, type PeerOptions } from '../../testing/peer.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import { World, type WorldOptions } from './world.ts';

export const minute = 60_000;

export interface Waiting {
  readonly world: World;
  readonly agent: DelegatingAgent;
  readonly peer: Peer;
  readonly remote: Remote;
}

export interface WaitingOptions extends Omit<WorldOptions, 'settings'> {
  readonly peer?: PeerOptions;
  readonly remote?: Partial<Remote>;
  readonly agent?: Omit<DelegatingOptions, 'remote'>;
  readonly settings?: Partial<Settings>;
}

/** A world whose one agent delegates to one peer. */
export function waitingWorld(options: WaitingOptions = {}): Waiting {
  const { agent: about, peer: abilities, remote: more, ...rest } = options;
  const peer = new Peer(abilities);
  const remote = remoteAt('https://peer.example/card', more);
  const agent = delegatingAgent({ remote, ...about });
  const world = new World(agent, { remotes: new MemoryRemoteAgents(peer), ...rest });
  return { world, agent, peer, remote };
}

export async function row(world: World, taskId: string): Promise<Run> {
  const run = await world.app.store.get(runDoc(taskId));
  if (run === undefined) throw new Error('no such run');
  return run;
}

export async function suspended(world: World, taskId: string): Promise<WaitingForDependency> {
  const run = await row(world, taskId);
  if (run.status !== 'waiting_for_dependency') throw new Error(`it is ${run.status}`);
  return run;
}

/** Sends of a run, in the order in which they were prepared. */
export function sends(world: World, taskId: string): readonly SendDoc[] {
  return world.backend
    .all(`runs/${taskId}/sends`)
    .map(({ fields, path }) => sendCodec.decode(fields, path))
    .sort((a, b) => a.preparedAt - b.preparedAt);
}

/** Sends a message, and lets it come to where it waits. */
export async function begun(world: World, text = 'hello'): Promise<string> {
  const { taskId } = await world.send(text);
  await world.work();
  return taskId;
}

/** Time passes in small steps, with wake-ups and sweeps as they fall due. */
export async function passes(world: World, span: number, step = 5_000): Promise<void> {
  for (let passed = 0; passed < span; passed += step) {
    await world.clock.advance(Math.min(step, span - passed));
    await world.work();
    await sweep(world.app).catch(() => undefined);
    await world.work();
  }
}

/** Tasks of the peer that are open. */
export function openAt(peer: Peer): readonly string[] {
  return [...peer.tasks.values()]
    .filter(({ state }) => state === 'WORKING')
    .map(({ taskId }) => taskId);
}

export const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
