import type { Frame, StreamRequest } from '../../shared/app/service.ts';
import type { Principal } from '../../shared/domain/ids.ts';
import { isRefused } from '../../shared/domain/refusal.ts';
import { operation, operations } from './operation.ts';
import type { Process } from './process.ts';
import type { Connection } from './record.ts';
import type { World } from './world.ts';

/**
 * Follows a task to its end and resumes behind the last event after every break, as an SSE client
 * does.
 */
export async function followTask(
  world: World,
  principal: Principal,
  taskId: string,
  request: StreamRequest,
  signal: AbortSignal,
): Promise<void> {
  let { afterSeq } = request;
  while (!signal.aborted) {
    const process = world.anyProcess();
    if (process !== undefined) {
      const again = afterSeq === undefined ? request : { until: 'terminal' as const, afterSeq };
      const ended = await connect(world, process, principal, taskId, again, signal);
      if (ended === 'over') return;
      afterSeq = ended ?? afterSeq;
    }
    await world.clock.sleep(30 + world.chance.random() * 60, signal);
  }
}

/**
 * One connection. Answers `over` when nothing more will come, else the place of the last event, if
 * there was one.
 */
async function connect(
  world: World,
  process: Process,
  principal: Principal,
  taskId: string,
  request: StreamRequest,
  signal: AbortSignal,
): Promise<'over' | number | undefined> {
  const connection: Connection = { taskId, afterSeq: request.afterSeq, frames: [], ended: false };
  try {
    const stream = await process.serve('stream', (service) =>
      service.stream(principal, taskId, request, signal),
    );
    if (stream === 'lost') return undefined;
    if (isRefused(stream)) return stream.code === 'TASK_TERMINAL' ? 'over' : undefined;
    world.record.connections.push(connection);
    const done = await drain(process, stream, connection.frames);
    // A client that hangs up ends its stream, too; that says nothing about the server.
    connection.ended = done && !signal.aborted;
    if (done) return 'over';
  } catch (error) {
    world.network.trace(`   client: stream broke: ${String(error)}`);
  }
  return connection.frames.at(-1)?.seq;
}

/** True when the server ended the stream, false when it died over it. */
async function drain(
  process: Process,
  stream: AsyncIterable<Frame>,
  frames: Frame[],
): Promise<boolean> {
  const iterator = stream[Symbol.asyncIterator]();
  const from = operation('client', 'stream', process.id);
  for (;;) {
    const step = operations.run(from, () => iterator.next());
    const next = await Promise.race([step, process.died]);
    if (next === 'lost') return false;
    if (next.done) return true;
    frames.push(next.value);
  }
}
