import { describe, expect, it } from 'vitest';
import { defineAgent } from '../../shared/agent/index.ts';
import { viewDoc } from '../../shared/app/records/documents.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { TIMESTAMPS } from '../../shared/domain/extensions.ts';
import type { JsonObject } from '../../shared/domain/json.ts';
import { eventToProtoJson, taskToProtoJson } from '../../shared/domain/proto-json.ts';
import { MemoryWebhooks } from '../doubles/memory-webhooks.ts';
import { framesOf } from './stream-frames.ts';
import { World } from './world.ts';

const KEYS = ['made'];
const [byName] = TIMESTAMPS;
const URL = 'https://hooks.example/a';

/** Each artifact and word of it is a commit of its own, two seconds apart. */
function talkingWorld(webhooks = new MemoryWebhooks()) {
  const agent = defineAgent({
    name: 'talking',
    description: 'Shows one thing after the other.',
    async run(ctx) {
      const pause = () => world.clock.advance(2_000);
      for (const text of ['one ', 'two ', 'three']) {
        await ctx.artifact({ artifactId: 'text', parts: text, append: true, lastChunk: false });
        await pause();
      }
      await ctx.status('nearly');
      await pause();
      await ctx.artifact({ artifactId: 'long', parts: 'l'.repeat(5_000) });
      await pause();
      await ctx.artifact({ artifactId: 'text', parts: ' four', append: true });
      await ctx.artifact({ artifactId: 'own', parts: 'x', metadata: { made: 'by hand' } });
      return 'done';
    },
  });
  const settings = { workingSnapshot: 2_000, progressInterval: 0, progressDelay: 0 };
  const world: World = new World(agent, { settings, outgoing: webhooks });
  return { webhooks, world };
}

const idOf = ({ artifactId }: JsonObject): string =>
  typeof artifactId === 'string' ? artifactId : '';

type Made = Readonly<Record<string, unknown>>;
const madeOf = (json: JsonObject | undefined): unknown =>
  (json?.['metadata'] as JsonObject | undefined)?.['made'];

/** When each thing of a task was made, by its words or its id. */
function ofTask(task: JsonObject): Made {
  const history = (task['history'] ?? []) as readonly JsonObject[];
  const artifacts = (task['artifacts'] ?? []) as readonly JsonObject[];
  return Object.fromEntries([
    ...history.map((each) => [JSON.stringify(each['parts']), madeOf(each)]),
    ...artifacts.map((each) => [idOf(each), madeOf(each)]),
  ]);
}

/** The same from events; every piece of an artifact must say the same. */
function ofEvents(events: readonly JsonObject[]): Made {
  const made: Record<string, unknown> = {};
  for (const event of events) {
    const { artifactUpdate, statusUpdate } = event as Readonly<Record<string, JsonObject>>;
    const artifact = artifactUpdate?.['artifact'] as JsonObject | undefined;
    const message = (statusUpdate?.['status'] as JsonObject | undefined)?.['message'] as
      | JsonObject
      | undefined;
    const name = artifact === undefined ? JSON.stringify(message?.['parts']) : idOf(artifact);
    if (artifact === undefined && message === undefined) continue;
    const at = madeOf(artifact ?? message);
    // A piece that does not know when its artifact was begun says nothing.
    if (at === undefined) continue;
    expect(made[name] ?? at).toBe(at);
    made[name] = at;
  }
  return made;
}

async function done(world: World, webhook?: readonly string[]): Promise<string> {
  const { taskId } = await world.send('go', {
    ...(webhook && { webhook: { url: URL, version: '1.0', extensions: webhook } as const }),
  });
  await world.work();
  for (let turn = 0; turn < 10; turn += 1) {
    await world.clock.advance(2_000);
    await world.work();
  }
  expect(await world.state(taskId)).toBe('COMPLETED');
  return taskId;
}

describe('when a thing was made', () => {
  it('is the time of its commit, and the same by task, list, stream, a resumed stream and webhook', async () => {
    const { webhooks, world } = talkingWorld();
    const id = await done(world, [byName?.uri ?? '']);
    const place = { taskId: id, contextId: (await world.get(id)).contextId };
    const task = ofTask(taskToProtoJson(await world.get(id), KEYS));
    expect(task).toMatchObject({
      '[{"text":"go"}]': undefined,
      own: 'by hand',
      text: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    const made = Object.fromEntries(Object.entries(task).filter(([, at]) => at !== undefined));
    expect(new Set(Object.values(made)).size).toBeGreaterThan(3);
    const page = await world.service.list(world.principal, { includeArtifacts: true });
    if (isRefused(page)) throw new Error(page.code);
    expect(page.tasks.map((each) => ofTask(taskToProtoJson(each, KEYS)))).toEqual([task]);
    const frames = await framesOf(world, id);
    const events = frames.flatMap((frame) =>
      frame.kind === 'event' ? [eventToProtoJson(frame.event, place, KEYS)] : [],
    );
    expect(ofEvents(events)).toEqual(made);
    // The beginning of its first artifact lies in a page, and the last piece behind it.
    expect((await world.app.store.get(viewDoc(id)))?.pages.length).toBeGreaterThan(0);
    const told = JSON.stringify(webhooks.posts.map(({ body }) => body));
    for (const [name, at] of Object.entries(made)) {
      if (name !== 'own') expect(told).toContain(`timestamp/v1/timestamp":"${String(at)}"`);
    }
  });

  it('is told to no caller and no webhook that did not ask', async () => {
    const { webhooks, world } = talkingWorld();
    const id = await done(world, []);
    const plain = JSON.stringify([
      taskToProtoJson(await world.get(id)),
      ...webhooks.posts.map(({ body }) => body),
    ]);
    expect(webhooks.posts.length).toBeGreaterThan(3);
    expect(plain).not.toContain('timestamp/v1');
    expect(plain).not.toMatch(/"(?:at|begun)":/);
  });
});
