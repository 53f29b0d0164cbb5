import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import type { Frame } from '../../shared/app/service.ts';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import { runDoc } from '../../shared/app/records/documents.ts';
import { sweep } from '../../shared/app/worker/sweep.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { Fault, Unavailable } from '../../shared/ports/faults.ts';
import { latch, World } from './world.ts';
import { withCommit } from './wrapped.ts';

const echoing = defineAgent({
  name: 'echoing',
  description: 'Echoes.',
  run: (ctx) => `you said ${ctx.text}`,
});

/** Works until a latch opens. */
function held() {
  const go = latch();
  const texts: string[] = [];
  const agent = defineAgent({
    name: 'held',
    description: 'Waits.',
    async run(ctx) {
      texts.push(ctx.text);
      await go.opened;
      return 'done';
    },
  });
  return { agent, go, texts };
}

async function frames(world: World, taskId: string, afterRevision?: number): Promise<Frame[]> {
  const stream = await world.service.stream(
    world.principal,
    taskId,
    afterRevision === undefined
      ? { until: 'terminal', afterSeq: 0 }
      : { until: 'settled', afterRevision },
    new AbortController().signal,
  );
  if (isRefused(stream)) throw new Error(stream.code);
  const seen: Frame[] = [];
  for await (const frame of stream) seen.push(frame);
  return seen;
}

const stateIn = (frame: Frame): string | undefined => {
  if (frame.kind === 'task') return `task ${frame.task.status.state}`;
  return frame.event.kind === 'status' ? frame.event.state : undefined;
};

/** Overwrites each word, number and byte that it holds. */
function spoil(value: object): void {
  if (value instanceof Uint8Array) value.fill(0);
  else
    for (const [key, member] of Object.entries(value)) {
      if (typeof member === 'object' && member !== null) spoil(member);
      else Reflect.set(value, key, 'spoilt');
    }
}

describe('a run that is claimed by the commit that accepts it', () => {
  it('gives its agent a message of its own: what the agent changes in it is shown to no caller', async () => {
    const spoiling = defineAgent({
      name: 'spoiling',
      description: 'Changes what it is given.',
      run({ message }) {
        for (const part of [message, ...message.parts]) spoil(part);
        return 'done';
      },
    });
    const parts = [
      { text: 'words', metadata: { of: 'text' } },
      { data: { deep: ['value'] } },
      { raw: new Uint8Array([1, 2, 3]) },
      { url: 'https://example.com/file' },
    ];
    const world = new World(spoiling, { lane: 1 });
    const sent = { messageId: 'm-1', role: 'user', parts, metadata: { of: 'message' } } as const;
    const message = structuredClone(sent);
    const answer = await world.service.send(world.principal, { message, blocking: true });
    if (answer.kind !== 'accepted') throw new Error(answer.kind);
    await world.rest();
    const task = await world.get(answer.taskId);
    expect(task.status.state).toBe('COMPLETED');
    expect(task.history[0]).toMatchObject({ parts, metadata: { of: 'message' } });
  });

  it('needs no queue: accept, end and note are three commits', async () => {
    const writes: number[] = [];
    const world = new World(echoing, {
      lane: 1,
      wrap: (backend) =>
        withCommit(backend, (checks, written) => {
          writes.push(written.length);
          return backend.commit(checks, written);
        }),
    });
    const { taskId } = await world.send('cats', { blocking: true });
    await world.rest();
    expect(world.queue).toEqual([]);
    expect(await world.state(taskId)).toBe('COMPLETED');
    // Run, revision, context; run, view, entry, context; run.
    expect(writes).toEqual([3, 4, 1]);
  });

  it('was SUBMITTED and WORKING, in this order, for its sender and for each who reads later', async () => {
    const { agent, go } = held();
    const world = new World(agent, { lane: 1 });
    const { taskId, revision } = await world.send('cats');
    expect(revision).toBe(1);
    const watched = frames(world, taskId, revision);
    await world.rest();
    expect(await world.state(taskId)).toBe('WORKING');
    go.open();
    await world.rest();
    const states = ['task SUBMITTED', 'WORKING', 'COMPLETED'];
    expect((await watched).map(stateIn)).toEqual(states);
    expect((await frames(world, taskId, revision)).map(stateIn)).toEqual(states);
    const again = await frames(world, taskId);
    expect(again.slice(1).map(stateIn)).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
    expect(again.map(({ seq }) => seq)).toEqual([0, 1, 2, 3]);
  });

  it("is the queue's when the lane is full, and the place is free again after the segment", async () => {
    const { agent, go, texts } = held();
    const world = new World(agent, { lane: 1 });
    const first = await world.send('first', { blocking: true });
    const second = await world.send('second');
    await world.rest();
    expect(texts).toEqual(['first']);
    expect(await world.state(second.taskId)).toBe('SUBMITTED');
    expect(world.queue).toMatchObject([{ kind: 'run', taskId: second.taskId }]);
    go.open();
    await world.work();
    expect(await world.state(first.taskId)).toBe('COMPLETED');
    expect(await world.state(second.taskId)).toBe('COMPLETED');
    await world.send('third', { blocking: true });
    await world.rest();
    expect(texts).toEqual(['first', 'second', 'third']);
  });

  it('gives its place back when the message is refused, known already, or can not be stored', async () => {
    const { agent, go, texts } = held();
    let broken = false;
    const world = new World(agent, {
      lane: 2,
      idempotency: 'always',
      wrap: (backend) =>
        withCommit(backend, (checks, written) =>
          broken
            ? Promise.reject(new Fault('Broken', 'stop', 'broken'))
            : backend.commit(checks, written),
        ),
    });
    const sent = { contextId: 'context', messageId: 'known' };
    const { taskId } = await world.send('first', sent);
    for (let time = 0; time < 3; time += 1) {
      expect(await world.code(world.trySend([{ text: 'busy' }], { contextId: 'context' }))).toBe(
        'CONTEXT_BUSY',
      );
      expect((await world.send('first', sent)).taskId).toBe(taskId);
      broken = true;
      await expect(world.send('lost')).rejects.toThrow('broken');
      broken = false;
    }
    await world.send('second');
    await world.rest();
    expect(texts).toEqual(['first', 'second']);
    go.open();
  });

  it('of a process that died is taken by the next one when its lease has lapsed, and runs once more', async () => {
    const { agent, texts } = held();
    const dead = new World(agent, { lane: 1 });
    const { taskId } = await dead.send('cats', { blocking: true });
    await dead.rest();
    const { agent: same, go, texts: again } = held();
    go.open();
    const next = new World(same, { below: dead });
    await sweep(next.app);
    await next.work();
    expect(again, 'while the lease may hold').toEqual([]);
    await next.clock.advance(next.app.settings.lease + next.app.settings.sweepGrace + 1);
    await sweep(next.app);
    await next.work();
    expect([texts, again]).toEqual([['cats'], ['cats']]);
    expect(await next.state(taskId)).toBe('COMPLETED');
    const states = (await frames(next, taskId)).slice(1).map(stateIn);
    expect(states).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
    expect(await next.app.store.get(runDoc(taskId))).toMatchObject({ fence: 2 });
  });

  it('whose commit looked lost runs once', async () => {
    const { agent, go, texts } = held();
    let lost = 1;
    const world = new World(agent, {
      lane: 1,
      wrap: (backend) =>
        withCommit(backend, async (checks, written) => {
          const outcome = await backend.commit(checks, written);
          if (lost > 0) {
            lost -= 1;
            throw new Unavailable('the store');
          }
          return outcome;
        }),
    });
    const { taskId } = await world.send('cats');
    go.open();
    await world.rest();
    expect(texts).toEqual(['cats']);
    expect(await world.state(taskId)).toBe('COMPLETED');
    const states = (await frames(world, taskId)).slice(1).map(stateIn);
    expect(states).toEqual(['SUBMITTED', 'WORKING', 'COMPLETED']);
  });

  it('keeps both states when its content is destroyed before anything was shown (G7)', async () => {
    const { agent, go } = held();
    const world = new World(agent, { lane: 1, settings: { progressDelay: 60_000 } });
    const { taskId } = await world.send('cats', { blocking: true });
    await world.rest();
    expect(await tightenCeiling(world.app, taskId, { answer: 'none' })).toBe('failed');
    go.open();
    await world.rest();
    expect((await frames(world, taskId)).slice(1).map(stateIn)).toEqual([
      'SUBMITTED',
      'WORKING',
      'FAILED',
    ]);
    expect(JSON.stringify(await world.get(taskId))).not.toContain('cats');
  });
});
