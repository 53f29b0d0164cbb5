import { Session } from 'node:inspector/promises';
import type { Millis } from '../domain/brand.ts';
import type { Clock } from '../ports/clock.ts';
import type { Report } from './forked-agent.ts';

/** Code that can't be stopped in that time is native. */
const PATIENCE: Millis = 2_000;

type Seen = Pick<Report, 'run' | 'stack'>;

/**
 * Stops the main thread of this process where it is, and says where, and which run its code belongs
 * to. It does not go on: the process is about to end. Nothing is seen of native code.
 */
export async function lookAtMain(clock: Clock, atWork: string): Promise<Seen> {
  const nothing = clock.sleep(PATIENCE).then((): Seen => ({ stack: [] }));
  return Promise.race([stopped(atWork).catch((): Seen => ({ stack: [] })), nothing]);
}

async function stopped(atWork: string): Promise<Seen> {
  const session = new Session();
  session.connectToMainThread();
  const urls = new Map<string, string>();
  session.on('Debugger.scriptParsed', ({ params }) => urls.set(params.scriptId, params.url));
  const paused = new Promise<readonly string[]>((resolve) => {
    session.on('Debugger.paused', ({ params }) =>
      resolve(
        params.callFrames.map(({ functionName, location }) => {
          const { columnNumber = 0, lineNumber, scriptId } = location;
          const place = `${urls.get(scriptId) ?? ''}:${lineNumber + 1}:${columnNumber + 1}`;
          return `    at ${functionName === '' ? place : `${functionName} (${place})`}`;
        }),
      ),
    );
  });
  await session.post('Debugger.enable');
  await session.post('Debugger.pause');
  const stack = await paused;
  const expression = `globalThis[Symbol.for(${JSON.stringify(atWork)})]()`;
  const { result } = await session.post('Runtime.evaluate', { expression, returnByValue: true });
  const run: unknown = result.value;
  return { stack, ...(typeof run === 'number' && { run }) };
}
