import { describe, expect, it } from 'vitest';
import { sendName } from '../../shared/app/operators/unresolved-send.ts';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { RIGHTS } from '../../shared/ports/grants.ts';
import { type Break, Breaking, BREAKS } from '../../testing/breaking.ts';
import { openAt, passes, row, sends, suspended } from '../app/waiting.ts';
import { World } from '../app/world.ts';
import { MemoryRemoteAgents } from '../../testing/memory-remote-agents.ts';
import { Api } from './api.ts';
import { overwrite, type Unknown, unknownWorld } from './worlds.ts';

const ADA = 'ada-of-the-night-shift';
const VERBS = ['resend', 'link', 'abandon', 'cancel'] as const;
type Verb = (typeof VERBS)[number];

async function unknown(): Promise<Unknown> {
  const made = await unknownWorld('after');
  made.team.members.set(ADA, { may: RIGHTS });
  return made;
}

/** What an operator asks for, by whichever process's API. */
function ask(verb: Verb, { peer, send, taskId }: Unknown, api: Api, as = ADA) {
  if (verb === 'cancel') return api.post(`/runs/${taskId}/cancel`, {}, as);
  const body = verb === 'link' ? { taskId: openAt(peer)[0] ?? '' } : {};
  return api.post(`/sends/${send}/${verb}`, body, as);
}

/** Whether it was done, as everything but the note of it says. */
async function isDone(verb: Verb, { taskId, world }: Unknown): Promise<boolean> {
  const run = await row(world, taskId);
  const states = sends(world, taskId).map(({ state }) => state);
  switch (verb) {
    case 'resend':
      return states.includes('superseded');
    case 'link':
      return states.includes('acknowledged');
    case 'abandon':
      return states.includes('abandoned');
    case 'cancel':
      return run.status === 'cancelled';
  }
}

describe('who did what to a run', () => {
  it.each(VERBS)(
    'is shown of %s, by name to operators who may see content, and not to others',
    async (verb) => {
      const made = await unknown();
      const { api, send, taskId } = made;
      expect((await ask(verb, made, api)).status).toBe(200);
      const { acts } = (await api.get(`/runs/${taskId}`, 'view')).body;
      expect(acts).toEqual([
        {
          kind: verb,
          at: '2027-01-15T08:00:00.000Z',
          operator: ADA,
          ...(verb !== 'cancel' && { send }),
        },
      ]);
      const blind = (await api.get(`/runs/${taskId}`, 'not-view')).body;
      expect(blind.acts).toMatchObject([{ kind: verb }]);
      expect(JSON.stringify(blind)).not.toContain(ADA);
    },
  );

  it.each(VERBS)('%s, is in clear in no row and in no line of the log', async (verb) => {
    const made = await unknown();
    const { world } = made;
    await ask(verb, made, made.api);
    expect(world.backend.everything().filter(({ fields }) => holds(fields, ADA))).toEqual([]);
    expect(JSON.stringify([world.logged, world.queue])).not.toContain(ADA);
  });

  it.each(VERBS)(
    '%s, is noted of the operator who did it, and of none who was refused or came second',
    async (verb) => {
      const made = await unknown();
      const { api, taskId, world } = made;
      expect(
        (await ask(verb, made, api, `not-${verb === 'cancel' ? 'cancel' : 'send'}`)).status,
      ).toBe(403);
      expect(await row(world, taskId)).not.toHaveProperty('acts');
      await Promise.all([ask(verb, made, api), ask(verb, made, api, 'all')]);
      await ask(verb, made, api);
      const { acts } = (await api.get(`/runs/${taskId}`)).body;
      expect(acts).toHaveLength(1);
    },
  );

  it("is no operator where a run's owner cancels it", async () => {
    const { api, taskId, world } = await unknown();
    await world.service.cancel(world.principal, taskId);
    expect((await api.get(`/runs/${taskId}`)).body).toMatchObject({
      status: 'cancelled',
      acts: [],
    });
  });

  it('is kept of each, oldest first, also when the run goes on to its end', async () => {
    const made = await unknown();
    const { api, peer, taskId, world } = made;
    peer.script('send', { kind: 'drop', when: 'after' });
    await ask('resend', made, api);
    await world.clock.advance(1_000);
    const send = sendName(taskId, (await suspended(world, taskId)).dependency.sendId);
    await api.post(`/sends/${send}/abandon`, {}, 'send');
    await passes(world, 60_000);
    const { body } = await api.get(`/runs/${taskId}`);
    expect(body).toMatchObject({
      status: 'completed',
      acts: [
        { kind: 'resend', operator: ADA },
        { kind: 'abandon', operator: 'send', send },
      ],
    });
  });
});

function holds(value: unknown, word: string): boolean {
  if (value instanceof Uint8Array) return Buffer.from(value).includes(word);
  if (typeof value !== 'object' || value === null) return String(value).includes(word);
  return Object.values(value).some((each) => holds(each, word));
}

describe('the note and what it is about', () => {
  /** Does it in a second process, whose store or remote breaks at that call. */
  async function broken(verb: Verb, at: number, how: Break) {
    const made = await unknown();
    const { agent, peer, team, world } = made;
    const breaking = new Breaking(at, how);
    const second = new World(agent, {
      below: world,
      grants: team,
      settings: { transactionDeadline: 200 },
      remotes: breaking.remotes(new MemoryRemoteAgents(peer)),
      wrap: (backend) => breaking.store(backend),
    });
    const api = await Api.over(second.app, second.principal.agent);
    const asked = ask(verb, made, api).catch(() => undefined);
    await Promise.race([asked, gone(breaking, second)]);
    api.close();
    return { breaking, made };
  }

  /** A process that is dead answers no call. */
  async function gone(breaking: Breaking, world: World): Promise<void> {
    while (!breaking.dead) await new Promise<void>((resolve) => setImmediate(resolve));
    await world.rest();
  }

  it.each(VERBS.flatMap((verb) => BREAKS.map((how) => [verb, how] as const)))(
    '(%s) are one commit: broken (%s) at any call there are both, once, or neither',
    async (verb, how) => {
      let done = 0;
      for (let at = 1, over = false; !over; at += 1) {
        const { breaking, made } = await broken(verb, at, how);
        over = breaking.calls < at;
        const { acts = [] } = await row(made.world, made.taskId);
        const expected = (await isDone(verb, made)) ? 1 : 0;
        done += expected;
        expect(acts, `call ${at}: ${breaking.names.join(' ')}`).toHaveLength(expected);
      }
      expect(done).toBeGreaterThan(0);
    },
  );
});

describe('for as long as the run is kept', () => {
  it.each(['redacted', 'none'] as const)(
    'it is known who did what, also when the run was tightened to %s',
    async (answer) => {
      const made = await unknown();
      const { api, taskId, world } = made;
      await ask('link', made, api);
      await tightenCeiling(world.app, taskId, { answer });
      const run = await row(world, taskId);
      expect(run.scrubbedRevision).toBeGreaterThan(0);
      expect((await api.get(`/runs/${taskId}`)).body.acts).toMatchObject([
        { kind: 'link', operator: ADA },
      ]);
    },
  );

  it('without its key it is not known who, and still what and when; the rest is shown all the same', async () => {
    const made = await unknown();
    const { api, taskId, world } = made;
    await ask('link', made, api);
    await overwrite(world, taskId, { wrappedKey: new Uint8Array(60) });
    const { body, status } = await api.get(`/runs/${taskId}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'waiting_for_dependency', acts: [{ kind: 'link' }] });
    expect(body.acts[0]).not.toHaveProperty('operator');
    expect(body.dependency).not.toHaveProperty('operation');
  });

  it('and no longer: a purge takes it along, from its first commit on', async () => {
    const made = await unknown();
    const { api, taskId, world } = made;
    await ask('cancel', made, api);
    await passes(world, 60_000);
    expect(await purgeRun(world.app, taskId)).toBe('purged');
    expect(world.backend.everything().filter(({ path }) => path.includes(taskId))).toEqual([]);
    expect((await api.get(`/runs/${taskId}`)).status).toBe(404);
  });

  it('what a newer version notes hides no run, and stays as it is', async () => {
    const made = await unknown();
    const { api, taskId, world } = made;
    await ask('link', made, api);
    const { acts = [] } = await row(world, taskId);
    const newer = { ...acts[0], kind: 'bless' };
    await overwrite(world, taskId, { acts: [newer] });
    expect((await ask('cancel', made, api)).status).toBe(200);
    expect((await api.get(`/runs/${taskId}`)).body.acts).toMatchObject([
      { kind: 'bless' },
      { kind: 'cancel', operator: ADA },
    ]);
    expect((await row(world, taskId)).acts?.[0]).toEqual(newer);
  });

  it('a name opens beside what it was written for, and beside nothing else', async () => {
    const made = await unknown();
    const { api, taskId, world } = made;
    await ask('link', made, api);
    const { acts = [] } = await row(world, taskId);
    const moved = acts.map(({ at, operator }) => ({ kind: 'cancel', at, operator }));
    await overwrite(world, taskId, { acts: moved });
    const { body } = await api.get(`/runs/${taskId}`);
    expect(body.acts).toEqual([{ kind: 'cancel', at: '2027-01-15T08:00:00.000Z' }]);
  });
});
