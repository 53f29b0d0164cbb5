import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import type { WirePart, WireTask } from './wire.ts';

export const KEEPER = 'test/fixtures/agents/e2e-approval.ts';

const asked = z.object({ pauseGeneration: z.number(), digest: z.string() });

/** A decision about what a task says that it waits for, as a part of a message. */
export function decisionOn(
  task: WireTask,
  kind: 'approve' | 'deny' | 'input',
  input?: unknown,
): WirePart {
  const parts = task.status.message?.parts ?? [];
  const found = parts.map(({ data }) => asked.safeParse(data)).find(({ success }) => success);
  if (found?.data === undefined) throw new Error(`${task.id} asks for no decision`);
  const { digest, pauseGeneration } = found.data;
  return { data: { kind, pauseGeneration, digest, ...(input !== undefined && { input }) } };
}

/** What the tools did: a line for each run of one. */
export async function effectsIn(file: string): Promise<readonly string[]> {
  const text = await readFile(file, 'utf8').catch(() => '');
  return text.split('\n').filter((line) => line !== '');
}
