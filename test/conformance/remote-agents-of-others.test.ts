import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Remote } from '../../shared/domain/remote.ts';
import { startInProcess } from '../e2e/in-process.ts';
import { cardOf } from '../fixtures/remotes/peer-server.ts';
import { outgoing, remoteAt } from '../fixtures/remotes/remote.ts';
import { adapter } from '../fixtures/remotes/scripted-remote.ts';
import { startSdkServer } from '../fixtures/remotes/sdk-server.ts';
import { json, startWebServer } from '../fixtures/remotes/web-server.ts';

interface Other {
  readonly remote: Remote;
  /** What its agent takes for work that waits, and for something to answer at once. */
  readonly work: string;
  readonly ping: string;
  readonly lists: boolean;
  readonly finish: () => void;
  readonly close: () => Promise<void>;
}

function othersSuite(name: string, open: () => Promise<Other>): void {
  describe(name, () => {
    const { agents } = adapter({ allowPrivate: ['127.0.0.1', 'peer=127.0.0.1'] });
    let other: Other;
    beforeAll(async () => {
      other = await open();
    });
    afterAll(() => other.close());

    const begin = async (text = other.work) => {
      const message = outgoing({ parts: [{ text }] });
      const outcome = await agents.send(other.remote, message);
      if (outcome.kind !== 'acknowledged') throw new Error(JSON.stringify(outcome));
      return { contextId: message.contextId, ...outcome.task };
    };

    test('begins a task in our context, which is found, looked at and completed', async () => {
      const { contextId, ref: remoteTask, state } = await begin();
      expect(['SUBMITTED', 'WORKING']).toContain(state);
      const found = await agents.find(other.remote, contextId);
      expect(found).toEqual(other.lists ? [remoteTask] : undefined);
      expect((await agents.poll(other.remote, remoteTask)).kind).toBe('task');
      other.finish();
      await expect
        .poll(() => agents.poll(other.remote, remoteTask), { timeout: 10_000 })
        .toMatchObject({ kind: 'task', task: { state: 'COMPLETED' } });
      const cancel = await agents.cancel(other.remote, remoteTask);
      expect(cancel).toMatchObject({ kind: 'refused', code: -32002 });
    });

    test('cancels a task', async () => {
      const { ref: remoteTask } = await begin();
      const canceled = await agents.cancel(other.remote, remoteTask);
      expect(canceled).toEqual({ kind: 'answered', state: 'CANCELED' });
      expect(await agents.poll(other.remote, remoteTask)).toMatchObject({
        kind: 'task',
        task: { state: 'CANCELED' },
      });
    });

    test('answers with a message', async () => {
      const message = outgoing({ parts: [{ text: other.ping }] });
      expect(await agents.send(other.remote, message)).toMatchObject({
        kind: 'replied',
        message: { role: 'agent', parts: [{ text: 'pong' }] },
      });
    });

    test('does not know a task that never was', async () => {
      const operation = { taskId: '0e0c1b0a-0000-4000-8000-000000000000', contextId: 'c' };
      expect(await agents.poll(other.remote, operation)).toEqual({ kind: 'gone' });
      const cancel = await agents.cancel(other.remote, operation);
      expect(cancel).toMatchObject({ kind: 'refused', code: -32001 });
    });

    test('refuses what is no message', async () => {
      const outcome = await agents.send(other.remote, outgoing({ messageId: '' }));
      expect(outcome).toMatchObject({ kind: 'refused', code: -32602 });
    });
  });
}

for (const binding of ['JSONRPC', 'HTTP+JSON'] as const) {
  for (const version of ['1.0', '0.3'] as const) {
    othersSuite(`a server of the official SDK, ${binding}, v${version}`, async () => {
      const { card, finish, close } = await startSdkServer(binding, version);
      const lists = version === '1.0';
      return { remote: remoteAt(card), work: 'work', ping: 'ping', lists, finish, close };
    });

    othersSuite(`another Holdfast, ${binding}, v${version}`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'holdfast-'));
      const holdfast = await startInProcess({ folder, v03: version === '0.3' });
      // Its own card names both bindings and versions; this one only what is to be tested.
      const own = await (await fetch(`${holdfast.url}/.well-known/agent-card.json`)).json();
      const { url } = own.supportedInterfaces.find(
        (each: { protocolBinding: string }) => each.protocolBinding === binding,
      );
      const cards = await startWebServer((_, response) =>
        json(response, cardOf(url, binding, { version })),
      );
      return {
        remote: remoteAt(`${cards.url}/card`),
        work: 'steps=3 delay=100',
        ping: 'ping',
        lists: version === '1.0',
        finish: () => undefined,
        async close() {
          await cards.close();
          await holdfast.close();
          await rm(folder, { recursive: true });
        },
      };
    });
  }
}

test('a Holdfast is a remote by its own card', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'holdfast-'));
  const holdfast = await startInProcess({ folder });
  try {
    const remote = remoteAt(`${holdfast.url}/.well-known/agent-card.json`);
    const outcome = await adapter({ allowPrivate: ['127.0.0.1', 'peer=127.0.0.1'] }).agents.send(
      remote,
      outgoing(),
    );
    expect(outcome.kind).toBe('acknowledged');
  } finally {
    await holdfast.close();
    await rm(folder, { recursive: true });
  }
});
