import {
  Client,
  type JsonSchemaValidator,
  type jsonSchemaValidator,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import type { ServerCommand, ServerUrl, ToolServer } from '../domain/tool-server.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import { type AllowPrivate, allowedFor } from '../outgoing/address-guard.ts';
import type { Resolve } from '../outgoing/connect.ts';
import { authorization, credentialOf, missingWords, type Secrets } from '../remote/credential.ts';
import { ChildTransport } from './child-transport.ts';
import { ServerAway } from './server-away.ts';
import { guardedFetch } from './guarded-fetch.ts';

export interface ConnectionOptions {
  readonly secrets: Secrets;
  /** Hosts that may have private addresses, and speak plain http. */
  readonly allowPrivate: AllowPrivate;
  readonly resolve: Resolve;
  /** The only trusted authorities; the system's unless given. */
  readonly ca?: string;
  /** Where a child finds PATH and HOME. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly log: Log;
}

/** A client that is connected to a server. */
export interface Connection {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

/** How long a server may take until it can be asked. A child may have to be installed first. */
export const START = 30_000;
/** The client's own timer must not ring before ours. */
export const LONGEST = 2 ** 31 - 1;
/** How long a stream that broke is waited for before it is read on. */
const RECONNECT = { initialReconnectionDelay: 1_000, maxReconnectionDelay: 10_000 };

/** What a tool answers is for the model to judge; a call that ran does not fail by its form. */
const unchecked: jsonSchemaValidator = {
  getValidator<T>(): JsonSchemaValidator<T> {
    // As the client's own validators say of what fits.
    return (data) => ({ valid: true, data: data as T, errorMessage: undefined });
  },
};

/** Rejects when there is no connection; nothing of a call has left by then. */
export async function openConnection(
  server: ToolServer,
  options: ConnectionOptions,
  signal: AbortSignal,
  onGone: (how: string) => void,
  onChange: () => void,
): Promise<Connection> {
  const { at } = server;
  const client = new Client(
    { name: 'holdfast', version: '1' },
    {
      jsonSchemaValidator: unchecked,
      ...(at.kind === 'url' && { versionNegotiation: { mode: 'auto' } }),
    },
  );
  client.setNotificationHandler('notifications/tools/list_changed', onChange);
  const transport =
    at.kind === 'url'
      ? httpTransport(server, at, options)
      : await childTransport(server, at, options);
  // What a server says beside its answers is no fault of ours.
  client.onerror = () => undefined;
  client.onclose = () => onGone('ended' in transport ? (transport.ended ?? 'gone') : 'gone');
  try {
    await client.connect(transport, { signal, timeout: LONGEST });
  } catch (error) {
    const ended = 'ended' in transport ? transport.ended : undefined;
    await client.close().catch(() => undefined);
    await transport.close().catch(() => undefined);
    throw ended === undefined ? error : new ServerAway(ended);
  }
  return {
    client,
    async close() {
      if ('terminateSession' in transport)
        await transport.terminateSession().catch(() => undefined);
      await client.close();
    },
  };
}

function httpTransport(
  { answerBytes: bytes, name, timeout }: ToolServer,
  at: ServerUrl,
  options: ConnectionOptions,
): StreamableHTTPClientTransport {
  const declared = { card: at.url, name, ...(at.credential && { credential: at.credential }) };
  const { ca, clock, resolve, secrets } = options;
  return new StreamableHTTPClientTransport(new URL(at.url), {
    requestInit: { headers: { ...at.headers } },
    reconnectionOptions: { ...RECONNECT, reconnectionDelayGrowFactor: 2, maxRetries: 3 },
    reconnectionScheduler: (again, delay) => clock.after(delay, again),
    fetch: guardedFetch({
      clock,
      resolve,
      bytes,
      timeout: timeout + START,
      allowPrivate: allowedFor(declared, options.allowPrivate),
      ...(ca !== undefined && { ca }),
      // Read each time: a secret may have a new value.
      async headers(url) {
        const credential = await credentialOf(declared, secrets);
        if (credential.kind === 'missing') return missingWords(at.credential);
        return authorization(credential, url);
      },
    }),
  });
}

async function childTransport(
  { answerBytes: bytes, name }: ToolServer,
  { command, env, folder }: ServerCommand,
  { clock, environment, log, secrets }: ConnectionOptions,
): Promise<ChildTransport> {
  const given = await Promise.all(
    Object.entries(env).map(async ([variable, value]) => {
      if (typeof value === 'string') return [variable, value] as const;
      const secret = (await secrets(value.secret))?.trim() ?? '';
      if (secret === '') throw new ServerAway(missing(value.secret));
      return [variable, secret] as const;
    }),
  );
  return new ChildTransport({
    command,
    env: Object.fromEntries(given),
    environment,
    bytes,
    clock,
    ...(folder !== undefined && { folder }),
    onLine: (size) =>
      log.write('debug', 'tool server wrote beside its answers', { server: name, size }),
  });
}

const missing = (secret = ''): string => `the secret ${secret} is not set`;
