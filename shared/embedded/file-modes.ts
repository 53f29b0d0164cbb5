import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/** Nobody but its owner may read the file; what a copy or a hand made readable is closed again. True: it was open to others. */
export function closeToOthers(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || process.platform === 'win32') return false;
  if ((found.mode & 0o077) === 0) return false;
  try {
    chmodSync(file, 0o600);
  } catch {
    // Another user's file, or a disk without modes: to be said, and no reason to stand still.
  }
  return true;
}

/** For a file that another library makes with a mode of its own: there beforehand, for its owner alone. */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  closeToOthers(file);
}
