import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { defineTool, type Part, toolParts } from '../../shared/agent/index.ts';
import { call, ScriptedModel } from '../../testing/scripted-model.ts';
import { decide, everythingGranted, finish, modelAgent, stepsOf } from './turn-loop-world.ts';
import { World } from './world.ts';

const bytes = (size: number) => new Uint8Array(size).map((_, at) => at % 251);

/** Bytes that are of one class. */
const plain = (parts: readonly Part[] = []) =>
  parts.map((part) =>
    'raw' in part ? { ...part, raw: Buffer.from(part.raw).toString('hex') } : part,
  );

async function drawn(parts: () => readonly Part[] | string, ...more: readonly string[]) {
  const parameters = z.object({});
  const frame = { description: 'Draws.', parameters } as const;
  const draw = defineTool({
    ...frame,
    name: 'draw',
    effect: 'read',
    run: () => toolParts(parts()),
  });
  const send = defineTool({
    ...frame,
    name: 'send',
    effect: 'once',
    approval: true,
    run: () => 'sent',
  });
  const script = ['draw', ...more].map((name) => ({ calls: [call(name)] }));
  const model = new ScriptedModel(...script);
  const world = new World(modelAgent(model, [], { tools: [draw, send] }), {
    grants: everythingGranted,
  });
  const { taskId } = await world.send('go');
  await finish(world);
  return { model, taskId, world };
}

describe('a result in parts', () => {
  const raw = bytes(300 * 1024);
  const parts: readonly Part[] = [
    { text: 'The map.' },
    { data: { scale: 5 } },
    { raw, mediaType: 'image/png', filename: 'map.png' },
    { raw: bytes(3) },
    { url: 'https://maps.example/a', mediaType: 'text/html' },
  ];

  it('is what the model gets, and in words what it comes to for one that sees no files', async () => {
    const { model, taskId, world } = await drawn(() => parts);
    expect(model.seen.at(-1)).toEqual({
      role: 'tool',
      callId: 'call-2-1',
      name: 'draw',
      status: 'ok',
      value: [
        'The map.',
        { scale: 5 },
        { file: 'map.png', mediaType: 'image/png', bytes: raw.byteLength },
        { bytes: 3 },
        { mediaType: 'text/html', url: 'https://maps.example/a' },
      ],
      parts,
    });
    // The caller sees nothing of it.
    expect((await world.get(taskId)).artifacts).toEqual([]);
  });

  it('is kept sealed while the run waits, the same to the byte afterwards, and gone when it ends', async () => {
    const { model, taskId, world } = await drawn(() => parts, 'send');
    expect(await world.state(taskId)).toBe('AUTH_REQUIRED');
    const rows = JSON.stringify(world.backend.everything());
    const objects = [...world.blobs.objects.values()].map(({ body }) => Buffer.from(body));
    expect(objects.some((each) => each.byteLength > raw.byteLength)).toBe(true);
    for (const stored of [Buffer.from(rows), ...objects]) {
      expect(stored.includes('The map.')).toBe(false);
      expect(stored.includes(Buffer.from(raw.subarray(0, 64)))).toBe(false);
    }
    const steps = await stepsOf(world, taskId);
    const kept = steps.flatMap((step) => (step.kind === 'result' ? (step.parts ?? []) : []));
    expect(plain(kept)).toEqual(plain(parts));
    await decide(world, taskId, 'approve');
    await finish(world);
    const results = model.seen.flatMap((entry) => (entry.role === 'tool' ? [entry] : []));
    expect(plain(results[0]?.parts)).toEqual(plain(parts));
    expect(results[1]).toMatchObject({ name: 'send', status: 'ok' });
    expect(await world.state(taskId)).toBe('COMPLETED');
  });

  it.each<[string, () => readonly Part[] | string]>([
    ['with files over 4 MiB', () => [{ raw: bytes(4 * 1024 * 1024 + 1) }]],
    ['with words over 1 MiB', () => 'x'.repeat(1024 * 1024 + 1)],
    ['with a part that is none', () => [{ picture: 1 } as never]],
  ])('%s is an error result', async (_what, made) => {
    const { model, taskId, world } = await drawn(made);
    expect(model.seen.at(-1)).toMatchObject({
      status: 'error',
      value: { error: 'The tool ran, but its result is no JSON or too large.' },
    });
    expect(await world.state(taskId)).toBe('COMPLETED');
  });
});
