/**
 * Loaded into each function of the rehearsal before the framework (`node --import`). The framework
 * listens on every address, which is right in a container and not on a desk: here it is the
 * loopback, or what --host says. And no function outlives the rehearsal, also when that is killed:
 * its end of this pipe closes with it.
 */
import { Server } from 'node:net';

const host = process.env['HOLDFAST_HOST'] ?? '127.0.0.1';
// oxlint-disable-next-line typescript/unbound-method -- called below, with the server that it is asked of
const { listen } = Server.prototype;

Object.defineProperty(Server.prototype, 'listen', {
  value(this: Server, port: number | string, listening: () => void): Server {
    return listen.call(this, { port: Number(port), host }, listening);
  },
});

// What a function starts itself, the process of an agent, ends with that function.
if (!process.connected) process.stdin.on('close', () => process.exit(1)).resume();
