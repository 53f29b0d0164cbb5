import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { defaults } from '../shared/domain/settings.ts';
import { systemIds } from '../shared/system/system-ids.ts';
import { MemoryBlobs } from '../testing/memory-blobs.ts';
import { VirtualClock } from '../testing/virtual-clock.ts';
import { openWorkspaces } from './open-workspaces.ts';

test('folders of processes that are gone are removed, and those of others stay', async () => {
  const scratch = mkdtempSync(join(tmpdir(), 'holdfast-'));
  onTestFinished(() => rmSync(scratch, { recursive: true }));
  // No process has so high a number, and the parent of this one lives.
  const gone = '4194304999';
  const others = String(process.ppid);
  for (const name of [gone, others, 'notes'])
    mkdirSync(join(scratch, name, 'folder'), { recursive: true });
  const workspaces = openWorkspaces({
    blobs: new MemoryBlobs(new VirtualClock()),
    ids: systemIds(),
    settings: defaults,
    scratch,
  });
  expect(existsSync(join(scratch, gone))).toBe(true);
  await workspaces.remove('contexts/c/r.git');
  expect(readdirSync(scratch).sort()).toEqual([others, String(process.pid), 'notes'].sort());
});
