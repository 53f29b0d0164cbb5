import { expect, test, vi } from 'vitest';
import { Unavailable } from '../shared/ports/faults.ts';
import { World } from '../test/app/world.ts';
import scripted from '../test/fixtures/agents/scripted.ts';
import { requireKeys } from './require-keys.ts';

const answers = vi.fn<() => Promise<string | undefined>>();
vi.mock('../shared/app/privacy/check-keys.ts', () => ({ keysProblem: () => answers() }));

test('a database that is away for a moment fails no start, and one that stays away does', async () => {
  const { app, clock } = new World(scripted);
  const away = new Unavailable('the database');
  answers.mockRejectedValueOnce(away).mockRejectedValueOnce(away).mockResolvedValueOnce(undefined);
  const started = requireKeys(app, { data: 'here', store: 'google' });
  await clock.advance(2_000);
  await started;
  expect(answers).toHaveBeenCalledTimes(3);

  answers.mockRejectedValue(away);
  const failed = expect(requireKeys(app, { data: 'here', store: 'google' })).rejects.toBe(away);
  await clock.advance(60_000);
  await failed;
});
