import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Remote } from '../../shared/domain/remote.ts';
import type { RemoteAgents } from '../../shared/ports/remote-agents.ts';
import { Peer, type PeerOptions } from '../../testing/peer.ts';
import { outgoing } from '../fixtures/remotes/remote.ts';

export interface OpenedRemote {
  readonly agents: RemoteAgents;
  readonly remote: Remote;
  /** Nothing can be sent to it any more, or again. */
  reach(reachable: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Any way to remote agents: the same peer, the same outcomes. */
export function remoteAgentsSuite(name: string, open: (peer: Peer) => Promise<OpenedRemote>): void {
  describe(`${name}: remote agents`, () => {
    let peer: Peer;
    let agents: RemoteAgents;
    let remote: Remote;
    let opened: OpenedRemote;
    beforeAll(async () => {
      peer = new Peer();
      opened = await open(peer);
      ({ agents, remote } = opened);
    });
    afterAll(() => opened.close());

    const acknowledged = async () => {
      const message = outgoing();
      const outcome = await agents.send(remote, message);
      if (outcome.kind !== 'acknowledged') throw new Error(`it was ${outcome.kind}`);
      return { message, task: outcome.task, operation: outcome.task.ref };
    };
    const otherPeer = async <T>(
      options: PeerOptions,
      use: (peer: Peer, opened: OpenedRemote) => Promise<T>,
    ): Promise<T> => {
      const other = new Peer(options);
      const reached = await open(other);
      try {
        return await use(other, reached);
      } finally {
        await reached.close();
      }
    };

    test('a message that is taken is a task in our context, begun once', async () => {
      const { message, task } = await acknowledged();
      const [begun] = peer.list(message.contextId);
      expect(task.ref).toEqual({ taskId: begun?.taskId, contextId: message.contextId });
      expect(task.state).toBe('WORKING');
      expect(task.artifacts).toEqual([]);
      expect(task.bytes).toBeGreaterThan(0);
      expect(begun?.messageId).toBe(message.messageId);
      expect(begun?.parts).toEqual(message.parts);
      expect(peer.sends.get(message.messageId)).toBe(1);
    });

    test('all kinds of parts arrive as they were sent', async () => {
      const parts = [
        { text: 'Grüße 🙂', mediaType: 'text/plain' },
        { data: { a: [1, null, 'x'] }, metadata: { of: 'ours' } },
        { url: 'https://files.example/a.pdf', filename: 'a.pdf' },
      ];
      const message = outgoing({ parts });
      expect(await agents.send(remote, message)).toMatchObject({ kind: 'acknowledged' });
      expect(peer.list(message.contextId)[0]?.parts).toEqual(parts);
    });

    test('an answer of words only is no task', async () => {
      peer.script('send', { kind: 'reply', text: 'At once: 42.' });
      const outcome = await agents.send(remote, outgoing());
      expect(outcome).toMatchObject({
        kind: 'replied',
        message: { role: 'agent', parts: [{ text: 'At once: 42.' }] },
      });
    });

    test.each([-32602, -32004])('an answer of %i is a refusal, and nothing began', async (code) => {
      peer.script('send', { kind: 'error', code });
      const message = outgoing();
      const outcome = await agents.send(remote, message);
      expect(outcome).toEqual({ kind: 'refused', reason: `a2a ${code}`, code });
      expect(peer.list(message.contextId)).toEqual([]);
    });

    test('too many requests is a refusal that says how long to wait', async () => {
      peer.script('send', { kind: 'error', code: 429, retryAfterSeconds: 7 });
      expect(await agents.send(remote, outgoing())).toEqual({
        kind: 'refused',
        reason: 'http 429',
        code: 429,
        retryAfter: 7_000,
      });
    });

    test.each([500, 502, 503, 504, 408, 409])(
      'after an answer of %i it is not known what became of the message',
      async (code) => {
        peer.script('send', { kind: 'error', code });
        expect(await agents.send(remote, outgoing())).toEqual({
          kind: 'outcome_unknown',
          reason: `http ${code}`,
          code,
        });
      },
    );

    test.each(['before', 'after'] as const)(
      'an answer that is lost %s the message took effect leaves it unknown',
      async (when) => {
        peer.script('send', { kind: 'drop', when });
        const message = outgoing();
        const outcome = await agents.send(remote, message);
        expect(outcome).toEqual({ kind: 'outcome_unknown', reason: 'no answer' });
        expect(peer.list(message.contextId)).toHaveLength(when === 'before' ? 0 : 1);
      },
    );

    test.each(['malformed', 'other context'] as const)(
      'an answer that is %s leaves it unknown, though there is a task',
      async (kind) => {
        peer.script('send', { kind });
        const message = outgoing();
        const outcome = await agents.send(remote, message);
        expect(outcome).toEqual({ kind: 'outcome_unknown', reason: kind });
        expect(peer.sends.get(message.messageId)).toBe(1);
      },
    );

    test('who gives up while a message is on its way does not know what became of it', async () => {
      const latch = Promise.withResolvers<void>();
      peer.script('send', { kind: 'hold', when: 'after', until: latch.promise });
      const message = outgoing();
      const controller = new AbortController();
      const sending = agents.send(remote, message, controller.signal);
      await expect.poll(() => peer.sends.get(message.messageId)).toBe(1);
      controller.abort();
      expect(await sending).toEqual({ kind: 'outcome_unknown', reason: 'aborted' });
      latch.resolve();
    });

    test('who gave up before has sent nothing', async () => {
      const message = outgoing();
      const outcome = await agents.send(remote, message, AbortSignal.abort());
      expect(outcome).toEqual({ kind: 'not_sent', reason: 'aborted' });
      expect(peer.sends.has(message.messageId)).toBe(false);
    });

    test('to a remote that can not be reached nothing is sent, and it can be sent later', async () => {
      const { operation: remoteTask } = await acknowledged();
      await opened.reach(false);
      const message = outgoing();
      const refused = { reason: 'connection refused' };
      expect(await agents.send(remote, message)).toEqual({ kind: 'not_sent', ...refused });
      expect(await agents.poll(remote, remoteTask)).toEqual({ kind: 'failed', ...refused });
      expect(await agents.cancel(remote, remoteTask)).toEqual({ kind: 'not_sent', ...refused });
      expect(await agents.find(remote, message.contextId)).toBeUndefined();
      await opened.reach(true);
      expect(await agents.send(remote, message)).toMatchObject({ kind: 'acknowledged' });
      expect(peer.sends.get(message.messageId)).toBe(1);
      expect(peer.cancels.has(remoteTask.taskId)).toBe(false);
    });

    test('a message that is doubled on the way begins one task where ids are kept, else two', async () => {
      for (const dedupe of [true, false]) {
        await otherPeer({ dedupe }, async (other, reached) => {
          other.script('send', { kind: 'twice' });
          const message = outgoing();
          const outcome = await reached.agents.send(reached.remote, message);
          expect(outcome.kind).toBe('acknowledged');
          expect(other.sends.get(message.messageId)).toBe(2);
          const found = await reached.agents.find(reached.remote, message.contextId);
          expect(found).toHaveLength(dedupe ? 1 : 2);
        });
      }
    });

    test('a look shows the task as it is now', async () => {
      const { operation: remoteTask } = await acknowledged();
      expect(await agents.poll(remote, remoteTask)).toMatchObject({
        kind: 'task',
        task: { ref: remoteTask, state: 'WORKING', artifacts: [] },
      });
      peer.settle(remoteTask.taskId, 'COMPLETED', 'It is done.');
      expect(await agents.poll(remote, remoteTask)).toMatchObject({
        kind: 'task',
        task: {
          ref: remoteTask,
          state: 'COMPLETED',
          message: { role: 'agent', parts: [{ text: 'It is done.' }] },
          artifacts: [{ artifactId: 'answer', parts: [{ text: 'It is done.' }] }],
        },
      });
    });

    test('a state that we do not know is told as such', async () => {
      const { operation: remoteTask } = await acknowledged();
      peer.settle(remoteTask.taskId, 'PAUSED');
      const outcome = await agents.poll(remote, remoteTask);
      expect(outcome).toMatchObject({ kind: 'task', task: { state: 'UNKNOWN' } });
    });

    test('a task that the remote does not know is gone', async () => {
      const operation = { taskId: 'never-there', contextId: 'c' };
      expect(await agents.poll(remote, operation)).toEqual({ kind: 'gone' });
    });

    test('an answer that is no task, or of another context, can not be used', async () => {
      const { operation: remoteTask } = await acknowledged();
      peer.script('look', { kind: 'malformed' }, { kind: 'other context' });
      expect(await agents.poll(remote, remoteTask)).toEqual({
        kind: 'unusable',
        reason: 'malformed',
      });
      expect(await agents.poll(remote, remoteTask)).toEqual({
        kind: 'unusable',
        reason: 'other context',
      });
    });

    test('a look that fails says nothing about the task', async () => {
      const { operation: remoteTask } = await acknowledged();
      peer.script(
        'look',
        { kind: 'error', code: 503, retryAfterSeconds: 20 },
        { kind: 'error', code: 429, retryAfterSeconds: 3 },
        { kind: 'drop', when: 'after' },
        { kind: 'error', code: 404 },
      );
      const failed = [
        { kind: 'failed', reason: 'http 503', code: 503, retryAfter: 20_000 },
        { kind: 'failed', reason: 'http 429', code: 429, retryAfter: 3_000 },
        { kind: 'failed', reason: 'no answer' },
        { kind: 'failed', reason: 'http 404', code: 404 },
      ];
      for (const each of failed) expect(await agents.poll(remote, remoteTask)).toEqual(each);
      expect(await agents.poll(remote, remoteTask)).toMatchObject({ kind: 'task' });
    });

    test('a lost answer is found again by its context', async () => {
      peer.script('send', { kind: 'drop', when: 'after' });
      const message = outgoing();
      await agents.send(remote, message);
      const [begun] = peer.list(message.contextId);
      expect(await agents.find(remote, message.contextId)).toEqual([
        { taskId: begun?.taskId, contextId: message.contextId },
      ]);
      expect(await agents.find(remote, 'nothing-here')).toEqual([]);
      expect(peer.sends.get(message.messageId)).toBe(1);
    });

    test('a remote that can not list says nothing, which is not the same as no task', async () => {
      await otherPeer({ canList: false }, async (_, reached) => {
        expect(await reached.agents.find(reached.remote, 'c')).toBeUndefined();
      });
      peer.script('find', { kind: 'error', code: 500 });
      expect(await agents.find(remote, 'c')).toBeUndefined();
    });

    test('a task is cancelled by one call', async () => {
      const { operation: remoteTask } = await acknowledged();
      expect(await agents.cancel(remote, remoteTask)).toEqual({
        kind: 'answered',
        state: 'CANCELED',
      });
      expect(peer.cancels.get(remoteTask.taskId)).toBe(1);
    });

    test('a task that has ended, or is not known, can not be cancelled', async () => {
      const { operation: remoteTask } = await acknowledged();
      peer.settle(remoteTask.taskId, 'COMPLETED');
      const outcome = await agents.cancel(remote, remoteTask);
      expect(outcome).toEqual({ kind: 'refused', reason: 'a2a -32002', code: -32002 });
      const unknown = { taskId: 'never-there', contextId: 'c' };
      expect(await agents.cancel(remote, unknown)).toMatchObject({ kind: 'refused', code: -32001 });
    });

    test('a cancel whose answer is lost is unknown, and was asked once', async () => {
      const { operation: remoteTask } = await acknowledged();
      peer.script('cancel', { kind: 'drop', when: 'after' });
      const outcome = await agents.cancel(remote, remoteTask);
      expect(outcome).toEqual({ kind: 'outcome_unknown', reason: 'no answer' });
      expect(peer.cancels.get(remoteTask.taskId)).toBe(1);
    });

    test('what is taken late is taken: an answer that comes after a while is an answer', async () => {
      const latch = Promise.withResolvers<void>();
      peer.script('send', { kind: 'hold', when: 'before', until: latch.promise });
      const message = outgoing();
      const sending = agents.send(remote, message);
      latch.resolve();
      expect(await sending).toMatchObject({ kind: 'acknowledged' });
    });
  });
}
