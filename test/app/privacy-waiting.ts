import { z } from 'zod';
import {
  type DefinedAgent,
  defineTool,
  type ModelAgentDeclaration,
  type ModelRequest,
} from '../../shared/agent/index.ts';
import { handleWakeUp } from '../../shared/app/worker/handle-wake-up.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { Peer } from '../../testing/peer.ts';
import { SECRET } from './shapes.ts';
import { decide, everythingGranted, modelAgent, type Ran, toolbox } from './turn-loop-world.ts';
import { passes } from './waiting.ts';
import { latch, World, type WorldOptions } from './world.ts';

/** A run with a model that waits, and all that it deals with. */
export interface Scene {
  readonly world: World;
  readonly taskId: string;
  readonly peer: Peer;
  readonly model: ScriptedModel;
  readonly ran: readonly Ran[];
  readonly agent: DefinedAgent;
  /** Lets a tool return that holds its segment up. */
  readonly release: () => void;
}

export interface Moment {
  readonly name: string;
  readonly status: string;
  /** CancelTask calls that the remote gets when the run ends here. */
  readonly cancels: 0 | 1;
  /** The model's first turn calls this. */
  readonly calls: readonly ReturnType<typeof call>[];
  /** Before the message comes. `released` is the way on. */
  readonly prepare?: (peer: Peer, released: Promise<void>) => void;
  /** The remote takes a message whose answer is lost. */
  readonly lost?: true;
  /** From the first rest to the moment. */
  readonly reach?: (scene: Scene) => Promise<unknown>;
  /** What the run waits for comes, in this world or in another over the same rows. */
  readonly goOn: (scene: Scene, world: World) => unknown;
}

const at = { at: `the place ${SECRET}` };
const toPeer = [call('peer', { message: `do ${SECRET}`, data: { who: SECRET } })];

function answered({ peer }: Scene): void {
  for (const { state, taskId } of peer.tasks.values())
    if (state === 'WORKING') peer.settle(taskId, 'COMPLETED', `answer ${SECRET}`);
}

/** What is tightened meanwhile is refused, and may be sent again. */
async function answerBy(world: World, taskId: string, tries = 2): Promise<void> {
  const sent = await world.trySend([{ data: { n: 2, why: `so ${SECRET}` } }], { taskId });
  if (sent.kind !== 'accepted' && tries > 1) await answerBy(world, taskId, tries - 1);
}

/** Every way in which a run waits. */
export const MOMENTS: readonly Moment[] = [
  {
    name: 'while it waits for a remote agent',
    status: 'waiting_for_dependency',
    cancels: 1,
    calls: toPeer,
    goOn: answered,
  },
  {
    name: 'while it is not known whether the remote agent got its message',
    status: 'waiting_for_dependency',
    // Its task is found by its context.
    cancels: 1,
    calls: toPeer,
    prepare: (peer) => peer.script('send', { kind: 'drop', when: 'after' }),
    lost: true,
    goOn: answered,
  },
  {
    name: 'while its message is on the way to a remote agent',
    status: 'running',
    cancels: 1,
    calls: toPeer,
    prepare: (peer, until) => peer.script('send', { kind: 'hold', when: 'after', until }),
    async goOn(scene, world) {
      scene.release();
      await world.rest();
      answered(scene);
    },
  },
  {
    name: 'while it waits for an approval',
    status: 'waiting_for_approval',
    cancels: 0,
    calls: [call('erase', at)],
    goOn: ({ taskId }, world) => decide(world, taskId, 'approve'),
  },
  {
    name: 'while it waits for an input',
    status: 'waiting_for_input',
    cancels: 0,
    calls: [call('choose', at)],
    goOn: ({ taskId }, world) => decide(world, taskId, 'input', { n: 2, why: `so ${SECRET}` }),
  },
  {
    name: 'with an approval that no worker has taken in yet',
    status: 'queued',
    cancels: 0,
    calls: [call('erase', at)],
    reach: ({ taskId, world }) => decide(world, taskId, 'approve'),
    goOn: () => undefined,
  },
  {
    name: 'with an answer of a client that no worker has taken in yet',
    status: 'queued',
    cancels: 0,
    calls: [call('choose', at)],
    reach: ({ taskId, world }) => answerBy(world, taskId),
    goOn: () => undefined,
  },
  {
    name: 'with an answer of a remote agent that no worker has taken in yet',
    status: 'queued',
    cancels: 0,
    calls: toPeer,
    async reach(scene) {
      const { world } = scene;
      answered(scene);
      await world.clock.advance(30_000);
      const [look] = world.queue.splice(
        world.queue.findIndex(({ kind }) => kind === 'poll'),
        1,
      );
      if (look !== undefined) await handleWakeUp(world.app, look);
    },
    goOn: () => undefined,
  },
  {
    name: 'while a tool runs between two of its steps',
    status: 'running',
    cancels: 0,
    calls: [call('stop', at)],
    goOn: ({ release }) => release(),
  },
];

const INSTRUCTIONS = `Keep to ${SECRET}.`;

/** The run as it is at the moment. Every text that was written holds the secret. */
export async function sceneAt(
  moment: Moment,
  options: WorldOptions = {},
  over: Partial<Omit<ModelAgentDeclaration, 'run'>> = {},
): Promise<Scene> {
  const peer = new Peer();
  const gate = latch();
  moment.prepare?.(peer, gate.opened);
  const model = new ScriptedModel(
    {
      text: `thinking of ${SECRET}`,
      artifacts: [{ artifactId: 'early', parts: `early ${SECRET}` }],
      calls: moment.calls,
      usage: { inputTokens: 10, outputTokens: 5 },
    },
    { text: `done ${SECRET}`, artifacts: [{ artifactId: 'late', parts: `late ${SECRET}` }] },
  );
  const ran: Ran[] = [];
  const agent = modelAgent(model, ran, {
    instructions: INSTRUCTIONS,
    tools: tools(ran, gate.opened),
    ...over,
  });
  const world = worldOf(agent, peer, options);
  const { taskId } = await world.send(`please ${SECRET}`, { contextId: 'ctx' });
  await world.work();
  const scene = { world, taskId, peer, model, ran, agent, release: () => gate.open() };
  await moment.reach?.(scene).catch(() => undefined);
  return scene;
}

function worldOf(agent: DefinedAgent, peer: Peer, options: WorldOptions = {}): World {
  return new World(agent, {
    remotes: new MemoryRemoteAgents(peer),
    grants: everythingGranted,
    ...options,
  });
}

/** Another process over the same rows, objects and remote agents, at the same time of day. */
export async function elsewhere(scene: Scene, options: WorldOptions = {}): Promise<World> {
  const { agent, peer, world } = scene;
  const other = worldOf(agent, peer, { below: world, ...options });
  await other.clock.advance(world.clock.now() - other.clock.now());
  return other;
}

function tools(ran: Ran[], opened: Promise<void>) {
  const parameters = z.object({ at: z.string() });
  const others = toolbox(ran).filter(({ name }) => name !== 'choose');
  return [
    ...others,
    defineTool({
      name: 'choose',
      description: 'Asks.',
      parameters,
      effect: 'read',
      input: {
        question: `Which of ${SECRET}?`,
        schema: z.object({ n: z.number(), why: z.string() }),
      },
      run: (args, { attempt, callId, input }) => {
        ran.push({ tool: 'choose', callId, attempt, args, input });
        return { chose: input };
      },
    }),
    defineTool({
      name: 'stop',
      description: 'Takes its time.',
      parameters,
      effect: 'idempotent',
      async run(args, { attempt, callId }) {
        ran.push({ tool: 'stop', callId, attempt, args, input: undefined });
        await opened;
        return { stopped: args };
      },
    }),
  ];
}

/** What it waits for comes, if it waits for it still, and time passes until the run has ended. */
export async function finished(
  moment: Moment,
  scene: Scene,
  world: World = scene.world,
): Promise<void> {
  await Promise.resolve(moment.goOn(scene, world)).catch(() => undefined);
  await passes(world, 100_000, 20_000);
}

/** What the model was given last, without what differs between any two worlds. */
export function given({ model }: Scene): unknown {
  const { instructions, transcript } = model.requests.at(-1) as ModelRequest;
  return JSON.parse(
    JSON.stringify({ instructions, transcript }, (key, value: unknown) =>
      key === 'messageId' ? undefined : value,
    ),
  );
}

/** Every way in which a task can be seen from outside, as one text. */
export async function everyPath(world: World, taskId: string): Promise<string> {
  const seen: unknown[] = [await world.service.get(world.principal, taskId)];
  seen.push(await world.service.list(world.principal, { includeArtifacts: true }));
  const request = { until: 'settled', afterSeq: 0 } as const;
  const over = new AbortController();
  const stream = await world.service.stream(world.principal, taskId, request, over.signal);
  const read = async (): Promise<void> => {
    if (!isRefused(stream)) for await (const frame of stream) seen.push(frame);
  };
  const reading = read();
  await world.rest();
  over.abort();
  await reading;
  for (const [name, { body }] of world.blobs.objects)
    seen.push(name, Buffer.from(body).toString('latin1'));
  seen.push(world.logged, world.queue);
  return print(seen);
}

export function print(value: unknown): string {
  return JSON.stringify(value, (_key, each: unknown) =>
    each instanceof Uint8Array ? Buffer.from(each).toString('latin1') : each,
  );
}

/** Objects of a task. */
export function objectsOf(world: World, taskId: string): readonly string[] {
  return [...world.blobs.objects.keys()].filter((name) => name.includes(taskId));
}
