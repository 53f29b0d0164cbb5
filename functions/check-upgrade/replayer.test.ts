import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunRecord } from '../../shared/app/upgrade/record.ts';
import { agentName } from '../../shared/domain/ids.ts';
import { defaults } from '../../shared/domain/settings.ts';
import { systemClock } from '../../shared/system/system-clock.ts';
import { queued } from '../../test/doubles/runs.ts';
import { BadConfiguration } from '../settings.ts';
import { Replayer } from './replayer.ts';

const HOSTILE = fileURLToPath(
  new URL('../../test/fixtures/agents/upgrade-hostile.ts', import.meta.url),
);
const opened: Replayer[] = [];
afterAll(() => Promise.all(opened.map((each) => each.close())));

function replayer(time: number, agents = HOSTILE): Replayer {
  const made = new Replayer({
    agents,
    settings: defaults,
    installation: { answer: 'metadata', audit: 'metadata' },
    clock: systemClock,
    time,
    earlierTasks: () => Promise.resolve([]),
  });
  opened.push(made);
  return made;
}

function recordOf(name: string): RunRecord {
  const agent = agentName(name);
  if (agent === undefined) throw new Error(name);
  const caller = { owner: '', tenant: '', authenticated: false };
  return { run: queued({ agent }), caller, request: {}, steps: [], signals: [] };
}

describe('code of an agent that is compared with a run', () => {
  it.each(['loops', 'hangs'])('and %s is left when its time is up', async (name) => {
    const short = replayer(50);
    const why = 'its code came to no next step in 0.05 s';
    expect(await short.judge(recordOf(name))).toEqual({ kind: 'not checked', why });
  });

  it('costs its own run alone where it ends the process, or leaves an error behind', async () => {
    const patient = replayer(120_000);
    expect(await patient.judge(recordOf('exits'))).toEqual({
      kind: 'not checked',
      why: 'its code ended the process',
    });
    expect(await patient.judge(recordOf('strays'))).toEqual({
      kind: 'not checked',
      why: 'an error that nothing caught: TypeError',
    });
    expect(await patient.judge(recordOf('fits'))).toEqual({ kind: 'goes on' });
    expect(await patient.load()).toContain('fits');
  });

  it('is said to be missing where its module is not there', async () => {
    await expect(replayer(1_000, 'no/such/module.ts').load()).rejects.toThrow(BadConfiguration);
  });
});
