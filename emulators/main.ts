/**
 * Every emulator in one process, for `npm start -- --store google`: reads what to make from its
 * argument, prints one line of JSON that says where they are, and ends with its standard input.
 */
import { z } from 'zod';
import { startAllEmulators } from './all.ts';

const wanted = z
  .object({ bucket: z.string(), key: z.string(), queues: z.array(z.string()) })
  .parse(JSON.parse(process.argv[2] ?? '{}'));

const emulators = await startAllEmulators(wanted);
process.stdout.write(`${JSON.stringify(emulators.endpoints)}\n`);

const stop = (): void => void emulators.stop().finally(() => process.exit(0));
// The parent's end of this pipe closes with it, however it ends.
process.stdin.on('end', stop).resume();
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
