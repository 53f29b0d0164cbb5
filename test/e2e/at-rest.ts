import { expect } from 'vitest';
import type { Blobs } from '../../shared/ports/blobs.ts';
import { Client } from './client.ts';
import { eventually } from './eventually.ts';
import { isSettled, type Session } from './load.ts';
import type { Oracle } from './oracle.ts';
import { isTerminal, stateOf } from './wire.ts';

interface AfterLoad {
  readonly server: { readonly url: string };
  readonly blobs: Blobs;
  readonly sessions: readonly Session[];
  readonly oracle: Oracle;
  /** Stands before each complaint. */
  readonly hint: string;
}

/**
 * After a load with faults, once its sessions are done: every task ends, no context is held,
 * nothing contradicts itself.
 */
export async function atRest({ server, blobs, sessions, oracle, hint }: AfterLoad): Promise<void> {
  const client = new Client(server, oracle);
  const faults = (): readonly string[] => [
    ...sessions.flatMap((session) => session.faults),
    ...oracle.contradictions(),
  ];
  expect(faults(), hint).toEqual([]);
  for (const id of oracle.tasks()) {
    // No task stays open for ever, also those that no run waits for any more.
    const task = await client.until(id, isSettled, 30_000);
    expect(isTerminal(stateOf(task)), `${hint}: ${id} is ${stateOf(task)}`).toBe(true);
  }
  for (const { contextId, sent } of sessions) {
    expect((await client.list({ contextId, pageSize: 1 })).totalSize, hint).toBe(sent);
    expect(stateOf(await client.send('steps=1', { contextId }))).toBe('COMPLETED');
  }
  await archived(client, blobs, hint);
  expect(faults(), hint).toEqual([]);
}

/**
 * Each task at rest is in the archive as Get answers it, also when its worker died between the end
 * and the archive (G20).
 */
async function archived(client: Client, blobs: Blobs, hint: string): Promise<void> {
  for (const id of client.oracle.tasks()) {
    const task = await client.get(id);
    const name = `contexts/${task.contextId}/${id}/task.json`;
    const read = async (): Promise<unknown> => {
      const object = await blobs.get(name);
      return object && JSON.parse(Buffer.from(object.body).toString('utf8'));
    };
    // Not expect.poll, which keeps what it compared until the test ends: gigabytes in a soak.
    await eventually(read, task, 10_000).catch((cause: unknown) => {
      throw new Error(`${hint}: ${name}`, { cause });
    });
  }
}
