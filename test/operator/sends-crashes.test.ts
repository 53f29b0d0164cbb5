import { describe, expect, it } from 'vitest';
import { Unavailable } from '../../shared/ports/faults.ts';
import type { Backend } from '../../shared/ports/backend.ts';
import { openAt, passes, total } from '../app/waiting.ts';
import { unknownWorld } from './worlds.ts';

/**
 * A store that is away from its n-th commit on, for as long as `calls` of them; that one was
 * applied, or not.
 */
function breaking(at: number, applied: boolean, calls: number) {
  let commits = Number.NEGATIVE_INFINITY;
  const wrap = (backend: Backend): Backend => ({
    read: (paths) => backend.read(paths),
    query: (...given) => backend.query(...given),
    count: (...given) => backend.count(...given),
    follow: (...given) => backend.follow(...given),
    watch: (path, signal) => backend.watch(path, signal),
    close: () => backend.close(),
    async commit(...given) {
      const mine = commits;
      commits += 1;
      const away = mine >= at && mine < at + calls;
      if (away && !(applied && mine === at)) throw new Unavailable('the store');
      const outcome = await backend.commit(...given);
      if (away) throw new Unavailable('the store');
      return outcome;
    },
  });
  return {
    wrap,
    begin: () => {
      commits = 0;
    },
    end: () => {
      commits = Number.NEGATIVE_INFINITY;
    },
  };
}

const points = [0, 1, 2, 3].flatMap((at) =>
  [true, false].flatMap((applied) =>
    [1, Number.POSITIVE_INFINITY].map((calls) => [at, applied, calls] as const),
  ),
);

describe('a resend whose store breaks', () => {
  it.each(points)(
    'at commit %i (applied: %s, for %d calls) sends at most once, and is never lost from sight',
    async (at, applied, calls) => {
      const store = breaking(at, applied, calls);
      const made = await unknownWorld('before', { wrap: store.wrap });
      const { agent, api, peer, send, taskId, world } = made;
      store.begin();
      let over = false;
      const asked = api.post(`/sends/${send}/resend`).finally(() => {
        over = true;
      });
      // A store that stays away is given up when the clock says so.
      await expect
        .poll(async () => {
          await world.clock.advance(1_000);
          return over;
        })
        .toBe(true);
      await asked;
      store.end();
      expect(total(peer.sends)).toBeLessThanOrEqual(1);
      await passes(world, 60_000);
      const { sends } = (await api.get('/inbox')).body;
      const [unknown] = sends;
      if (unknown !== undefined) {
        expect((await api.post(`/sends/${unknown.id}/abandon`)).status).toBe(200);
      } else for (const task of openAt(peer)) peer.settle(task, 'COMPLETED', 'done');
      await passes(world, 60_000);
      expect(await world.state(taskId)).toBe('COMPLETED');
      expect(agent.seen).toHaveLength(1);
      expect(total(peer.sends)).toBeLessThanOrEqual(1);
    },
  );
});
