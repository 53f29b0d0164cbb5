import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { isTerminal } from '../../shared/domain/status.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { World } from './world.ts';
import { withCommit, wrappedBlobs } from './wrapped.ts';

/**
 * Tightening and purging as actors beside clients and workers, with a fault at every commit and
 * every object call in turn: it fails before it happened, after it happened, or the process dies
 * there. Another process then takes over, the operator repeats what was not confirmed, and time
 * passes.
 */
const SECRET = 'my-secret-word';
type Fault = 'before' | 'after' | 'crash-before' | 'crash-after';
const FAULTS: readonly Fault[] = ['before', 'after', 'crash-before', 'crash-after'];

const agent = defineAgent({
  name: 'watched',
  description: 'Streams, asks, answers.',
  async run(ctx) {
    await ctx.artifact({ artifactId: 'a', parts: `${SECRET} `.repeat(200), append: true });
    if (ctx.history.length === 0) ctx.ask(`which ${SECRET}?`);
    return `done ${SECRET}`;
  },
});

class Injector {
  calls = 0;
  dead = false;
  readonly #at: number;
  readonly #fault: Fault;

  constructor(at: number, fault: Fault) {
    this.#at = at;
    this.#fault = fault;
  }

  async call<T>(run: () => Promise<T>): Promise<T> {
    if (this.dead) throw new Unavailable('a dead process');
    this.calls += 1;
    if (this.calls !== this.#at) return run();
    const crash = this.#fault.startsWith('crash');
    if (this.#fault.endsWith('after')) await run();
    this.dead = crash;
    throw new Unavailable('the service');
  }
}

const settings = {
  inlineContent: 600,
  workingSnapshot: 600,
  transactionDeadline: 200,
  progressDelay: 5,
};

function worldWith(injector: Injector): World {
  return new World(agent, {
    settings,
    wrap: (backend: Backend) =>
      withCommit(backend, (checks, writes) => injector.call(() => backend.commit(checks, writes))),
    wrapBlobs: (blobs) =>
      wrappedBlobs(blobs, {
        put: (...given) => injector.call(() => blobs.put(...given)),
        delete: (name) => injector.call(() => blobs.delete(name)),
      }),
  });
}

interface Story {
  readonly name: string;
  act(world: World, taskId: string): Promise<unknown>;
  /** At which moment: right after the message, while it asks, or when it has completed. */
  readonly when: 'sent' | 'asking' | 'ended';
  /** What GetTask may answer in the end. */
  readonly ends: readonly string[];
}

const tighten = (answer: 'none' | 'redacted') => (world: World, taskId: string) =>
  tightenCeiling(world.app, taskId, { answer });

const STORIES: readonly Story[] = [
  {
    name: 'tightened to none when sent',
    when: 'sent',
    act: tighten('none'),
    ends: ['FAILED', 'TASK_NOT_FOUND'],
  },
  {
    name: 'tightened to none while it asks',
    when: 'asking',
    act: tighten('none'),
    // A process that died before: then the task completes elsewhere, and the repeated command
    // removes it.
    ends: ['FAILED', 'TASK_NOT_FOUND'],
  },
  {
    name: 'tightened to none when it has ended',
    when: 'ended',
    act: tighten('none'),
    ends: ['TASK_NOT_FOUND'],
  },
  {
    name: 'redacted when sent',
    when: 'sent',
    act: tighten('redacted'),
    ends: ['COMPLETED', 'FAILED'],
  },
  {
    name: 'redacted while it asks',
    when: 'asking',
    act: tighten('redacted'),
    ends: ['COMPLETED', 'FAILED'],
  },
  {
    name: 'redacted when it has ended',
    when: 'ended',
    act: tighten('redacted'),
    ends: ['COMPLETED'],
  },
  {
    name: 'purged while it asks',
    when: 'asking',
    act: (world, id) => purgeRun(world.app, id),
    ends: ['TASK_NOT_FOUND'],
  },
  {
    name: 'purged when it has ended',
    when: 'ended',
    act: (world, id) => purgeRun(world.app, id),
    ends: ['TASK_NOT_FOUND'],
  },
];

/** Lets wake-ups, timers and the sweeper do what they can. */
async function settle(world: World, rounds: number): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    await world.work();
    await world.clock.advance(20_000);
    await sweep(world.app).catch(() => undefined);
  }
  await world.work();
}

/**
 * Tells the story until it is over or the process dies; answers the task if the client was told
 * one.
 */
async function tell(world: World, injector: Injector, story: Story): Promise<string | undefined> {
  const sent = await world
    .trySend([{ text: `please ${SECRET}` }], { contextId: 'ctx', blocking: true })
    .catch(() => undefined);
  if (sent?.kind !== 'accepted') return undefined;
  const act = async (): Promise<void> => {
    // An operator who got no answer asks again, until the process is gone.
    for (let tries = 0; tries < 3 && !injector.dead; tries += 1) {
      const done = await story.act(world, sent.taskId).then(
        () => true,
        () => false,
      );
      if (done) return;
    }
  };
  if (story.when === 'sent') await act();
  await settle(world, 4);
  if (story.when === 'asking') await act();
  await world
    .trySend([{ text: `this ${SECRET}` }], { taskId: sent.taskId, blocking: true })
    .catch(() => undefined);
  await settle(world, 4);
  if (story.when === 'ended') await act();
  return sent.taskId;
}

async function plainText(world: World): Promise<string> {
  return [...world.blobs.objects]
    .map(([name, blob]) => `${name} ${Buffer.from(blob.body).toString('latin1')}`)
    .join('\n');
}

async function check(world: World, story: Story, taskId: string): Promise<string> {
  const task = await world.service.get(world.principal, taskId);
  const state = isRefused(task) ? task.code : task.status.state;
  const listed = await world.service.list(world.principal, { includeArtifacts: true });
  expect(JSON.stringify([task, listed]), state).not.toContain(SECRET);
  expect(await plainText(world)).not.toContain(SECRET);
  const run = await world.app.store.get(runDoc(taskId));
  if (isRefused(task)) {
    expect(run).toBeUndefined();
    expect([...world.blobs.objects.keys()].filter((name) => name.includes(taskId))).toEqual([]);
  } else {
    expect(isTerminal(state), state).toBe(true);
    expect(run).toMatchObject({ scrubPending: false, hasInput: false });
    expect(run?.projectedRevision).toBe(run?.revision);
    if (state === 'COMPLETED') expect(task.artifacts.length, story.name).toBeGreaterThan(0);
  }
  expect((await world.trySend([{ text: 'next' }], { contextId: 'ctx' })).kind).toBe('accepted');
  return state;
}

describe.each(STORIES)('$name', (story) => {
  it.each(FAULTS)(
    'with a fault (%s) at any call it comes to one clean end, and nothing that may not be kept is left',
    async (fault) => {
      const calm = new Injector(0, fault);
      await tell(worldWith(calm), calm, story);
      expect(calm.calls).toBeGreaterThan(5);
      for (let at = 1; at <= calm.calls; at += 1) {
        const injector = new Injector(at, fault);
        const first = worldWith(injector);
        const taskId = await tell(first, injector, story);
        if (taskId === undefined) continue;
        injector.dead = true;
        const second = new World(agent, { settings, below: first });
        await second.clock.advance(first.clock.now() - second.clock.now() + 120_000);
        await settle(second, 4);
        await second
          .trySend([{ text: `this ${SECRET}` }], { taskId, blocking: true })
          .catch(() => undefined);
        await settle(second, 6);
        // The operator repeats the command that was never confirmed.
        await story.act(second, taskId);
        await settle(second, 3);
        expect(story.ends, `fault at call ${at}`).toContain(await check(second, story, taskId));
      }
    },
  );
});
