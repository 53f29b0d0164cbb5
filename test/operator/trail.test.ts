import { describe, expect, it } from 'vitest';
import { tightenCeiling } from '../../shared/app/privacy/tighten-ceiling.ts';
import type { Ceiling } from '../../shared/domain/ceiling.ts';
import { passes, row } from '../app/waiting.ts';
import { finish } from '../app/turn-loop-world.ts';
import { type Asking, approvalWorld } from './worlds.ts';

const SECRET = 'a-secret-word';
/** Milliseconds. */
const KEPT = 600_000;
const AUDITS: readonly Ceiling[] = ['none', 'metadata', 'redacted', 'full'];

/** A run that erased a disk after an approval, and has ended. */
async function erased(audit: Ceiling): Promise<Asking> {
  const installation = { answer: 'metadata', audit } as const;
  const made = await approvalWorld({ installation, settings: { trailRetention: KEPT } });
  await approve(made);
  return made;
}

async function approve({ api, taskId, world }: Asking): Promise<void> {
  const { digest, generation: pauseGeneration } = (await api.get(`/runs/${taskId}`)).body.waitsFor;
  await api.post(`/runs/${taskId}/decisions`, { kind: 'approve', digest, pauseGeneration });
  await finish(world);
}

const trailOf = async ({ api, taskId }: Asking, as?: string) =>
  (await api.get(`/runs/${taskId}/trail`, as)).body;

describe('the trail of a run', () => {
  it.each(AUDITS)(
    'of a run that is open shows everything, and what will be kept: %s',
    async (audit) => {
      const made = await approvalWorld({ installation: { answer: 'metadata', audit } });
      expect(await trailOf(made)).toMatchObject({
        open: true,
        level: audit,
        steps: [
          { n: 1, kind: 'answer', content: { words: [{ text: 'go' }] } },
          {
            n: 2,
            kind: 'turn',
            attempt: 1,
            calls: [{ name: 'erase', effect: 'once' }],
            content: { calls: [{ tool: 'erase', arguments: { secret: SECRET } }] },
          },
        ],
      });
    },
  );

  it('at full has each step with its words after the end', async () => {
    const made = await erased('full');
    const trail = await trailOf(made);
    expect(trail).toMatchObject({
      open: false,
      level: 'full',
      steps: [
        { kind: 'answer', content: { words: [{ text: 'go' }] } },
        { kind: 'turn', content: { calls: [{ arguments: { secret: SECRET } }] } },
        { kind: 'decision', status: 'approve', by: 'operator', generation: 1 },
        { kind: 'result', name: 'erase', effect: 'once', status: 'ok', content: { result: {} } },
        { n: 5, kind: 'turn', model: 'scripted', attempt: 1 },
      ],
    });
    const { body } = await made.api.get(`/runs/${made.taskId}`);
    expect(JSON.stringify(body.steps)).toContain(SECRET);
    expect(body.pauses).toMatchObject([{ content: { kind: 'approval' } }]);
  });

  it('at metadata has names, times and classes after the end, and no word', async () => {
    const made = await erased('metadata');
    const trail = await trailOf(made);
    expect(trail).toMatchObject({
      level: 'metadata',
      steps: [
        { kind: 'answer' },
        { kind: 'turn', calls: [{ name: 'erase', effect: 'once' }] },
        { kind: 'decision', status: 'approve' },
        { kind: 'result', name: 'erase', status: 'ok' },
        { kind: 'turn', model: 'scripted' },
      ],
    });
    expect(trail).not.toHaveProperty('keptUntil');
    for (const step of trail.steps) {
      expect(step).not.toHaveProperty('content');
      if (step['kind'] !== 'answer') expect(step).toHaveProperty('startedAt');
    }
  });

  it('at redacted has its words as the redactor left them', async () => {
    const made = await erased('redacted');
    const trail = await trailOf(made);
    expect(trail).toMatchObject({ level: 'redacted' });
    expect(trail.steps[1]).toMatchObject({ content: { calls: [{ tool: expect.any(String) }] } });
    expect(trail).toHaveProperty('keptUntil');
  });

  it('at none has nothing after the end', async () => {
    const made = await erased('none');
    expect(await trailOf(made)).toMatchObject({ level: 'none', steps: [], errors: [] });
    expect((await made.api.get(`/runs/${made.taskId}`)).body.steps).toEqual([]);
    expect(await row(made.world, made.taskId)).not.toHaveProperty('trail');
  });

  it('shows what was said to operators with the right `view` alone', async () => {
    const made = await erased('full');
    const trail = await trailOf(made, 'not-view');
    expect(trail.steps).toHaveLength(5);
    expect(JSON.stringify(trail)).not.toContain(SECRET);
    expect((await made.api.get(`/runs/${made.taskId}/trail`, 'nobody')).status).toBe(404);
  });

  it.each(['full', 'redacted'] as const)(
    'kept %s, what was said is gone when its time is over, and the rest stays',
    async (audit) => {
      const made = await erased(audit);
      const { world, taskId } = made;
      const key = (await keptIn(made)).key;
      await passes(world, KEPT - 60_000);
      expect(await trailOf(made)).toMatchObject({ level: audit });
      await passes(world, 120_000);
      const trail = await trailOf(made);
      expect(trail).toMatchObject({ level: 'metadata' });
      expect(trail.steps).toHaveLength(5);
      expect(trail.steps[3]).toMatchObject({ name: 'erase', status: 'ok' });
      expect(JSON.stringify(trail)).not.toContain('content');
      expect(JSON.stringify((await made.api.get(`/runs/${taskId}`)).body)).not.toContain(SECRET);
      expect((await keptIn(made)).key).not.toEqual(key);
      expect(await keptIn(made)).not.toHaveProperty('until');
    },
  );

  it('is tightened after the end: what may not be kept any more is destroyed', async () => {
    const made = await erased('full');
    const { world, taskId } = made;
    await tightenCeiling(world.app, taskId, { audit: 'metadata' });
    const trail = await trailOf(made);
    expect(trail).toMatchObject({ level: 'metadata' });
    expect(trail.steps[3]).toMatchObject({ name: 'erase' });
    expect(JSON.stringify(trail)).not.toContain(SECRET);
    await tightenCeiling(world.app, taskId, { audit: 'none' });
    expect(await trailOf(made)).toMatchObject({ level: 'none', steps: [] });
    expect(await row(world, taskId)).not.toHaveProperty('trail');
  });

  it('comes in pages', async () => {
    const made = await erased('full');
    const { api, taskId } = made;
    const first = (await api.get(`/runs/${taskId}/trail?limit=3`)).body;
    expect(first).toMatchObject({ steps: [{ n: 1 }, { n: 2 }, { n: 3 }], next: 4 });
    const rest = (await api.get(`/runs/${taskId}/trail?from=4`)).body;
    expect(rest).toMatchObject({ steps: [{ n: 4 }, { n: 5 }] });
    expect(rest).not.toHaveProperty('next');
    expect((await api.get(`/runs/${taskId}/trail?limit=0`)).body.error.field).toBe('limit');
  });
});

async function keptIn({ taskId, world }: Asking) {
  const { trail } = (await row(world, taskId)) as { trail: { key: Uint8Array; level: string } };
  return trail;
}
