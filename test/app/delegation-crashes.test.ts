import { describe, expect, it } from 'vitest';
import { runCodec } from '../../shared/app/records/run-document.ts';
import { loadSteps } from '../../shared/app/worker/transcript.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { isEnded } from '../../shared/domain/run.ts';
import { delegatingAgent, type DelegatingAgent } from '../doubles/delegating-agent.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { Peer } from '../../testing/peer.ts';
import { remoteAt } from '../fixtures/remotes/remote.ts';
import { type Break, Breaking, BREAKS } from '../../testing/breaking.ts';
import { openAt, passes, row, sends, total } from './waiting.ts';
import { World } from './world.ts';

/**
 * A run delegates, waits, is answered or cancelled, and goes on; at one call after the other, to
 * the store or to the remote, a process fails or dies. Another one takes over. Whatever happened
 * between the send's commit, the send, its answer, the record, the suspension, the resolution and
 * the resume: the remote has one task of it at most, and it was asked once (G10-G17).
 */
const settings = { transactionDeadline: 200, runDeadline: 3_600_000 };
const remote = remoteAt('https://peer.example/card', { deadline: 240_000 });

interface Story {
  readonly name: string;
  /** The remote can say which tasks it has in a context. */
  readonly canList: boolean;
  /** The client cancels while the run waits. */
  readonly cancels: boolean;
  /** The remote never answers. */
  readonly silent: boolean;
}
const STORIES: readonly Story[] = [
  { name: 'answered', canList: true, cancels: false, silent: false },
  {
    name: 'answered by a remote that lists nothing',
    canList: false,
    cancels: false,
    silent: false,
  },
  { name: 'cancelled', canList: true, cancels: true, silent: false },
  { name: 'timed out', canList: true, cancels: false, silent: true },
];

function worldOf(agent: DelegatingAgent, peer: Peer, breaking?: Breaking, below?: World): World {
  const remotes = new MemoryRemoteAgents(peer);
  return new World(agent, {
    settings,
    remotes: breaking?.remotes(remotes) ?? remotes,
    ...(breaking && { wrap: (backend) => breaking.store(backend) }),
    ...(below && { below }),
  });
}

/** Rounds after the end, in which nothing more may happen. */
const AFTERMATH = 6;

/** Nothing is left to do for any run: all are ended, and no task of theirs is to be cancelled. */
function isOver(world: World): boolean {
  const runs = world.backend.all('runs').map(({ fields, path }) => runCodec.decode(fields, path));
  return runs.length > 0 && runs.every((run) => isEnded(run) && run.orphans === undefined);
}

/**
 * Wake-ups, timers and sweeps, for so long or until all is over; a process that is dead comes to
 * rest at once.
 */
async function lives(world: World, peer: Peer, story: Story, span: number): Promise<void> {
  let over = 0;
  for (let passed = 0; passed < span && over < AFTERMATH; passed += 10_000) {
    if (isOver(world)) over += 1;
    await world.work();
    await world.clock.advance(10_000);
    void sweep(world.app).catch(() => undefined);
    await world.rest();
    if (story.silent || passed < 20_000) continue;
    for (const id of openAt(peer)) peer.settle(id, 'COMPLETED', 'done');
  }
}

async function told(world: World, peer: Peer, story: Story): Promise<string | undefined> {
  let taskId: string | undefined;
  void world.trySend([{ text: 'hello' }]).then(
    (sent) => {
      if (sent.kind === 'accepted') taskId = sent.taskId;
    },
    () => undefined,
  );
  await world.rest();
  if (taskId === undefined) return undefined;
  await world.work();
  await world.clock.advance(2_000);
  if (story.cancels) void world.service.cancel(world.principal, taskId).catch(() => undefined);
  await world.rest();
  await lives(world, peer, story, story.silent ? 270_000 : 60_000);
  return taskId;
}

async function check(
  world: World,
  peer: Peer,
  agent: DelegatingAgent,
  taskId: string,
): Promise<string> {
  const run = await row(world, taskId);
  const [send, ...more] = sends(world, taskId);
  expect(more).toEqual([]);
  expect(peer.tasks.size, 'tasks of the remote').toBeLessThanOrEqual(1);
  for (const count of peer.sends.values()) expect(count, 'sends').toBe(1);
  for (const count of peer.cancels.values()) expect(count, 'cancels').toBe(1);
  expect(isEnded(run), run.status).toBe(true);
  expect(run.orphans).toBeUndefined();
  const values = new Set(agent.seen.map(({ value }) => JSON.stringify(value)));
  expect(values.size, 'different results of one call').toBeLessThanOrEqual(1);
  const task = await world.service.get(world.principal, taskId);
  if (isRefused(task)) throw new Error(task.code);
  const [result = ''] = values;
  const status = /"status":"(\w+)"/.exec(result)?.[1] ?? 'none';
  // What is not known is said so, and nothing is cancelled on a guess.
  if (status === 'timeout' && send?.state !== 'acknowledged') {
    expect(send?.state).toBe('outcome_unknown');
    expect(total(peer.cancels)).toBe(0);
  }
  return `${run.status} ${status}`;
}

const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  answered: ['completed completed', 'completed timeout'],
  'answered by a remote that lists nothing': ['completed completed', 'completed timeout'],
  // Whose cancel met a fault asks again only when there is another process.
  cancelled: ['cancelled none', 'completed completed'],
  'timed out': ['completed timeout'],
};

async function broken(story: Story, how: Break, at: number): Promise<string | undefined> {
  const peer = new Peer({ canList: story.canList });
  const agent = delegatingAgent({ remote });
  const breaking = new Breaking(at, how);
  const first = worldOf(agent, peer, breaking);
  const taskId = await told(first, peer, story);
  if (taskId === undefined) return undefined;
  breaking.dead = true;
  const second = worldOf(agent, peer, undefined, first);
  await second.clock.advance(first.clock.now() - second.clock.now() + 70_000);
  // A client that got no answer asks again.
  if (story.cancels) await second.service.cancel(second.principal, taskId);
  // Long enough to look for a task in vain.
  await lives(second, peer, story, 800_000);
  const where = `${story.name}, ${how} call ${at} (${breaking.names[at - 1] ?? 'none'})`;
  const outcome = await check(second, peer, agent, taskId).catch((error: unknown) => {
    throw new Error(where, { cause: error });
  });
  expect(ALLOWED[story.name], where).toContain(outcome);
  return outcome;
}

describe.each(STORIES)('a delegation that is $name', (story) => {
  it.each(BREAKS)(
    'with a process that breaks (%s) at any call is made once, and ends',
    async (how) => {
      const peer = new Peer({ canList: story.canList });
      const calm = new Breaking(0, how);
      await told(worldOf(delegatingAgent({ remote }), peer, calm), peer, story);
      const outcomes = new Map<string, number>();
      for (let at = 1; at <= calm.calls; at += 1) {
        const outcome = await broken(story, how, at);
        if (outcome !== undefined) outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
      }
      // Most places are harmless; where a crash leaves a send of unknown outcome, the run says
      // so.
      const [likely = ''] = ALLOWED[story.name] ?? [];
      expect(outcomes.get(likely)).toBeGreaterThan(calm.calls / 2);
      const unknown = how.startsWith('crash') && !story.cancels && !story.silent;
      // As the request leaves; and as its send is read, or the commit is made, that takes the
      // answer in.
      if (unknown) expect(outcomes.get('completed timeout')).toBe(story.canList ? 1 : 3);
    },
  );
});

it('loads the transcript of a run, which has one result for one call', async () => {
  const peer = new Peer();
  const world = worldOf(delegatingAgent({ remote, times: 2 }), peer);
  const { taskId } = await world.send('hello');
  await world.work();
  for (const id of openAt(peer)) peer.settle(id, 'COMPLETED', 'done');
  await passes(world, 20_000);
  const steps = await loadSteps(world.app, { run: await row(world, taskId) });
  const results = steps.flatMap((step) => (step.kind === 'result' ? [step.callId] : []));
  expect(results).toEqual(['call-1']);
});
