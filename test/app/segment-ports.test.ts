import { describe, expect, it } from 'vitest';
import { defineAgent, type DefinedAgent } from '../../shared/agent/index.ts';
import type { Agent, Ending, SegmentPorts } from '../../shared/app/agents.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import type { Task } from '../../shared/domain/task.ts';
import { World } from './world.ts';

/** An agent that is the application's own: `during` has what a segment may ask of it. */
function asking(during: (segment: SegmentPorts, text: string) => Promise<Ending>): DefinedAgent {
  const declared = defineAgent({ name: 'asking', description: 'Asks.', run: () => 'unused' });
  const run: Agent['run'] = (segment) => {
    const [part] = segment.message.parts;
    return during(segment, part !== undefined && 'text' in part ? part.text : '');
  };
  return { ...declared, run };
}

const done = (text: string): Ending => ({ kind: 'completed', parts: [{ text }] });

describe('what a segment may know of other tasks', () => {
  it('is a task of the same caller by its id, and of no other caller (G23)', async () => {
    const found = new Map<string, Task | undefined>();
    const world = new World(
      asking(async (segment, text) => {
        if (text.startsWith('find ')) found.set(text, await segment.taskById(text.slice(5)));
        return done(text);
      }),
    );
    const { taskId } = await world.send('mine');
    await world.work();
    await world.send(`find ${taskId}`);
    await world.work();
    expect(found.get(`find ${taskId}`)).toMatchObject({
      taskId,
      status: { state: 'COMPLETED', message: { parts: [{ text: 'mine' }] } },
    });
    found.clear();
    const other = { ...world.principal, owner: 'other', authenticated: true };
    for (const text of [`find ${taskId}`, 'find no-id', `find ${world.app.ids.uuid()}`]) {
      const message = { messageId: text, role: 'user', parts: [{ text }] } as const;
      const sent = await world.service.send(other, { message });
      if (isRefused(sent)) throw new Error(sent.code);
      await world.work();
    }
    expect([...found.values()]).toEqual([undefined, undefined, undefined]);
    expect(found.size).toBe(3);
  });

  it('is how its own task stood when it asked, with what it had shown by then', async () => {
    const seen: (Task | undefined)[] = [];
    const world = new World(
      asking(async (segment, text) => {
        seen.push(await segment.before());
        if (text === 'end') return done(text);
        const artifact = { artifactId: 'a', parts: [{ text: 'x'.repeat(200_000) }] };
        if (text === 'ask') await segment.artifact(artifact, false, true);
        const metadata = { step: text };
        await segment.status([{ text: 'so far' }], { metadata });
        const auth = text === 'sign in' ? { auth: true as const } : {};
        return { kind: 'asked', parts: [{ text: `${text}?` }], ...auth };
      }),
    );
    const { taskId } = await world.send('ask');
    await world.work();
    const askedAt = world.clock.now();
    for (const text of ['sign in', 'end']) {
      await world.clock.advance(1_000);
      await world.send(text, { taskId });
      await world.work();
    }
    const [first, second, third] = seen;
    expect(seen).toHaveLength(3);
    expect(first).toBeUndefined();
    expect(second).toMatchObject({
      taskId,
      contextId: (await world.get(taskId)).contextId,
      status: { state: 'INPUT_REQUIRED', at: askedAt, message: { parts: [{ text: 'ask?' }] } },
      metadata: { step: 'ask' },
    });
    expect(second?.history.at(-1)).toMatchObject({ role: 'user', parts: [{ text: 'sign in' }] });
    // As it was shown, also where it lies in an object of its own.
    expect(second?.artifacts).toEqual([
      { artifactId: 'a', parts: [{ text: 'x'.repeat(200_000) }] },
    ]);
    expect(third).toMatchObject({
      status: { state: 'AUTH_REQUIRED', message: { parts: [{ text: 'sign in?' }] } },
      metadata: { step: 'sign in' },
    });
  });
});
