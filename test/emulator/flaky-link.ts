import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/**
 * A connection to an emulator that can go bad: what one can't ask of a database, and of a network
 * can.
 */
export interface FlakyLink {
  /** As FIRESTORE_EMULATOR_HOST wants it. */
  readonly host: string;
  /** From now on questions arrive, and answers do not. */
  loseAnswers(): void;
  /** The connections that are open swallow everything from now on, and never end; new ones work. */
  swallow(): void;
  /** Connections that were opened. */
  readonly opened: number;
  /** Ends each connection, and refuses new ones until `mend`. */
  cut(): void;
  mend(): void;
  close(): void;
}

export async function flakyLink(target: string): Promise<FlakyLink> {
  const [host = '', port = ''] = target.split(':');
  const sockets = new Set<Socket>();
  let down = false;
  let deaf = false;
  let opened = 0;
  const swallowed = new WeakSet<Socket>();

  const server = createServer((near) => {
    if (down) {
      near.destroy();
      return;
    }
    opened += 1;
    const far = connect(Number(port), host);
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        near.destroy();
        far.destroy();
      });
    }
    near.on('data', (chunk) => {
      if (!swallowed.has(near)) far.write(chunk);
    });
    far.on('data', (chunk) => {
      if (!deaf && !swallowed.has(near)) near.write(chunk);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');

  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    host: `127.0.0.1:${address.port}`,
    loseAnswers() {
      deaf = true;
    },
    swallow() {
      for (const socket of sockets) swallowed.add(socket);
    },
    get opened() {
      return opened;
    },
    cut() {
      down = true;
      drop();
    },
    mend() {
      down = false;
      deaf = false;
      drop();
    },
    close() {
      server.close();
      drop();
    },
  };
}
