import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  defineAgent,
  type EventDeclarations,
  type Json,
  StepFailed,
  type StepsContext,
} from '../../shared/agent/index.ts';
import { deliverEvent } from '../../shared/app/operators/deliver-event.ts';
import { rightsOf } from '../../shared/app/operators/operator-rights.ts';
import { runTimeline } from '../../shared/app/operators/run-timeline.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { readSignal } from '../../shared/app/signals/read-signals.ts';
import { mayTakeSteps } from '../../shared/app/worker/may-write.ts';
import { FORMATS } from '../../shared/domain/format.ts';
import { Unreadable } from '../../shared/ports/faults.ts';
import { EVENTS_EXTENSION, MOST_SIGNALS, SIGNAL_BYTES } from '../../shared/domain/signal.ts';
import { MemoryWebhooks } from '../doubles/memory-webhooks.ts';
import { decide, everythingGranted, finish, rowOf } from './turn-loop-world.ts';
import { latch, World, type WorldOptions } from './world.ts';

const HOUR = 3_600_000;
const EVENTS = {
  paid: { schema: z.object({ amount: z.number().positive() }) },
  note: { schema: z.string(), owner: true },
};
type Events = typeof EVENTS;
type Steps = (ctx: StepsContext<Events>) => Promise<string>;

const agentOf = (steps: Steps, events: EventDeclarations = EVENTS) =>
  defineAgent({
    name: 'flow',
    description: 'Waits for events.',
    events: events as Events,
    steps,
  });

async function begun(steps: Steps, over: WorldOptions = {}) {
  const world = new World(agentOf(steps), { grants: everythingGranted, ...over });
  const { taskId } = await world.send('go');
  await world.work();
  return { world, taskId };
}

async function deliver(world: World, taskId: string, name: string, data: Json, id?: string) {
  const operator = { subject: 'olga', rights: rightsOf(world.app, 'olga') };
  const taken = await deliverEvent(world.app, operator, taskId, { name, data, id });
  if (taken.kind === 'refused') return `${taken.code} ${taken.field ?? ''}`.trim();
  return taken.repeated ? `again ${taken.number}` : taken.number;
}

const say = (world: World, taskId: string, name: string, text: string, messageId?: string) =>
  world.service.send(world.principal, {
    message: {
      messageId: messageId ?? world.app.ids.uuid(),
      role: 'user',
      parts: [{ text }],
      metadata: { [EVENTS_EXTENSION]: { name } },
    },
    taskId,
  });

async function wordsOf(world: World, taskId: string): Promise<string> {
  const { message, state } = (await world.get(taskId)).status;
  return `${state}: ${message?.parts.map((part) => ('text' in part ? part.text : '')).join('') ?? ''}`;
}

const waitsOnce: Steps = async (ctx) => {
  const { amount } = await ctx.event('paid');
  return `paid ${amount}`;
};

describe('a function that waits for an event', () => {
  it('holds no worker, and goes on when the event is delivered', async () => {
    const { taskId, world } = await begun(waitsOnce);
    const waiting = await rowOf(world, taskId);
    expect(waiting).toMatchObject({
      status: 'queued',
      asleep: true,
      awaits: ['paid'],
      attempts: 0,
    });
    await world.clock.advance(48 * HOUR);
    await finish(world);
    expect(await world.state(taskId)).toBe('WORKING');
    expect(await deliver(world, taskId, 'paid', { amount: 12 })).toBe(1);
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: paid 12');
  });

  it('has lost nothing of its deadline when it wakes early', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      await ctx.event('paid', { timeout: '30 d' });
      await ctx.event('paid', { timeout: '30 d' });
      return '';
    });
    const left = async () => {
      const row = await rowOf(world, taskId);
      return row.status === 'queued' ? row.deadlineAt - row.notBefore : Number.NaN;
    };
    const before = await left();
    await world.clock.advance(HOUR);
    await deliver(world, taskId, 'paid', { amount: 1 });
    await finish(world);
    expect(await left()).toBe(before);
  });

  it('finds what came before it asked, each once and in the order of arrival', async () => {
    const gate = latch();
    const { taskId, world } = await begun(async (ctx) => {
      await ctx.step('begin', () => gate.opened);
      const first = await ctx.event('paid');
      const note = await ctx.event('note');
      const second = await ctx.event('paid');
      return `${first.amount} ${note} ${second.amount}`;
    });
    expect(await deliver(world, taskId, 'paid', { amount: 1 })).toBe(1);
    expect(await deliver(world, taskId, 'paid', { amount: 2 })).toBe(2);
    expect(await deliver(world, taskId, 'note', 'hi')).toBe(3);
    gate.open();
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: 1 hi 2');
  });

  it('misses none that comes while another branch is at work', async () => {
    const gate = latch();
    const { taskId, world } = await begun(async (ctx) => {
      const [paid, note] = await ctx.all([
        (one: StepsContext<Events>) => one.event('paid'),
        async (two: StepsContext<Events>) => {
          await two.step('work', () => gate.opened);
          return two.event('note');
        },
      ]);
      return `${paid.amount} ${note}`;
    });
    await deliver(world, taskId, 'paid', { amount: 1 });
    gate.open();
    await finish(world);
    expect(await rowOf(world, taskId)).toMatchObject({ awaits: ['note'] });
    await deliver(world, taskId, 'note', 'hi');
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: 1 hi');
  });

  it('gives an event to one of two branches that wait for it, and the next to the other', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      const wait = async (branch: StepsContext<Events>) => (await branch.event('paid')).amount;
      return (await ctx.all([wait, wait])).join(' ');
    });
    await deliver(world, taskId, 'paid', { amount: 1 });
    await finish(world);
    expect(await world.state(taskId)).toBe('WORKING');
    await deliver(world, taskId, 'paid', { amount: 2 });
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: 1 2');
  });

  it('is told that none came in time, and keeps the late one for the next wait', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      const first = await ctx.event('paid', { timeout: '1 h' });
      await ctx.step('remind', () => 1);
      const second = await ctx.event('paid', { timeout: '1 h' });
      return `${first?.amount} ${second?.amount}`;
    });
    await world.clock.advance(HOUR + 1);
    // The worker is not there yet.
    expect(await deliver(world, taskId, 'paid', { amount: 7 })).toBe(1);
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: undefined 7');
  });

  it('takes one that came at the last moment, though it looks later', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      const paid = await ctx.event('paid', { timeout: '1 h' });
      return `${paid?.amount}`;
    });
    await world.clock.advance(HOUR);
    await deliver(world, taskId, 'paid', { amount: 7 });
    await world.clock.advance(HOUR);
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: 7');
  });

  it('fails without a timeout when none came in a year', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      try {
        return `${(await ctx.event('paid')).amount}`;
      } catch (error) {
        return error instanceof StepFailed ? error.fault : 'another';
      }
    });
    await world.clock.advance(366 * 24 * HOUR);
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: EventTimedOut');
  });

  it('keeps events while it waits for a person', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      await ctx.approve('ship', { summary: 'Ship.' });
      return `paid ${(await ctx.event('paid')).amount}`;
    });
    expect(await deliver(world, taskId, 'paid', { amount: 3 })).toBe(1);
    expect(await rowOf(world, taskId)).toMatchObject({
      status: 'waiting_for_approval',
      signals: 1,
    });
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: paid 3');
  });

  it('is handed what does not fit its new schema any more as an error', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      await ctx.approve('ship', { summary: 'Ship.' });
      return waitsOnce(ctx);
    });
    await deliver(world, taskId, 'paid', { amount: 3 });
    const next = { ...EVENTS, paid: { schema: z.object({ euros: z.number() }) } };
    const release = new World(
      agentOf(async (ctx) => {
        await ctx.approve('ship', { summary: 'Ship.' });
        try {
          return await waitsOnce(ctx);
        } catch (error) {
          return error instanceof StepFailed ? `${error.fault}: ${error.message}` : '';
        }
      }, next),
      { below: world, grants: everythingGranted },
    );
    await decide(release, taskId, 'approve');
    await finish(release);
    expect(await wordsOf(release, taskId)).toMatch(/^COMPLETED: EventMisfit: "paid".*euros/);
  });

  it('is held when its steps do not fit, and events are kept meanwhile', async () => {
    let other = false;
    const { taskId, world } = await begun(async (ctx) => {
      if (other) await ctx.step('new', () => 1);
      return waitsOnce(ctx);
    });
    other = true;
    await deliver(world, taskId, 'paid', { amount: 1 });
    await finish(world);
    expect(await rowOf(world, taskId)).toMatchObject({
      blocked: { changes: [{ kind: 'step', name: '1 event paid', facets: ['step new'] }] },
    });
    other = false;
    await world.clock.advance(HOUR);
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: paid 1');
  });
});

describe('an event', () => {
  it('counts once under one id, also when its run has ended, and is refused with other data', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      const first = await ctx.event('paid');
      const second = await ctx.event('paid', { timeout: '1 h' });
      return `${first.amount} ${second?.amount}`;
    });
    expect(await deliver(world, taskId, 'paid', { amount: 1 }, 'p-1')).toBe(1);
    expect(await deliver(world, taskId, 'paid', { amount: 1 }, 'p-1')).toBe('again 1');
    expect(await deliver(world, taskId, 'paid', { amount: 2 }, 'p-1')).toBe('INVALID_PARAMS id');
    await finish(world);
    await world.clock.advance(HOUR);
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: 1 undefined');
    expect(await deliver(world, taskId, 'paid', { amount: 1 }, 'p-1')).toBe('again 1');
    expect(await deliver(world, taskId, 'paid', { amount: 1 }, 'p-2')).toBe('RUN_ENDED');
  });

  it.each<[string, string, Json, string]>([
    ['of a name that is not declared', 'payed', { amount: 1 }, 'INVALID_PARAMS name'],
    ['that does not fit its schema', 'paid', { amount: -1 }, 'INVALID_PARAMS data.amount'],
    ['that is too large', 'note', 'x'.repeat(SIGNAL_BYTES), 'INVALID_PARAMS data'],
  ])('%s is refused, and the field is named', async (_what, name, data, refusal) => {
    const { taskId, world } = await begun(waitsOnce);
    expect(await deliver(world, taskId, name, data)).toBe(refusal);
    expect(await rowOf(world, taskId)).not.toHaveProperty('signals');
  });

  it('may be as large as the limit says', async () => {
    const { taskId, world } = await begun(waitsOnce);
    const quotes = 2;
    expect(await deliver(world, taskId, 'note', 'x'.repeat(SIGNAL_BYTES - quotes))).toBe(1);
  });

  it('is refused when a run has had as many as it may', async () => {
    const { taskId, world } = await begun(waitsOnce);
    for (let n = 1; n <= MOST_SIGNALS; n += 1) await deliver(world, taskId, 'note', '');
    expect(await deliver(world, taskId, 'paid', { amount: 1 })).toBe('TASK_TOO_LARGE');
  });

  it('needs the right to decide', async () => {
    const { taskId, world } = await begun(waitsOnce, {
      grants: { allows: (_who, right) => Promise.resolve(right === 'view') },
    });
    expect(await deliver(world, taskId, 'paid', { amount: 1 })).toBe('PERMISSION_DENIED');
  });

  it('is taken once when two deliver it at one moment', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      const first = await ctx.event('paid');
      const second = await ctx.event('paid');
      return `${first.amount + second.amount}`;
    });
    const both = [1, 2].map((amount) => deliver(world, taskId, 'paid', { amount }));
    expect(new Set(await Promise.all(both))).toEqual(new Set([1, 2]));
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: 3');
  });
});

describe('what is kept of events', () => {
  const bytes = (world: World): string =>
    Buffer.concat([
      ...world.backend
        .everything()
        .flatMap(({ fields }) => Object.values(fields))
        .flatMap((value) =>
          value instanceof Uint8Array ? [value] : [Buffer.from(JSON.stringify(value))],
        ),
      ...[...world.blobs.objects.values()].map(({ body }) => body),
    ]).toString('latin1');
  const rows = (world: World, taskId: string): readonly string[] =>
    world.backend.everything().flatMap(({ path }) => (path.includes(taskId) ? [path] : []));

  it('is sealed as long as its run is open, is readable for no one after, and goes with the run', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      await ctx.event('note');
      return 'over';
    });
    await deliver(world, taskId, 'note', 'the-secret', 'the-id');
    await say(world, taskId, 'note', 'the-other-secret');
    expect(bytes(world)).not.toMatch(/the-(other-)?secret|the-id/);
    await finish(world);
    const ended = await rowOf(world, taskId);
    expect(ended).toMatchObject({ status: 'completed', signals: 2 });
    const read = readSignal(world.app, ended, 1);
    await expect(read).rejects.toThrow(Unreadable);
    expect(rows(world, taskId)).toEqual(
      expect.arrayContaining([
        expect.stringContaining('/signals/'),
        expect.stringContaining('/signalIds/'),
      ]),
    );
    expect(await purgeRun(world.app, taskId)).toBe('purged');
    expect(rows(world, taskId)).toEqual([]);
  });

  it('is seen by operators with the right to, and who delivered it is in the audit record', async () => {
    const { taskId, world } = await begun(waitsOnce);
    await deliver(world, taskId, 'paid', { amount: -1 });
    await deliver(world, taskId, 'paid', { amount: 3 }, 'p-1');
    await deliver(world, taskId, 'paid', { amount: 3 }, 'p-1');
    const seen = await runTimeline(world.app, rightsOf(world.app, 'olga'), taskId);
    if (seen.kind !== 'timeline') throw new Error(seen.code);
    expect(seen.signals).toMatchObject([
      {
        doc: { name: 'paid', by: 'operator', number: 1 },
        content: { data: { amount: 3 }, operator: 'olga' },
      },
    ]);
    const acts = world.backend.everything().filter(({ path }) => path.startsWith('audit/'));
    expect(acts.map(({ fields }) => fields)).toMatchObject([
      { act: 'event', taskId, subject: 'paid' },
    ]);
  });

  it('is there after its run got another key, and counts once under its id as before', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      await ctx.approve('go on', { summary: 'Go on.' });
      const first = await ctx.event('note');
      const second = await ctx.event('note', { timeout: 0 });
      return `${first === 'a secret' ? 'heard' : first} ${second}`;
    });
    await deliver(world, taskId, 'note', 'a secret', 'n-1');
    const { wrappedKey } = await rowOf(world, taskId);
    await tightenCeiling(world.app, taskId, { answer: 'redacted' });
    expect((await rowOf(world, taskId)).wrappedKey).not.toEqual(wrappedKey);
    expect(await deliver(world, taskId, 'note', 'a secret', 'n-1')).toBe('again 1');
    expect(await deliver(world, taskId, 'note', 'another', 'n-1')).toBe('INVALID_PARAMS id');
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: heard undefined');
  });

  it('is delivered to no run before every function reads events', async () => {
    const { taskId, world } = await begun(waitsOnce);
    const format = { allows: (wanted: number) => Promise.resolve(wanted < FORMATS.signals) };
    const operator = { subject: 'olga', rights: rightsOf(world.app, 'olga') };
    const event = { name: 'paid', data: { amount: 1 } };
    expect(await deliverEvent({ ...world.app, format }, operator, taskId, event)).toMatchObject({
      code: 'EVENTS_NOT_YET',
    });
    expect(await mayTakeSteps({ ...world.app, format }, agentOf(waitsOnce))).toBe(false);
    expect(await mayTakeSteps({ ...world.app, format }, agentOf(waitsOnce, {}))).toBe(true);
  });
});

describe('a message of the owner that is an event', () => {
  it('is taken while the task works, is no part of the history, and counts once', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      const first = await ctx.event('note');
      const second = await ctx.event('note', { timeout: '1 h' });
      return `${first} ${second}`;
    });
    const taken = await say(world, taskId, 'note', 'hi', 'm-1');
    expect(taken).toMatchObject({ kind: 'accepted', taskId });
    expect(await say(world, taskId, 'note', 'hi', 'm-1')).toMatchObject({ kind: 'accepted' });
    expect(await say(world, taskId, 'note', 'ho', 'm-1')).toMatchObject({
      code: 'INVALID_PARAMS',
      field: 'message.messageId',
    });
    await finish(world);
    await world.clock.advance(HOUR);
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: hi undefined');
    const { history } = await world.get(taskId);
    const said = history.filter(({ role }) => role === 'user').map(({ parts }) => parts);
    expect(said).toEqual([[{ text: 'go' }]]);
    expect(await say(world, taskId, 'note', 'late')).toMatchObject({ code: 'TASK_TERMINAL' });
  });

  it('sets up the webhook that it brings, once, in the commit that takes it', async () => {
    const outgoing = new MemoryWebhooks();
    const { taskId, world } = await begun(
      async (ctx) => {
        await ctx.event('note');
        return 'heard';
      },
      { outgoing },
    );
    const url = 'https://hooks.example/a';
    const bring = async (name: string) =>
      await world.service.send(world.principal, {
        message: {
          messageId: name,
          role: 'user',
          parts: [{ text: 'hi' }],
          metadata: { [EVENTS_EXTENSION]: { name } },
        },
        taskId,
        webhook: { url, version: '1.0' },
      });
    expect(await bring('other')).toMatchObject({ code: 'INVALID_PARAMS' });
    expect(await rowOf(world, taskId)).not.toHaveProperty('webhooks');
    await bring('note');
    await bring('note');
    const listed = await world.service.listWebhooks(world.principal, taskId, {});
    expect(listed).toMatchObject({ webhooks: [{ url }] });
    expect((await rowOf(world, taskId)).webhooks?.ids).toHaveLength(1);
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: heard');
    expect(outgoing.posts.map((post) => post.url)).toContain(url);
  });

  it('may have only a name that its agent leaves to owners', async () => {
    const { taskId, world } = await begun(waitsOnce);
    expect(await say(world, taskId, 'paid', 'x')).toMatchObject({
      code: 'INVALID_PARAMS',
      field: `message.metadata["${EVENTS_EXTENSION}"].name`,
      message: expect.stringContaining('it takes note'),
    });
  });

  it('is unknown to every other caller', async () => {
    const caller = { tenant: '', owner: 'ada', authenticated: true };
    const { taskId, world } = await begun(waitsOnce, { caller });
    const other = new World(agentOf(waitsOnce), {
      below: world,
      caller: { ...caller, owner: 'eve' },
    });
    expect(await say(other, taskId, 'note', 'hi')).toMatchObject({ code: 'TASK_NOT_FOUND' });
    expect(await rowOf(world, taskId)).not.toHaveProperty('signals');
  });

  it('answers no question of the task', async () => {
    const { taskId, world } = await begun(async (ctx) => {
      const answer = await ctx.ask('What?');
      return `${JSON.stringify(answer.parts)} ${await ctx.event('note')}`;
    });
    await say(world, taskId, 'note', 'hi');
    expect(await world.state(taskId)).toBe('INPUT_REQUIRED');
    await world.send('an answer', { taskId });
    await finish(world);
    expect(await wordsOf(world, taskId)).toBe('COMPLETED: [{"text":"an answer"}] hi');
  });

  it('is described by the card where owners may send one, and by no other', () => {
    const [extension] = agentOf(waitsOnce).card.extensions ?? [];
    expect(extension).toMatchObject({
      uri: EVENTS_EXTENSION,
      params: { events: { note: { schema: { type: 'string' } } } },
    });
    expect(JSON.stringify(extension)).not.toContain('paid');
    expect(agentOf(waitsOnce, { paid: EVENTS.paid }).card).not.toHaveProperty('extensions');
  });
});

it.each<[unknown, string]>([
  [{ '1st': { schema: z.string() } }, 'events.1st: a name begins with a letter'],
  [{ paid: {} }, 'events.paid.schema must be a zod schema'],
  [{ paid: { schema: z.string(), owner: 1 } }, 'events.paid.owner must be true or false'],
  [{ paid: { schema: z.string(), by: 1 } }, 'events.paid.by is not known'],
  [[], 'events must be an object'],
])('a declaration of events that can not be is refused: %j', (events, words) => {
  const declaration = { name: 'a', description: 'b', steps: () => '', events };
  expect(() => defineAgent(declaration as never)).toThrow(words);
  expect(() =>
    defineAgent({ ...declaration, steps: undefined, run: () => '', events: {} } as never),
  ).not.toThrow();
});
