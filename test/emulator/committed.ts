import { expect } from 'vitest';
import type { Backend, Write } from '../../shared/ports/backend.ts';
import { isFault } from '../../shared/ports/faults.ts';

/**
 * Writes rows that a test begins with. It tries again after a passing fault, as the store does: a
 * busy emulator may fail a commit, whether or not it has carried it out.
 */
export async function committed(
  backend: Backend,
  writes: readonly Write[],
  again = false,
): Promise<void> {
  const outcome = await backend.commit([], writes).catch((error: unknown) => {
    if (isFault(error) && error.advice === 'retry') return undefined;
    throw error;
  });
  if (outcome === undefined) return committed(backend, writes, true);
  if (!again) expect(outcome).not.toBe('conflict');
}
