import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { eventually } from '../e2e/eventually.ts';
import { Pasted, READY } from './pasted.ts';

const PROFILE = ['profile.json', 'report.md', 'chart.svg'];

const wireTask = z.object({
  id: z.string(),
  status: z.object({ state: z.string() }),
  artifacts: z.array(z.object({ name: z.string() })).optional(),
});
const answer = z.union([z.object({ task: wireTask }).transform(({ task }) => task), wireTask]);

/** The task in what curl printed; the server in the background may write beside it. */
function taskIn(text: string): z.output<typeof answer> {
  const line = text.split('\n').find((each) => each.startsWith('{')) ?? '';
  return answer.parse(JSON.parse(line));
}

describe('README, "See a run wait", pasted into a shell', () => {
  const page = new Pasted();

  it('shows a run that waits for an approval over kill -9, then for the profiler, and is done', async () => {
    const { shell } = page;
    const commands = await page.commands('See a run wait');
    const [start = '', ask = '', inbox = '', kill = '', again = '', ...rest] = commands;
    const [id = '', approve = '', runs = '', look = '', run = ''] = rest;
    expect(commands).toHaveLength(10);
    expect([start.endsWith(' &'), again]).toEqual([true, start]);

    // The command that it prints is the one of the page.
    expect(await shell.run(start, READY)).toContain(`\n${ask}\n`);
    const asked = taskIn(await shell.run(ask));
    expect(asked.status.state).toBe('TASK_STATE_AUTH_REQUIRED');
    const listed = await shell.run(inbox);
    expect(listed).toContain(`holdfast approve|deny ${asked.id}\n`);
    expect(listed).toContain('"message": "city,population,area_km2\\nBerlin,3677472,891');

    await shell.run(kill);
    await shell.run(again, READY);
    expect(await shell.run(inbox)).toContain(`holdfast approve|deny ${asked.id}\n`);

    await shell.run(id);
    // Without a terminal nothing is approved unseen.
    await expect(shell.run('npx --no holdfast approve $ID')).rejects.toThrow(
      /no terminal to ask[\s\S]*call profiler[\s\S]* --generation 1 --digest [0-9a-f]{64}$/m,
    );
    expect(await shell.run(approve)).toMatch(
      new RegExp(`^decided +approve, pause 1\\nrun +${asked.id}$`, 'm'),
    );
    expect(await shell.run(runs)).toMatch(new RegExp(`^${asked.id} +assistant `, 'm'));
    const done = await eventually(
      async () => taskIn(await shell.run(look)),
      ({ status }) => status.state === 'TASK_STATE_COMPLETED',
      25_000,
    );
    expect(done.artifacts?.map(({ name }) => name)).toEqual(PROFILE);

    const seen = await shell.run(run);
    expect(seen).toMatch(/^ +1 +approval +\S+/m);
    expect(seen).toMatch(/^ +2 +dependency +\S+ +completed$/m);
    expect(seen.match(/ profiler +acknowledged /g)).toHaveLength(1);
    // The profiler was given one task.
    expect((await shell.run(runs)).match(/ table-profiler +completed /g)).toHaveLength(1);
  }, 90_000);
});
