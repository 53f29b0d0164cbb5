import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  type Caller,
  defineAgent,
  defineTool,
  type RequestDetails,
} from '../../shared/agent/index.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import type { SendRequest } from '../../shared/app/service.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { decrypted } from '../doubles/decrypted.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { decide, everythingGranted, finish, modelAgent, rowOf } from './turn-loop-world.ts';
import { latch, World } from './world.ts';

interface Seen {
  readonly attempt: number;
  readonly caller: Caller;
  readonly request: RequestDetails;
}

const beside = {
  metadata: { order: { id: 'secret-7' } },
  acceptedOutputModes: ['text/plain'],
  historyLength: 3,
  returnImmediately: true,
  extensions: ['https://ext.example/v1'],
  version: '0.3',
  claims: { email: 'ada@secret.example' },
};
const { claims, ...request } = beside;
const ada = { owner: 'ada', tenant: 'acme', authenticated: true };

function recording(seen: Seen[], during: () => Promise<void> = () => Promise.resolve()) {
  return defineAgent({
    name: 'seeing',
    description: 'Sees who calls.',
    async run(ctx) {
      const { attempt, caller } = ctx;
      seen.push({ attempt, caller, request: ctx.request });
      await during();
      if (ctx.history.length === 0 && ctx.text === 'ask') ctx.ask('More?');
      return 'done';
    },
  });
}

async function accepted(world: World, text: string, over: Partial<SendRequest> = {}) {
  return (await world.send(text, over)).taskId;
}

describe('who calls, and what came beside the message', () => {
  it('is told to the agent, and each message brings its own', async () => {
    const seen: Seen[] = [];
    const world = new World(recording(seen), { caller: ada });
    const taskId = await accepted(world, 'ask', { beside });
    await finish(world);
    const other = { metadata: { round: 2 } };
    await accepted(world, 'more', { taskId, beside: other });
    await finish(world);
    const third = await accepted(world, 'alone');
    await finish(world);
    expect(third).not.toBe(taskId);
    expect(seen).toEqual([
      { attempt: 1, caller: { ...ada, claims }, request },
      { attempt: 1, caller: ada, request: other },
      { attempt: 1, caller: ada, request: {} },
    ]);
  });

  it('outlives the worker that was told it', async () => {
    const seen: Seen[] = [];
    const never = latch();
    const lost = new World(
      recording(seen, () => never.opened),
      { caller: ada },
    );
    const taskId = await accepted(lost, 'go', { beside });
    await lost.work();
    const next = new World(recording(seen), { caller: ada, below: lost });
    await next.clock.advance(120_000);
    await sweep(next.app);
    await finish(next);
    await next.clock.advance(120_000);
    await finish(next);
    expect((await rowOf(next, taskId)).status).toBe('completed');
    expect(seen).toEqual([
      { attempt: 1, caller: { ...ada, claims }, request },
      { attempt: 2, caller: { ...ada, claims }, request },
    ]);
  });

  it('is kept sealed, seen as it came under a tighter ceiling, and gone with the segment', async () => {
    const seen: Seen[] = [];
    const world = new World(recording(seen), { caller: ada });
    const taskId = await accepted(world, 'go', { beside });
    expect(await opened(world, taskId)).toContain('secret-7');
    expect(inClear(world)).not.toContain('secret');
    expect(await tightenCeiling(world.app, taskId, { answer: 'redacted' })).toBe('redacted');
    await finish(world);
    expect(seen).toEqual([{ attempt: 1, caller: { ...ada, claims }, request }]);
    expect(await rowOf(world, taskId)).toMatchObject({ status: 'completed', hasInput: false });
    expect(await opened(world, taskId)).not.toContain('secret');
    expect(inClear(world)).not.toContain('secret');
  });

  it('is told to tools, also those that waited for an approval', async () => {
    const seen: Partial<Seen>[] = [];
    const tool = defineTool({
      name: 'look',
      description: 'Looks.',
      parameters: z.object({}),
      effect: 'read',
      approval: true,
      run: (_args, { caller, request }) => void seen.push({ caller, request }),
    });
    const agent = modelAgent(new ScriptedModel({ calls: [call('look')] }), [], { tools: [tool] });
    const world = new World(agent, { grants: everythingGranted, caller: ada });
    const taskId = await accepted(world, 'go', { beside });
    await finish(world);
    await decide(world, taskId, 'approve');
    await finish(world);
    expect(seen).toEqual([{ caller: { ...ada, claims }, request }]);
    expect((await rowOf(world, taskId)).status).toBe('completed');
  });
});

/** What the run's own key opens of everything that is stored. */
async function opened(world: World, taskId: string): Promise<string> {
  const { taskId: id, wrappedKey } = await rowOf(world, taskId);
  const key = await world.app.keys.unwrap(id, wrappedKey);
  const sealed = world.backend.everything().flatMap(({ fields }) => Object.values(fields));
  return sealed
    .flatMap((value) => (value instanceof Uint8Array ? [decrypted([key], value)] : []))
    .join('\n');
}

function inClear(world: World): string {
  const all = [...world.backend.everything(), ...world.blobs.objects];
  return JSON.stringify(all, (_key, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );
}
