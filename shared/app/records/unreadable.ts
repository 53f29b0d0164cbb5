import { Unreadable } from '../../ports/faults.ts';

/** What can be opened; undefined for what nobody can open any more. Throws Unavailable. */
export async function undefinedIfUnreadable<T>(open: () => T | Promise<T>): Promise<T | undefined> {
  try {
    return await open();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}
