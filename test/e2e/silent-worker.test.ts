import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { randomProject, useFirestoreEmulator } from '../emulator/firestore.ts';
import { request, say } from '../edge/calls.ts';
import { eventually } from './eventually.ts';
import { STORE, useFleet } from './server.ts';

const fleet = useFleet();
/** The renewal would be the next that learns of it otherwise: far behind the end of the test. */
const CALM = { lease: 120_000, leaseRenewal: 60_000 };

describe.skipIf(STORE === 'google')('a silent agent, cancelled through another process', () => {
  test.each(['embedded', 'firestore'] as const)('is told (%s)', async (store) => {
    const data = await fleet.folder();
    const effects = join(data, 'effects');
    if (store === 'firestore') await useFirestoreEmulator();
    const where = store === 'firestore' ? ['--store', store, '--project', randomProject()] : [];
    const options = {
      data,
      settings: CALM,
      args: ['--agents', 'test/fixtures/agents/silent.ts', ...where],
      env: { HOLDFAST_E2E_EFFECTS: effects },
    };
    const worker = await fleet.start(options);
    // A second process over the same rows: it has no part in the run.
    const other = await fleet.start({ ...options });
    const lines = async () => (await readFile(effects, 'utf8').catch(() => '')).split('\n');
    const sent = await request(worker, 'POST', '/message:send', {
      ...say('go'),
      configuration: { returnImmediately: true },
    });
    const { id } = (sent.body as { task: { id: string } }).task;
    await eventually(lines, (written) => written.length > 30);
    const cancelled = await request(other, 'POST', `/tasks/${id}:cancel`, {});
    expect(cancelled.body).toMatchObject({ status: { state: 'TASK_STATE_CANCELED' } });
    const atCancel = (await lines()).length;
    await eventually(lines, (written) => written.includes('stopped: cancelled'));
    // A second is twenty lines; twice that for a busy machine, where a renewal would be 1,200.
    expect((await lines()).length - atCancel).toBeLessThan(40);
  });
});
