import { Unavailable } from '../ports/faults.ts';
import { answered, NoAnswer } from './answered.ts';
import { DEADLINE_EXCEEDED, grpcCodeOf } from './grpc-status.ts';

export interface Held<C> {
  readonly client: C;
  /** Aborts when another client has taken this one's place: whatever listens on it moves. */
  readonly replaced: AbortSignal;
}

/** The one client of a service in this process. */
export interface Connection<C> {
  /** Opens the client if need be. Throws Unavailable after `close`. */
  held(): Promise<Held<C>>;
  /**
   * The call's answer, or NoAnswer after `deadline` ms. A client that answered nothing at all
   * meanwhile is replaced, so the next call has a new connection: a connection can die without a
   * word (a frozen instance, a lost NAT entry), and gRPC would use it until TCP gives up, some 15
   * minutes later.
   */
  ask<T>(call: (client: C) => Promise<T>, deadline: number): Promise<T>;
  /**
   * The client is closed as soon as its calls are over. Throws NoAnswer if that takes longer than
   * `deadline` ms.
   */
  close(deadline: number): Promise<void>;
}

export interface ConnectionParts<C> {
  /** The service, for the fault. */
  readonly what: string;
  readonly open: () => Promise<C>;
  /** Asked once for each client, when no call on it is under way. */
  readonly close: (client: C) => Promise<unknown>;
}

interface Opened<C> extends Held<C> {
  readonly retire: () => void;
  /** Counts what the client heard from its service. */
  heard: number;
  /** Also those that their caller gave up: the client may be about to repeat them. */
  readonly underWay: Set<Promise<unknown>>;
}

export function createConnection<C>({ what, open, close }: ConnectionParts<C>): Connection<C> {
  let opening: Promise<Opened<C>> | undefined;
  let closed = false;

  async function openAnew(): Promise<Opened<C>> {
    const client = await open();
    const replacing = new AbortController();
    const retire = () => replacing.abort();
    return { client, replaced: replacing.signal, retire, heard: 0, underWay: new Set() };
  }

  async function present(): Promise<Opened<C>> {
    if (closed) throw new Unavailable(`${what}, whose client is closed,`);
    opening ??= openAnew();
    return opening;
  }

  async function replace(dead: Opened<C>): Promise<void> {
    if (closed || dead.replaced.aborted) return;
    opening = undefined;
    dead.retire();
    // Nothing waits for it.
    await end(dead).catch(() => undefined);
  }

  /** Closes a client when its calls are over; they end by their own deadlines. */
  async function end({ client, underWay }: Opened<C>): Promise<void> {
    await Promise.allSettled(underWay);
    await close(client);
  }

  function begin<T>({ client, underWay }: Opened<C>, call: (client: C) => Promise<T>): Promise<T> {
    const work = call(client);
    underWay.add(work);
    const over = (): void => void underWay.delete(work);
    work.then(over, over);
    return work;
  }

  return {
    held: present,
    async ask(call, deadline) {
      // The time that the client takes to load is not the service's.
      let opened = await present();
      // One that was replaced meanwhile may be terminated already.
      while (opened.replaced.aborted) opened = await present();
      const before = opened.heard;
      try {
        const answer = await answered(what, begin(opened, call), deadline);
        opened.heard += 1;
        return answer;
      } catch (error) {
        const silent = error instanceof NoAnswer || grpcCodeOf(error) === DEADLINE_EXCEEDED;
        if (!silent) opened.heard += 1;
        else if (opened.heard === before) void replace(opened);
        throw error;
      }
    },
    async close(deadline) {
      closed = true;
      const opened = await opening?.catch(() => undefined);
      if (opened === undefined) return;
      opened.retire();
      await answered(what, end(opened), deadline);
    },
  };
}
