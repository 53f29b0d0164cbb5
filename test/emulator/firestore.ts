import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';

/**
 * The run's Firestore emulator, started by the first who asks; FIRESTORE_EMULATOR_HOST is set for
 * this process and those it starts. Fails with a message that says how to get an emulator where
 * there is none.
 */
export async function useFirestoreEmulator(): Promise<string> {
  const answer = await fetch(inject('emulatorDesk'));
  const text = await answer.text();
  if (!answer.ok) throw new Error(text);
  process.env['FIRESTORE_EMULATOR_HOST'] = text;
  return text;
}

/** The emulator keeps projects apart, so what a test file leaves behind disturbs no other. */
export function randomProject(): string {
  return `holdfast-${randomUUID().slice(0, 18)}`;
}
