import type { RemoteTaskRef, Remote } from '../shared/domain/remote.ts';
import type {
  CallFailure,
  CancelOutcome,
  PollOutcome,
  Outgoing,
  RemoteAgents,
  RemoteTask,
  SendOutcome,
} from '../shared/ports/remote-agents.ts';
import { type Fault, Peer, type PeerTask } from './peer.ts';

/** No wire: what the caller knows of a call that came to nothing. */
type Nothing =
  | { readonly kind: 'not_sent'; readonly failure: CallFailure }
  | { readonly kind: 'lost'; readonly failure: CallFailure }
  | { readonly kind: 'error'; readonly failure: CallFailure & { readonly code: number } };

type Answered<T> = { readonly kind: 'answered'; readonly value: T } | Nothing;

/** Of a remote that no one plays. */
const AWAY = new Peer();
AWAY.reachable = false;

const lost = (reason: string): Nothing => ({ kind: 'lost', failure: { reason } });

/**
 * Remote agents without a network. Every outcome that the adapter has can be had here, by the
 * faults of the peer.
 */
export class MemoryRemoteAgents implements RemoteAgents {
  readonly #peers: Peer | ReadonlyMap<string, Peer>;

  /** One peer for all remotes, or one for each by its name. */
  constructor(peers: Peer | ReadonlyMap<string, Peer>) {
    this.#peers = peers;
  }

  async send(remote: Remote, outgoing: Outgoing, signal?: AbortSignal): Promise<SendOutcome> {
    const peer = this.#peerOf(remote);
    const fault = peer.fault('send');
    const { messageId, contextId, parts, push } = outgoing;
    const message = { messageId, contextId, parts, ...(push !== undefined && { push }) };
    const effect = () => peer.accept(message, fault);
    const came = await meet(peer, fault, effect, signal);
    if (came.kind === 'answered') {
      if (fault?.kind === 'reply') {
        const reply = {
          messageId: `re-${messageId}`,
          role: 'agent',
          parts: [{ text: fault.text }],
        };
        return { kind: 'replied', message: { ...reply, role: 'agent' }, bytes: sizeOf(reply) };
      }
      return { kind: 'acknowledged', task: taskOf(came.value) };
    }
    return unsettled(came);
  }

  async poll(
    remote: Remote,
    { taskId }: RemoteTaskRef,
    signal?: AbortSignal,
  ): Promise<PollOutcome> {
    const peer = this.#peerOf(remote);
    const fault = peer.fault('look');
    const came = await meet(peer, fault, () => peer.look(taskId), signal);
    if (came.kind === 'answered') {
      return came.value === undefined
        ? { kind: 'gone' }
        : { kind: 'task', task: taskOf(came.value) };
    }
    if (fault?.kind === 'malformed' || fault?.kind === 'other context') {
      return { kind: 'unusable', ...came.failure };
    }
    if (came.kind === 'error' && came.failure.code === -32001) return { kind: 'gone' };
    return { kind: 'failed', ...came.failure };
  }

  async find(
    remote: Remote,
    contextId: string,
    signal?: AbortSignal,
  ): Promise<readonly RemoteTaskRef[] | undefined> {
    const peer = this.#peerOf(remote);
    const came = await meet(peer, peer.fault('find'), () => peer.list(contextId), signal);
    if (came.kind !== 'answered' || !peer.canList) return undefined;
    return came.value.map(({ taskId }) => ({ taskId, contextId }));
  }

  async cancel(
    remote: Remote,
    { taskId }: RemoteTaskRef,
    signal?: AbortSignal,
  ): Promise<CancelOutcome> {
    const peer = this.#peerOf(remote);
    const fault = peer.fault('cancel');
    const came = await meet(peer, fault, () => peer.cancel(taskId, fault), signal);
    if (came.kind !== 'answered') return unsettled(came);
    if (typeof came.value !== 'number') {
      return { kind: 'answered', state: taskOf(came.value).state };
    }
    return { kind: 'refused', reason: `a2a ${came.value}`, code: came.value };
  }

  #peerOf({ name }: Remote): Peer {
    const peer = this.#peers instanceof Map ? this.#peers.get(name) : this.#peers;
    return (peer as Peer | undefined) ?? AWAY;
  }
}

async function meet<T>(
  peer: Peer,
  fault: Fault | undefined,
  effect: () => T,
  signal: AbortSignal | undefined,
): Promise<Answered<T>> {
  if (signal?.aborted) return { kind: 'not_sent', failure: { reason: 'aborted' } };
  if (!peer.reachable) return { kind: 'not_sent', failure: { reason: 'connection refused' } };
  switch (fault?.kind) {
    case 'drop':
      if (fault.when === 'after') effect();
      return lost('no answer');
    case 'hold': {
      const early = fault.when === 'after' ? { value: effect() } : undefined;
      if (!(await held(fault.until, signal))) return lost('aborted');
      return { kind: 'answered', value: early === undefined ? effect() : early.value };
    }
    case 'malformed':
      effect();
      return lost('malformed');
    case 'other context':
      effect();
      return lost('other context');
    case 'error': {
      const { code, retryAfterSeconds } = fault;
      const reason = code < 0 ? `a2a ${code}` : `http ${code}`;
      const wait = retryAfterSeconds === undefined ? {} : { retryAfter: retryAfterSeconds * 1_000 };
      return { kind: 'error', failure: { reason, code, ...wait } };
    }
    case 'twice':
    case 'reply':
    case undefined:
      return { kind: 'answered', value: effect() };
  }
}

/** False: the caller gave up first. */
async function held(until: Promise<unknown>, signal: AbortSignal | undefined): Promise<boolean> {
  const gaveUp = new Promise<false>((resolve) => {
    signal?.addEventListener('abort', () => resolve(false), { once: true });
  });
  return Promise.race([until.then(() => true), gaveUp]);
}

const UNCLEAR = new Set([-32603, -32006, 301, 302, 303, 408, 409]);

function unsettled(
  came: Nothing,
): { readonly kind: 'refused' | 'not_sent' | 'outcome_unknown' } & CallFailure {
  if (came.kind === 'not_sent') return { kind: 'not_sent', ...came.failure };
  if (came.kind === 'lost') return { kind: 'outcome_unknown', ...came.failure };
  const { code } = came.failure;
  const unclear = UNCLEAR.has(code) || code >= 500;
  return { kind: unclear ? 'outcome_unknown' : 'refused', ...came.failure };
}

function taskOf({ taskId, contextId, state, message, artifacts }: PeerTask): RemoteTask {
  return {
    ref: { taskId, contextId },
    state: state === 'PAUSED' ? 'UNKNOWN' : state,
    ...(message !== undefined && { message }),
    artifacts,
    bytes: sizeOf({ message, artifacts }),
  };
}

const sizeOf = (value: object): number => Buffer.byteLength(JSON.stringify(value));
