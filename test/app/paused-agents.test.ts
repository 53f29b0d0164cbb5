import { describe, expect, it } from 'vitest';
import { defineAgent, type DefinedAgent } from '../../shared/agent/index.ts';
import { pauseAgent, resumeAgent } from '../../shared/app/operators/pause-agent.ts';
import { rightsOf } from '../../shared/app/operators/operator-rights.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { Unavailable } from '../../shared/ports/faults.ts';
import { finish, rowOf } from './turn-loop-world.ts';
import { everythingGranted } from './turn-loop-world.ts';
import { latch, World, type WorldOptions } from './world.ts';

const echoing = defineAgent({
  name: 'echoing',
  description: 'Echoes.',
  run: (ctx) => `you said ${ctx.text}`,
});

const asking = defineAgent({
  name: 'asking',
  description: 'Asks.',
  run(ctx) {
    if (ctx.text === 'go') ctx.ask('What?');
    return `you said ${ctx.text}`;
  },
});

function worldOf(agent: DefinedAgent, options: WorldOptions = {}) {
  const world = new World(agent, { grants: everythingGranted, ...options });
  const operator = { subject: 'ada', rights: rightsOf(world.app, 'ada') };
  return {
    world,
    pause: () => pauseAgent(world.app, operator, agent.name),
    resume: () => resumeAgent(world.app, operator, agent.name),
  };
}

const HOUR = 3_600_000;

describe('a paused agent', () => {
  it('takes messages, which wait, and nothing of it begins until it is resumed', async () => {
    const { pause, resume, world } = worldOf(echoing);
    await pause();
    const { taskId } = await world.send('hello');
    await world.work();
    expect(await world.state(taskId)).toBe('SUBMITTED');
    await resume();
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('has no run claimed by the commit that accepts it', async () => {
    const { pause, world } = worldOf(echoing, { lane: 1 });
    await pause();
    const { taskId } = await world.send('hello');
    await world.rest();
    expect((await rowOf(world, taskId)).status).toBe('queued');
  });

  it('is paused for every process within five seconds, which read one row for that', async () => {
    const { pause, resume, world } = worldOf(echoing);
    let reads = 0;
    const other = new World(echoing, {
      below: world,
      wrap: (backend) => ({
        ...bound(backend),
        read(paths) {
          reads += paths.filter((path) => path === 'installation/agents').length;
          return backend.read(paths);
        },
      }),
    });
    const first = await other.send('before');
    await finish(other);
    expect([reads, await other.state(first.taskId)]).toEqual([1, 'COMPLETED']);
    await other.send('before, too');
    await finish(other);
    expect(reads).toBe(1);
    await pause();
    await other.clock.advance(5_000);
    await world.clock.advance(5_000);
    const { taskId } = await other.send('after');
    await finish(other);
    expect(await other.state(taskId)).toBe('SUBMITTED');
    await resume();
    // This process still knows it as paused, and asks before it drops a wake-up for that.
    other.queue.push(...world.queue.splice(0));
    await finish(other);
    expect(await other.state(taskId)).toBe('COMPLETED');
  });

  it('lets a segment that is under way end, and its answer be seen', async () => {
    const work = latch();
    const agent = defineAgent({
      name: 'slow',
      description: 'Works.',
      async run() {
        await work.opened;
        return 'done';
      },
    });
    const { pause, world } = worldOf(agent);
    const { taskId } = await world.send('hello');
    await world.work();
    await pause();
    work.open();
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('takes the answer to its question, and goes on with it when it is resumed', async () => {
    const { pause, resume, world } = worldOf(asking);
    const { taskId } = await world.send('go');
    await finish(world);
    await pause();
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    await world.send('this', { taskId });
    await finish(world);
    expect((await rowOf(world, taskId)).status).toBe('queued');
    await resume();
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('fails nothing: the time does not count against the deadline of what waits', async () => {
    const { pause, resume, world } = worldOf(echoing, { settings: { runDeadline: 2 * HOUR } });
    await pause();
    const { taskId } = await world.send('hello');
    for (let hour = 0; hour < 3; hour += 1) {
      await world.clock.advance(HOUR);
      await sweep(world.app);
      await finish(world);
    }
    expect(await world.state(taskId)).toBe('SUBMITTED');
    await resume();
    await sweep(world.app);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
    const { createdAt, deadlineAt } = await rowOf(world, taskId);
    expect(deadlineAt - createdAt).toBe(5 * HOUR);
  });

  it('that was resumed has its deadlines again', async () => {
    const { pause, resume, world } = worldOf(echoing, { settings: { runDeadline: 2 * HOUR } });
    await pause();
    const { taskId } = await world.send('hello');
    await world.clock.advance(3 * HOUR);
    await resume();
    world.queue.length = 0;
    await world.clock.advance(3 * HOUR);
    await sweep(world.app);
    await finish(world);
    expect((await world.get(taskId)).status.state).toBe('FAILED');
  });

  it('costs the sweeper no wake-ups, and what a resume could not wake up the sweeper does', async () => {
    const { pause, resume, world } = worldOf(echoing);
    await pause();
    const { taskId } = await world.send('hello');
    world.queue.length = 0;
    await world.clock.advance(10 * 60_000);
    await sweep(world.app);
    expect(world.queue.filter(({ kind }) => kind === 'run')).toEqual([]);
    await resume();
    const [woken] = world.queue.splice(0).filter(({ kind }) => kind === 'run');
    expect(woken).toMatchObject({ kind: 'run', taskId });
    await sweep(world.app);
    const [swept] = world.queue.filter(({ kind }) => kind === 'run');
    // A queue that remembers what it delivered must not take one for the other.
    expect(swept?.repeat).not.toBe(woken?.repeat);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it('is resumed also while its runs can not be listed', async () => {
    let away = false;
    const { pause, resume, world } = worldOf(echoing, {
      wrap: (backend) => ({
        ...bound(backend),
        query: (...given) =>
          away ? Promise.reject(new Unavailable('the store')) : backend.query(...given),
      }),
    });
    await pause();
    const { taskId } = await world.send('hello');
    await world.work();
    away = true;
    expect(await resume()).toEqual({ kind: 'agent', agent: 'echoing' });
    away = false;
    await world.clock.advance(60_000);
    await sweep(world.app);
    await finish(world);
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});

/** The methods of a backend, so that one of them can be another. */
function bound(backend: World['backend'] | Parameters<NonNullable<WorldOptions['wrap']>>[0]) {
  return {
    read: backend.read.bind(backend),
    commit: backend.commit.bind(backend),
    query: backend.query.bind(backend),
    count: backend.count.bind(backend),
    follow: backend.follow.bind(backend),
    watch: backend.watch.bind(backend),
    close: backend.close.bind(backend),
  };
}
