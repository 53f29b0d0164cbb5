import { chmodSync, lstatSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** Removes a folder whatever lies in it, also where a folder's owner may not write. */
export function wipe(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true });
  } catch {
    unlock(folder);
    rmSync(folder, { recursive: true, force: true });
  }
}

function unlock(folder: string): void {
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return;
  chmodSync(folder, 0o700);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) unlock(join(folder, entry.name));
  }
}
