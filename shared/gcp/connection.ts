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
  close(deadline: number): Promise<void>;
}

export interface ConnectionParts<C> {
  /** The service, for the fault. */
  readonly what: string;
  readonly open: () => Promise<C>;
  readonly close: (client: C) => Promise<unknown>;
}

interface Opened<C> extends Held<C> {
  readonly retire: () => void;
  /** Counts what the client heard from its service. */
  heard: number;
}

export function createConnection<C>({ what, open, close }: ConnectionParts<C>): Connection<C> {
  let opening: Promise<Opened<C>> | undefined;
  let closed = false;

  async function openAnew(): Promise<Opened<C>> {
    const client = await open();
    const replacing = new AbortController();
    const retire = () => replacing.abort();
    return { client, replaced: replacing.signal, retire, heard: 0 };
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
    // Its calls fail by their own deadlines, and nothing waits for it.
    await close(dead.client).catch(() => undefined);
  }

  return {
    held: present,
    async ask(call, deadline) {
      // The time that the client takes to load is not the service's.
      const opened = await present();
      const before = opened.heard;
      try {
        const answer = await answered(what, call(opened.client), deadline);
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
      // Waits for the calls that are on their way.
      await answered(what, close(opened.client), deadline);
    },
  };
}
