import { lookup as systemLookup } from 'node:dns/promises';
import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type AllowPrivate, hostOf, objectionTo } from './address-guard.ts';
import type { CallDeadline } from './call-deadline.ts';

export interface Address {
  readonly address: string;
  readonly family: number;
}

/** How names become addresses. */
export type Resolve = (host: string) => Promise<readonly Address[]>;

export const resolveBySystem: Resolve = (host) => systemLookup(host, { all: true });

export interface ConnectOptions {
  readonly allowPrivate: AllowPrivate;
  readonly resolve: Resolve;
  /** The only trusted authorities; the system's unless given. */
  readonly ca?: string;
}

export type Connection =
  | { readonly kind: 'open'; readonly socket: Socket }
  | { readonly kind: 'failed'; readonly reason: string };

const failed = (reason: string): Connection => ({ kind: 'failed', reason });

/**
 * A fresh connection, ready for its first byte (after TLS), or why there is none: until here
 * nothing of a request has left. The name is resolved once, every address of it is checked, and
 * only those addresses are connected to: a name that answers otherwise the second time changes
 * nothing.
 */
export async function connect(
  url: URL,
  { allowPrivate, resolve, ca }: ConnectOptions,
  deadline: CallDeadline,
): Promise<Connection> {
  const host = hostOf(url);
  const addresses = await addressesOf(host, resolve, deadline);
  if (deadline.signal.aborted) return failed(deadline.why());
  if (addresses.length === 0) return failed('dns');
  for (const { address } of addresses) {
    const objection = objectionTo(url, address, allowPrivate);
    if (objection !== undefined) return failed(objection);
  }
  const secure = url.protocol === 'https:';
  const socket = open(url, host, addresses, secure, ca);
  return opened(socket, secure, deadline);
}

async function addressesOf(
  host: string,
  resolve: Resolve,
  { signal }: CallDeadline,
): Promise<readonly Address[]> {
  const family = isIP(host);
  if (family !== 0) return [{ address: host, family }];
  return new Promise((done) => {
    const none = () => done([]);
    signal.addEventListener('abort', none, { once: true });
    resolve(host).then(done, none);
  });
}

function open(
  url: URL,
  host: string,
  addresses: readonly Address[],
  secure: boolean,
  ca: string | undefined,
): Socket {
  const target = {
    host,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    lookup: pinned(addresses),
  };
  if (!secure) return connectTcp(target);
  return connectTls({
    ...target,
    ALPNProtocols: ['http/1.1'],
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
  });
}

type Pinned = (
  host: string,
  options: { readonly all?: boolean | undefined },
  callback: (
    error: null,
    address: string | { address: string; family: number }[],
    f?: number,
  ) => void,
) => void;

/** Answers every look-up of the socket with what has been checked. */
function pinned(addresses: readonly Address[]): Pinned {
  return (_host, { all }, callback) => {
    const [first] = addresses;
    if (all === true || first === undefined)
      callback(
        null,
        addresses.map((each) => ({ ...each })),
      );
    else callback(null, first.address, first.family);
  };
}

function opened(socket: Socket, secure: boolean, deadline: CallDeadline): Promise<Connection> {
  const { signal } = deadline;
  return new Promise((resolve) => {
    let connected = false;
    const end = (connection: Connection) => {
      signal.removeEventListener('abort', late);
      if (connection.kind === 'failed') socket.destroy();
      resolve(connection);
    };
    const late = () => end(failed(deadline.why()));
    signal.addEventListener('abort', late, { once: true });
    socket.once('connect', () => {
      connected = true;
      if (!secure) end({ kind: 'open', socket });
    });
    socket.once('secureConnect', () => end({ kind: 'open', socket }));
    // Stays: a socket without a listener for its errors is a fault of the process.
    socket.on('error', (error) => {
      end(failed(connected && secure ? 'tls' : connectFailure(error)));
    });
    socket.once('close', () => end(failed(connected && secure ? 'tls' : 'connection failed')));
  });
}

function connectFailure(error: Error): string {
  return 'code' in error && error.code === 'ECONNREFUSED'
    ? 'connection refused'
    : 'connection failed';
}
