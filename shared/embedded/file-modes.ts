import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

/**
 * Lets only its owner read the file, also after a copy or a command made it readable. True: others
 * could read it.
 */
export function closeToOthers(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined || process.platform === 'win32') return false;
  if ((found.mode & 0o077) === 0) return false;
  try {
    chmodSync(file, 0o600);
  } catch {
    // Another user's file, or a disk without modes: worth a warning, no reason to stop.
  }
  return true;
}

/**
 * For a file that another library makes with a mode of its own: there beforehand, for its owner
 * alone.
 */
export function makePrivate(file: string): void {
  closeSync(openSync(file, 'a', 0o600));
  closeToOthers(file);
}
