import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import type { PublicationProfile } from '../../shared/app/agents.ts';
import { archiveTask } from '../../shared/app/change/archive-task.ts';
import { viewKeyOf } from '../../shared/app/content/sealing-key.ts';
import { underPolicy } from '../../shared/app/privacy/under-policy.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { runDoc, viewDoc } from '../../shared/app/records/documents.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { defaults } from '../../shared/domain/settings.ts';
import type { Blobs } from '../../shared/ports/blobs.ts';
import { latch, World, type WorldOptions } from './world.ts';
import { wrappedBlobs } from './wrapped.ts';

const { archiveInterval, sweepGrace, sweepInterval } = defaults;
/** No worker sees to it: the sweeper finds it. */
const SWEPT = archiveInterval + sweepGrace + sweepInterval;

/** Every call of the object store, by name, with the last part of the object's name. */
function counted(calls: string[]) {
  return (blobs: Blobs): Blobs => {
    const note = (call: string, name: string) =>
      void calls.push(`${call} ${name.split('/').at(-1)}`);
    return wrappedBlobs(blobs, {
      get: (name) => (note('get', name), blobs.get(name)),
      put: (name, body, write) => (note('put', name), blobs.put(name, body, write)),
      delete: (name) => (note('delete', name), blobs.delete(name)),
      list: (prefix, limit, after) => (note('list', prefix), blobs.list(prefix, limit, after)),
    });
  };
}

interface Setting extends WorldOptions {
  readonly publication?: PublicationProfile;
}

/** An agent that shows something whenever the test says so, and ends when it says so. */
function setting({ publication, ...options }: Setting = {}) {
  const end = latch();
  let show: (words: string) => Promise<void> = () => Promise.reject(new Error('not running'));
  const agent = defineAgent({
    name: 'patient',
    description: 'Works until it is told to end.',
    ...(publication && { publication }),
    async run(ctx) {
      show = (words) => ctx.status(words);
      await end.opened;
      return 'done';
    },
  });
  const calls: string[] = [];
  const world = new World(agent, { wrapBlobs: counted(calls), ...options });
  const taken = () => calls.splice(0);
  return { world, end, taken, show: (words: string) => show(words) };
}

async function accepted(world: World) {
  const { taskId, contextId } = await world.send('go', { contextId: 'ctx' });
  const archived = () => {
    const body = world.blobs.objects.get(`contexts/${contextId}/${taskId}/task.json`)?.body;
    return body && (JSON.parse(Buffer.from(body).toString('utf8')) as unknown);
  };
  return { taskId, archived };
}

/** Time passes, with sweeps and deliveries as they come. */
async function passes(world: World, span: number): Promise<void> {
  for (let left = span; left > 0; left -= sweepInterval) {
    await world.clock.advance(Math.min(left, sweepInterval));
    await sweep(world.app);
    await world.work();
  }
}

describe('an open task is in the bucket (G20)', () => {
  it('that no worker has taken up: SUBMITTED, with its pointer, within the interval and a sweep', async () => {
    const { world } = setting();
    const { taskId, archived } = await accepted(world);
    // Its wake-up is lost, and so is each that the sweeper repeats.
    for (let left = SWEPT; left > 0; left -= sweepInterval) {
      await world.clock.advance(sweepInterval);
      await sweep(world.app);
      const runs = world.queue.filter(({ kind }) => kind === 'run');
      for (const lost of runs) world.queue.splice(world.queue.indexOf(lost), 1);
      await world.work();
    }
    expect(archived()).toMatchObject({ id: taskId, status: { state: 'TASK_STATE_SUBMITTED' } });
    const pointer = world.blobs.objects.get(`tasks/${taskId}/contextId.txt`);
    expect(Buffer.from(pointer?.body ?? []).toString('utf8')).toBe('ctx');
  });

  it('whose worker died: WORKING, by sweeper and projector', async () => {
    const { world } = setting();
    const { archived } = await accepted(world);
    await world.work();
    // Another process: the one that held the run does nothing more, its timers included.
    const other = new World(defineAgent({ name: 'other', description: 'x', run: () => 'x' }), {
      below: world,
    });
    await passes(other, SWEPT);
    expect(archived()).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } });
  });

  it('at work: by its worker when the interval is over, without a sweep', async () => {
    const { world, taken, end } = setting();
    const { archived } = await accepted(world);
    await world.work();
    await world.clock.advance(archiveInterval - 1);
    expect(taken()).toEqual([]);
    await world.clock.advance(1);
    await world.rest();
    expect(archived()).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } });
    end.open();
    await world.rest();
    expect(archived()).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  });

  it('with what it has shown since, an interval after that', async () => {
    const { world, archived, show } = await atWork();
    await passes(world, 2 * archiveInterval);
    const shown = show('half of it');
    await world.clock.advance(1_000);
    await shown;
    await passes(world, archiveInterval + SWEPT);
    expect(JSON.stringify(archived())).toContain('half of it');
  });

  it('as soon as its publication says', async () => {
    const { world, archived } = await atWork({ publication: { archiveInterval: 2_000 } });
    await world.clock.advance(2_000);
    await world.rest();
    expect(archived()).toMatchObject({ status: { state: 'TASK_STATE_WORKING' } });
  });

  it('sealed where its publication seals, and not at all where that says off', async () => {
    for (const archive of ['sealed', 'off'] as const) {
      const { world, archived } = await atWork({ publication: { archive } });
      await passes(world, SWEPT);
      expect(archived()).toBeUndefined();
      const names = [...world.blobs.objects.keys()].map((name) => name.split('/').at(-1));
      expect(names.toSorted((a, b) => String(a).localeCompare(String(b)))).toEqual(
        archive === 'off' ? [] : ['contextId.txt', 'task.json.sealed'],
      );
    }
  });
});

async function atWork(given: Setting = {}) {
  const made = setting(given);
  const task = await accepted(made.world);
  await made.world.work();
  return { ...made, ...task };
}

describe('what the archive of a task costs at the bucket', () => {
  it('is two writes for a task that ends within the interval', async () => {
    const { world, end, taken } = await atWork();
    await world.clock.advance(archiveInterval - 1_000);
    end.open();
    await world.rest();
    await passes(world, SWEPT);
    expect(taken()).toEqual(['put contextId.txt', 'put task.json']);
  });

  it('is one write more for each interval in which it changed, and none where it did not', async () => {
    const { world, end, show, taken } = await atWork();
    await passes(world, archiveInterval + sweepInterval);
    expect(taken()).toEqual(['put contextId.txt', 'put task.json']);
    for (let minute = 1; minute <= 3; minute += 1) {
      for (let step = 0; step < 3; step += 1) {
        const shown = show(`${minute} ${step}`);
        await world.clock.advance(1_000);
        await shown;
      }
      await passes(world, 2 * archiveInterval);
      expect(taken()).toEqual(['put task.json']);
      await passes(world, 2 * archiveInterval);
      expect(taken()).toEqual([]);
    }
    end.open();
    await world.rest();
    expect(taken()).toEqual(['put task.json']);
  });
});

describe('a copy of an open task', () => {
  it('goes when its words may not stay, and one that a late writer brings after that goes, too', async () => {
    const { world, taskId, archived, show } = await atWork();
    const shown = show('secret words');
    await world.clock.advance(1_000);
    await shown;
    await passes(world, SWEPT);
    expect(JSON.stringify(archived())).toContain('secret');
    const before = await world.app.store.get(viewDoc(taskId));
    if (before === undefined) throw new Error('no view');
    const key = await viewKeyOf(world.app, before);
    expect(await tightenCeiling(world.app, taskId, { answer: 'redacted' })).toBe('redacted');
    expect(JSON.stringify(archived())).not.toContain('secret words');
    // Begun before the scrub, and written after it: it does not take the place of the newer one.
    await archiveTask(world.app, key, { view: before }, { archive: 'standard' });
    expect(JSON.stringify(archived())).not.toContain('secret words');
    // And where it came first, the newer one takes its place.
    for (const name of world.blobs.objects.keys())
      if (name.endsWith('/task.json')) world.blobs.objects.delete(name);
    await archiveTask(world.app, key, { view: before }, { archive: 'standard' });
    const view = await world.app.store.get(viewDoc(taskId));
    if (view === undefined) throw new Error('no view');
    await archiveTask(
      world.app,
      await viewKeyOf(world.app, view),
      { view },
      { archive: 'standard' },
    );
    expect(JSON.stringify(archived())).not.toContain('secret words');
  });

  it('is replaced by a sealed one when its publication seals from now on', async () => {
    const { world, taskId, archived } = await atWork();
    await passes(world, SWEPT);
    expect(archived()).toBeDefined();
    const agent = world.app.agents.get(world.principal.agent);
    const app = {
      ...world.app,
      agents: { get: () => agent && { ...agent, publication: { archive: 'sealed' as const } } },
    };
    const run = await app.store.get(runDoc(taskId));
    await underPolicy(app, run ?? fail());
    expect(archived()).toBeUndefined();
    await passes(world, archiveInterval + SWEPT);
    const names = [...world.blobs.objects.keys()];
    expect(names.filter((name) => name.includes('task.json'))).toEqual([
      `contexts/ctx/${taskId}/task.json.sealed`,
    ]);
  });
});

function fail(): never {
  throw new Error('no run');
}
