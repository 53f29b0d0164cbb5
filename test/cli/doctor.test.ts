import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { noteKeys } from '../../shared/app/privacy/check-keys.ts';
import { approvalWorld, unknownWorld } from '../operator/worlds.ts';
import { holdfast } from './terminal.ts';

/** As a server does when it starts. */
async function started() {
  const made = await unknownWorld();
  await holdfast(made, ['abandon', made.send, '--yes']);
  await noteKeys(made.world.app, await made.world.app.sealer.keyNames(), 'more');
  return made;
}

describe('doctor', () => {
  it('shows a line for each look, and ends with 0 where nothing failed', async () => {
    const made = await started();
    const { error, exit, out } = await holdfast(made, ['doctor']);
    expect({ error, exit }).toEqual({ error: '', exit: 0 });
    expect(out).toMatch(/^ok {4}store +answers in \d+ ms$/m);
    expect(out).toMatch(/^ok {4}clock skew +this machine and the server agree$/m);
    expect(out).toMatch(/^0 failed, 0 to look at, \d+ well$/m);
  });

  it('says what is wrong and what to do, and ends with 1', async () => {
    const { exit, out } = await holdfast({ api: { url: 'http://127.0.0.1:1' } }, ['doctor']);
    expect(exit).toBe(1);
    expect(out).toMatch(/^fail {2}server +nothing answers at http:\/\/127\.0\.0\.1:1; /m);
    expect(out).toMatch(/^ +-> once it answers/m);
  });

  it.each([
    [30_000, 0, 'warn', 'the server is 30.0s behind this machine'],
    [-600_000, 1, 'fail', 'the server is 10m 0s before this machine'],
  ] as const)('a clock that is off by %i ms is told', async (off, exit, health, words) => {
    const made = await started();
    const now = () => made.world.clock.now() + off;
    const ran = await holdfast(made, ['doctor'], { now });
    expect(ran.exit).toBe(exit);
    expect(ran.out).toMatch(new RegExp(`^${health} +clock skew +${words}$`, 'm'));
  });

  it('without a server looks at the folder, its disk and the ports', async () => {
    const folder = join(mkdtempSync(join(tmpdir(), 'holdfast-')), 'none');
    const environment = { HOLDFAST_DATA: folder };
    const { exit, out } = await holdfast({ api: { url: '' } }, ['doctor'], { environment });
    expect(exit).toBe(1);
    expect(out).toMatch(/^warn {2}data folder +there is none at /m);
    expect(out).toMatch(/^fail {2}server +no server runs over /m);
    expect(out).toMatch(/port 8080 /);
  });

  it('--json has the same, for programs', async () => {
    const made = await approvalWorld();
    const { out } = await holdfast(made, ['doctor', '--json']);
    const { findings } = JSON.parse(out) as { findings: readonly { name: string }[] };
    expect(findings.map(({ name }) => name)).toContain('indexes');
  });
});
