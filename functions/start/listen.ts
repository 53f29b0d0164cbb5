import type { AddressInfo, Server } from 'node:net';
import { BadConfiguration } from '../settings.ts';

/**
 * Answers where it listens. Throws BadConfiguration where it can't; `flag` is the option that names
 * the port.
 */
export function listen(server: Server, port: number, host: string, flag = 'port'): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      const words = `port ${port} can't be used (${error.code}); choose another with --${flag}`;
      reject(taken ? new BadConfiguration(words) : error);
    });
    server.listen(port, host, () => {
      const address = server.address() as AddressInfo;
      const name = address.family === 'IPv6' ? `[${address.address}]` : address.address;
      resolve(`http://${name}:${address.port}`);
    });
  });
}
