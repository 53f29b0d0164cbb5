import { createServer } from 'node:http';
import { once } from 'node:events';
import type { TestProject } from 'vitest/node';
import { type Emulator, startEmulator } from '../../emulators/firestore/start.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** Where a test file asks for the emulator's address. */
    readonly emulatorDesk: string;
  }
}

/**
 * One emulator for the whole run, started when the first test file asks for it: a run of unit tests
 * alone starts no Java. The files run in processes of their own, so they ask here, where the run's
 * process owns the emulator.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  let starting: Promise<Emulator> | undefined;
  const desk = createServer((_request, response) => {
    starting ??= startEmulator();
    starting.then(
      ({ host }) => response.writeHead(200).end(host),
      (error: unknown) =>
        response.writeHead(503).end(error instanceof Error ? error.message : String(error)),
    );
  }).listen(0, '127.0.0.1');
  await once(desk, 'listening');
  desk.unref();
  const address = desk.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  project.provide('emulatorDesk', `http://127.0.0.1:${address.port}/`);
  return async () => {
    desk.close();
    const emulator = await starting?.catch(() => undefined);
    await emulator?.stop();
  };
}
