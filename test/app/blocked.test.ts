import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineAgent,
  type DefinedAgent,
  defineTool,
  type ModelAgentDeclaration,
  type Tool,
  type ToolEffect,
} from '../../shared/agent/index.ts';
import { changedWaits } from '../../shared/app/operators/changed-waits.ts';
import { continueRun } from '../../shared/app/operators/continue-run.ts';
import { rightsOf } from '../../shared/app/operators/operator-rights.ts';
import { operatorStatus } from '../../shared/app/operators/operator-status.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { defaults } from '../../shared/domain/settings.ts';
import type { Grants } from '../../shared/ports/grants.ts';
import { delegatingAgent } from '../doubles/delegating-agent.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { decide, everythingGranted, finish, modelAgent, rowOf } from './turn-loop-world.ts';
import { begun as delegated, minute, passes, suspended, waitingWorld } from './waiting.ts';
import { World } from './world.ts';

const hour = 60 * minute;

interface PayOptions {
  readonly name?: string;
  readonly parameters?: z.ZodObject;
  readonly effect?: ToolEffect;
  readonly approval?: boolean;
  readonly schema?: z.ZodType;
}

/** What a release declares; `ran` is what its tool was called with. */
class Release {
  readonly ran: unknown[] = [];
  readonly model: ScriptedModel;
  readonly agent: DefinedAgent;

  constructor(pay: PayOptions | undefined, over: Partial<Omit<ModelAgentDeclaration, 'run'>> = {}) {
    const calls = [call('pay', { euros: 5 }), call('look')];
    this.model = new ScriptedModel({ calls });
    const look = defineTool({
      name: 'look',
      description: 'Looks.',
      parameters: z.object({}),
      effect: 'read',
      run: () => 'seen',
    });
    const tools = pay === undefined ? [look] : [this.#pay(pay), look];
    this.agent = modelAgent(this.model, [], { tools, ...over });
  }

  #pay({
    approval = true,
    effect = 'once',
    name = 'pay',
    parameters = z.object({ euros: z.number() }),
    schema,
  }: PayOptions): Tool {
    const input = schema && { question: 'To whom?', schema };
    return defineTool({
      name,
      description: 'Pays.',
      parameters,
      effect,
      approval,
      ...(input && { input }),
      run: (args) => {
        this.ran.push(args);
        return 'paid';
      },
    });
  }
}

const grants = everythingGranted;

/** A run that waits for the approval of its turn. */
async function held(release = new Release({})) {
  const world = new World(release.agent, { grants });
  const { taskId } = await world.send('go');
  await finish(world);
  expect(await world.state(taskId)).toBe('AUTH_REQUIRED');
  return { world, taskId };
}

/** The next release, over the same rows. */
async function deployed(
  before: World,
  { agent }: Pick<Release, 'agent'>,
  seed = 2,
): Promise<World> {
  const world = new World(agent, { below: before, grants, seed });
  await world.clock.advance(before.clock.now() - world.clock.now());
  return world;
}

const operator = (world: World, by: Grants = grants) => ({
  subject: 'olga',
  rights: rightsOf({ ...world.app, grants: by }, 'olga'),
});

async function looksAgain(world: World): Promise<void> {
  await world.clock.advance(11 * minute);
  await sweep(world.app);
  await finish(world);
}

async function goOn(world: World, taskId: string, digest?: string) {
  const { blocked } = await rowOf(world, taskId);
  return continueRun(world.app, operator(world), taskId, digest ?? blocked?.digest ?? '');
}

describe('a turn that was approved, and whose tool is not what it was', () => {
  it.each<[string, PayOptions | undefined, readonly string[]]>([
    ['is gone', undefined, []],
    ['has another name', { name: 'transfer' }, []],
    [
      'has other parameters',
      { parameters: z.object({ euros: z.number(), to: z.string().optional() }) },
      ['parameters'],
    ],
    ['has another effect', { effect: 'idempotent' }, ['effect']],
    ['needs no approval any more', { approval: false }, ['approval']],
    ['asks for something first', { schema: z.object({ to: z.string() }) }, ['input']],
  ])('%s: nothing runs, and the run says why it does not go on', async (_what, pay, facets) => {
    const { taskId, world } = await held();
    const release = new Release(pay);
    const later = await deployed(world, release);
    await decide(later, taskId, 'approve');
    await finish(later);
    const row = await rowOf(later, taskId);
    expect(row).toMatchObject({
      status: 'queued',
      blocked: { changes: [{ kind: 'tool', name: 'pay', facets }] },
      attempts: 0,
    });
    expect(row.repeats).toBeUndefined();
    expect(await later.state(taskId)).toBe('WORKING');
    expect(release.ran).toEqual([]);
    expect(release.model.calls).toBe(0);
    expect(later.logged).toContainEqual({
      event: 'run is blocked',
      fields: {
        task: taskId,
        agent: 'modelled',
        what: 'tool',
        name: 'pay',
        changed: facets.length === 0 ? 'gone' : facets.join(', '),
      },
    });
  });

  it('that is as it was goes on, whatever else was declared anew', async () => {
    const { taskId, world } = await held();
    const release = new Release(
      { parameters: z.object({ euros: z.number() }) },
      {
        instructions: 'Do it otherwise.',
      },
    );
    const later = await deployed(world, release);
    await decide(later, taskId, 'approve');
    await finish(later);
    expect(release.ran).toEqual([{ euros: 5 }]);
    expect(await later.state(taskId)).toBe('COMPLETED');
  });

  it('goes on by itself, with its approval, once a release brings the tool back', async () => {
    const { taskId, world } = await held();
    const without = await deployed(world, new Release(undefined));
    await decide(without, taskId, 'approve');
    await finish(without);
    await looksAgain(without);
    expect(await rowOf(without, taskId)).toMatchObject({ status: 'queued', blocked: {} });
    const back = new Release({});
    const later = await deployed(without, back, 3);
    await looksAgain(later);
    expect(back.ran).toEqual([{ euros: 5 }]);
    expect(await later.get(taskId)).toMatchObject({ status: { state: 'COMPLETED' } });
    expect(await rowOf(later, taskId)).not.toHaveProperty('blocked');
    expect(later.logged.filter(({ event }) => event === 'run is blocked')).toEqual([]);
  });

  it('waits longer each time that it looks, and its deadline does not come nearer', async () => {
    const { taskId, world } = await held();
    const later = await deployed(world, new Release(undefined));
    await decide(later, taskId, 'approve');
    const spans: number[] = [];
    await finish(later);
    const { deadlineAt } = await rowOf(later, taskId);
    const began = later.clock.now();
    for (let n = 0; n < 20; n += 1) {
      const row = await rowOf(later, taskId);
      const until = row.status === 'queued' ? row.notBefore : 0;
      spans.push(until - later.clock.now());
      await later.clock.advance(until - later.clock.now());
      await finish(later);
    }
    expect(spans[0]).toBe(defaults.backoff);
    expect(spans).toEqual(spans.toSorted((a, b) => a - b));
    expect(spans.at(-1)).toBe(defaults.backoffMax);
    const row = await rowOf(later, taskId);
    expect(row.deadlineAt - later.clock.now()).toBeGreaterThanOrEqual(deadlineAt - began);
    expect(row).toMatchObject({ status: 'queued', attempts: 0 });
  });

  it('ends as an unanswered question does, when it was blocked for as long as a person may take', async () => {
    const { taskId, world } = await held();
    const later = await deployed(world, new Release(undefined));
    await decide(later, taskId, 'approve');
    await finish(later);
    await later.clock.advance(defaults.waitingRetention);
    await looksAgain(later);
    expect(await rowOf(later, taskId)).toMatchObject({ status: 'failed', reason: 'WAIT_ENDED' });
  });

  it('an operator lets go on: what is gone is an error result, and the rest of the turn runs', async () => {
    const { taskId, world } = await held();
    const release = new Release(undefined);
    const later = await deployed(world, release);
    await decide(later, taskId, 'approve');
    await finish(later);
    expect(await goOn(later, taskId)).toMatchObject({ blocked: { accepted: true } });
    await finish(later);
    expect(await later.state(taskId)).toBe('COMPLETED');
    expect(release.model.seen.slice(2)).toMatchObject([
      { name: 'pay', status: 'error', value: { error: 'There is no tool called "pay".' } },
      { name: 'look', status: 'ok' },
    ]);
    expect((await rowOf(later, taskId)).acts).toMatchObject([
      { kind: 'approve' },
      { kind: 'continue' },
    ]);
  });

  it('what changed is called as it is now, once an operator says so', async () => {
    const { taskId, world } = await held();
    const release = new Release({ effect: 'idempotent' });
    const later = await deployed(world, release);
    await decide(later, taskId, 'approve');
    await finish(later);
    await goOn(later, taskId);
    await finish(later);
    expect(release.ran).toEqual([{ euros: 5 }]);
    expect(await later.state(taskId)).toBe('COMPLETED');
  });

  it('an operator goes by what was shown: other changes since then are other words', async () => {
    const { taskId, world } = await held();
    const changed = await deployed(world, new Release({ effect: 'idempotent' }));
    await decide(changed, taskId, 'approve');
    await finish(changed);
    const { digest = '' } = (await rowOf(changed, taskId)).blocked ?? {};
    const release = new Release(undefined);
    const later = await deployed(changed, release, 3);
    await looksAgain(later);
    expect(await goOn(later, taskId, digest)).toMatchObject({
      kind: 'refused',
      code: 'NOT_BLOCKED',
      message: expect.stringMatching(/other changes/) as string,
    });
    expect(await goOn(later, taskId)).toMatchObject({ status: 'queued' });
    // Said twice, it is settled.
    expect(await goOn(later, taskId)).toMatchObject({ code: 'NOT_BLOCKED' });
    // Accepted was what is gone; what comes back in another form is not that.
    const third = new Release({ effect: 'read' });
    const last = await deployed(later, third, 4);
    await looksAgain(last);
    expect(await rowOf(last, taskId)).toMatchObject({
      status: 'queued',
      blocked: { changes: [{ name: 'pay', facets: ['effect'] }] },
    });
    expect((await rowOf(last, taskId)).blocked).not.toHaveProperty('accepted');
    expect(third.ran).toEqual([]);
  });

  it('needs the right to decide, on a run that is blocked', async () => {
    const { taskId, world } = await held();
    const blind: Grants = { allows: (_, right) => Promise.resolve(right === 'view') };
    const refused = await continueRun(world.app, operator(world, blind), taskId, 'x');
    expect(refused).toMatchObject({ code: 'PERMISSION_DENIED' });
    expect(await goOn(world, taskId, 'x')).toMatchObject({ code: 'NOT_BLOCKED' });
    const unknown = '00000000-0000-4000-8000-000000000009';
    expect(await continueRun(world.app, operator(world), unknown, 'x')).toMatchObject({
      code: 'RUN_NOT_FOUND',
    });
  });

  it('denied, needs none of its tools', async () => {
    const { taskId, world } = await held();
    const release = new Release({ effect: 'idempotent' });
    const later = await deployed(world, release);
    await decide(later, taskId, 'deny');
    await finish(later);
    expect(await later.state(taskId)).toBe('COMPLETED');
    expect(release.ran).toEqual([]);
    expect(release.model.seen.slice(2)).toMatchObject([{ status: 'error' }, { status: 'error' }]);
  });

  it('can be cancelled while it is blocked', async () => {
    const { taskId, world } = await held();
    const later = await deployed(world, new Release(undefined));
    await decide(later, taskId, 'approve');
    await finish(later);
    await later.service.cancel(later.principal, taskId);
    const row = await rowOf(later, taskId);
    expect(row.status).toBe('cancelled');
    expect(row).not.toHaveProperty('blocked');
    expect(row).not.toHaveProperty('pins');
  });
});

describe('a call that waited for an input', () => {
  it('is blocked like one that waited for an approval, and only the calls without a result count', async () => {
    const calls = [call('look'), call('choose', { at: 'x' }), call('look')];
    const first = modelAgent(new ScriptedModel({ calls }));
    const world = new World(first, { grants });
    const { taskId } = await world.send('go');
    await finish(world);
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    expect((await rowOf(world, taskId)).pins?.map(({ callId }) => callId)).toEqual([
      'call-2-2',
      'call-2-3',
    ]);
    const later = await deployed(world, {
      agent: modelAgent(new ScriptedModel(), [], { tools: [] }),
    });
    await later.trySend([{ data: { n: 2 } }], { taskId });
    await finish(later);
    expect(await rowOf(later, taskId)).toMatchObject({
      blocked: { changes: [{ name: 'choose' }, { name: 'look' }] },
    });
  });
});

describe('an agent that is gone', () => {
  const asking = () =>
    defineAgent({
      name: 'asking',
      description: 'Asks once.',
      run: (ctx) => (ctx.text === 'go' ? ctx.ask('Which?') : `You said ${ctx.text}.`),
    });

  it('leaves what waited for an answer blocked, until it is back', async () => {
    const world = new World(asking(), { grants });
    const { taskId } = await world.send('go');
    await finish(world);
    await world.trySend([{ text: 'the red one' }], { taskId });
    const other = await deployed(world, new Release({}));
    for (const wakeUp of world.queue.splice(0)) other.queue.push(wakeUp);
    await finish(other);
    expect(await rowOf(other, taskId)).toMatchObject({
      status: 'queued',
      blocked: { changes: [{ kind: 'agent', name: 'asking', facets: [] }] },
    });
    const back = await deployed(other, { agent: asking() }, 3);
    await looksAgain(back);
    expect(await back.get(taskId)).toMatchObject({
      status: { state: 'COMPLETED', message: { parts: [{ text: 'You said the red one.' }] } },
    });
  });

  it('ends the run when an operator lets it go on, and at once one that never waited', async () => {
    const world = new World(asking(), { grants });
    const { taskId } = await world.send('go');
    await finish(world);
    await world.trySend([{ text: 'the red one' }], { taskId });
    const fresh = await world.send('go', { contextId: 'other' });
    const other = await deployed(world, new Release({}));
    for (const wakeUp of world.queue.splice(0)) other.queue.push(wakeUp);
    await finish(other);
    expect(await rowOf(other, fresh.taskId)).toMatchObject({ reason: 'AGENT_UNKNOWN' });
    await goOn(other, taskId);
    await finish(other);
    expect(await rowOf(other, taskId)).toMatchObject({ reason: 'AGENT_UNKNOWN' });
  });
});

describe('a remote agent that is not the one which was sent to', () => {
  async function away(remote: { readonly name?: string; readonly card?: string } | undefined) {
    const made = waitingWorld({ remote: { deadline: 10 * minute }, grants });
    const taskId = await delegated(made.world);
    const agent = delegatingAgent({ remote: { ...made.remote, ...remote } });
    const remotes = new MemoryRemoteAgents(made.peer);
    const world = new World(agent, { below: made.world, remotes, grants });
    return { ...made, agent, taskId, world };
  }

  it.each<[string, { readonly name?: string; readonly card?: string }, readonly string[]]>([
    ['is gone', { name: 'other' }, []],
    ['has another card', { card: 'https://elsewhere.example/card' }, ['card']],
  ])('%s: it is asked nothing, and no deadline ends the wait', async (_what, remote, facets) => {
    const { agent, peer, taskId, world } = await away(remote);
    await passes(world, 2 * hour, minute);
    expect(await suspended(world, taskId)).toMatchObject({
      blocked: { changes: [{ kind: 'remote', name: 'peer', facets }] },
    });
    expect([...peer.looks.values()]).toEqual([]);
    expect(agent.seen).toEqual([]);
  });

  it('is asked again once it is declared as it was, for as long as was left', async () => {
    const { peer, remote, taskId, world } = await away({ name: 'other' });
    await passes(world, hour, minute);
    for (const task of peer.tasks.values()) peer.settle(task.taskId, 'COMPLETED', 'the answer');
    const agent = delegatingAgent({ remote });
    const remotes = new MemoryRemoteAgents(peer);
    const back = new World(agent, { below: world, remotes, grants, seed: 3 });
    await back.clock.advance(world.clock.now() - back.clock.now());
    await passes(back, 11 * minute, minute);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
    expect(await rowOf(back, taskId)).not.toHaveProperty('blocked');
  });

  it('an operator lets the run go on without it', async () => {
    const { agent, taskId, world } = await away({ name: 'other' });
    await passes(world, 30 * minute, minute);
    await goOn(world, taskId);
    await passes(world, minute, 10_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'timeout' } }]);
  });

  it('or with it as it is now', async () => {
    const { agent, peer, taskId, world } = await away({ card: 'https://elsewhere.example/card' });
    await passes(world, 30 * minute, minute);
    for (const task of peer.tasks.values()) peer.settle(task.taskId, 'COMPLETED', 'the answer');
    await goOn(world, taskId);
    await passes(world, minute, 10_000);
    expect(agent.seen).toMatchObject([{ value: { status: 'completed' } }]);
  });
});

describe('what operators see', () => {
  it('of runs that wait before a decision, and of those that are blocked', async () => {
    const { taskId, world } = await held();
    expect(await changedWaits(world.app)).toEqual([]);
    const later = await deployed(world, new Release({ effect: 'idempotent' }));
    const status = () => operatorStatus(later.app, operator(later).rights);
    expect(await status()).toMatchObject({
      blocked: 0,
      changed: [{ run: { taskId }, changes: [{ name: 'pay', facets: ['effect'] }] }],
    });
    await decide(later, taskId, 'approve');
    await finish(later);
    expect(await status()).toMatchObject({
      blocked: 1,
      queued: 1,
      changed: [{ run: { taskId, status: 'queued' }, changes: [{ name: 'pay' }] }],
    });
    await goOn(later, taskId);
    expect(await status()).toMatchObject({ blocked: 0, changed: [] });
    const none: Grants = { allows: () => Promise.resolve(false) };
    const blind = await operatorStatus(later.app, operator(later, none).rights);
    expect(blind.changed).toEqual([]);
  });
});
