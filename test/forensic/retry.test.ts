import { describe, expect, it } from 'vitest';
import { purgeRun } from '../../shared/app/privacy/purge-run.ts';
import { call } from '../../testing/scripted-model.ts';
import { finish, rowOf, stepsOf } from '../app/turn-loop-world.ts';
import type { World } from '../app/world.ts';
import { type Failed, failedWorld, newRequest, SECRET } from '../operator/trying.ts';

/** Too large for a row: what holds it lies in an object. */
const LARGE = `${'0123456789'.repeat(30_000)} ${SECRET}`;

/** A run that goes on from a failed one, and waits for an approval with all that it took over. */
async function waiting(): Promise<Failed & { readonly id: string }> {
  const made = await failedWorld({
    script: [{ calls: [call('look', { at: SECRET })] }, { calls: [call('erase', { at: SECRET })] }],
    during: ({ tool }) => (tool === 'look' ? { found: LARGE } : undefined),
  });
  await made.api.post(`/runs/${made.taskId}/cancel`);
  const answer = await made.api.post(`/runs/${made.taskId}/retry`, { requestId: newRequest() });
  await finish(made.world);
  const id = answer.body.run?.id ?? '';
  expect((await rowOf(made.world, id)).status).toBe('waiting_for_approval');
  return { ...made, id };
}

/** Everything that is kept, with where it is; the audit record outlives the runs that it names. */
function kept({ backend, blobs }: World): readonly (readonly [string, Uint8Array | string])[] {
  const lasting = backend.everything().filter(({ path }) => !path.startsWith('audit/'));
  const rows = lasting.map(({ fields, path }) => [path, textOf(fields)] as const);
  const objects = [...blobs.objects].map(([name, { body }]) => [name, body] as const);
  return [...rows, ...objects];
}

const textOf = (fields: unknown): string =>
  JSON.stringify(fields, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : value,
  );

const keptBesideAudit = (world: World) =>
  kept(world).filter(([where]) => !where.startsWith('audit/'));

/** Beside the audit record, which outlives a run, and has no content of it (decision 0062). */
const holding = (world: World, word: string): readonly string[] =>
  keptBesideAudit(world).flatMap(([where, what]) =>
    `${where} ${typeof what === 'string' ? what : Buffer.from(what).toString('latin1')}`.includes(
      word,
    )
      ? [where]
      : [],
  );

describe('what a run took over of an earlier one', () => {
  it('is in clear nowhere but where its own task shows it', async () => {
    const { id, taskId, world } = await waiting();
    expect(JSON.stringify(await stepsOf(world, id))).toContain(LARGE);
    for (const where of holding(world, SECRET))
      expect(where).toMatch(new RegExp(`^contexts/one/(${id}|${taskId})/task\\.json$`));
  });

  it('goes with its purge: no row, no object and no step of it is left', async () => {
    const { id, taskId, world } = await waiting();
    expect(holding(world, id).length).toBeGreaterThan(5);
    expect(await purgeRun(world.app, id)).toBe('purged');
    // The earlier run says which was made of it.
    expect(holding(world, id)).toEqual([`runs/${taskId}`]);
  });

  it('stays when the earlier run is purged, and is read as before', async () => {
    const { id, taskId, world } = await waiting();
    const before = await stepsOf(world, id);
    expect(await purgeRun(world.app, taskId)).toBe('purged');
    expect(await stepsOf(world, id)).toEqual(before);
    expect(holding(world, taskId).every((where) => where.includes(id))).toBe(true);
  });

  it('is opened by no key of the earlier run, and the earlier one by none of it', async () => {
    const { id, taskId, world } = await waiting();
    const [earlier, later] = [await rowOf(world, taskId), await rowOf(world, id)];
    expect(Buffer.from(later.wrappedKey)).not.toEqual(Buffer.from(earlier.wrappedKey));
    const path = (run: string, step: number) =>
      `runs/${run}/steps/${String(step).padStart(12, '0')}`;
    for (let step = 1; step <= later.steps; step += 1) {
      const [from, to] = [path(taskId, step), path(id, step)].map(
        (each) => world.backend.peek(each)?.fields['content'],
      );
      expect(to).toBeInstanceOf(Uint8Array);
      expect(to).not.toEqual(from);
    }
  });
});
