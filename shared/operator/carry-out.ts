import type { DecidedDirectly } from '../app/decisions/decide-directly.ts';
import { runDoc } from '../app/records/documents.ts';
import { principalOfRun } from '../app/operators/seen-run.ts';
import { projectRun } from '../app/change/project-run.ts';
import { runSegment } from '../app/worker/run-segment.ts';
import type { Frame } from '../app/service.ts';
import { streamTask } from '../app/tasks/stream-task.ts';
import { isRefused } from '../domain/refusal.ts';
import type { Run } from '../domain/run.ts';
import { partToJson } from '../domain/stored-content.ts';
import type { Part } from '../domain/message.ts';
import type { Surroundings } from './operation.ts';
import type { Reply } from './reply.ts';
import { rowOf } from './run-row.ts';
import { runRow } from './run-schemas.ts';

/** How long, at most, the end of a stream waits for the collector of traces. */
const FLUSH = 2_000;

/**
 * Carries a decision out in this request, and shows what happens: the segment goes on to its end,
 * or lapses with its lease, also when the client is gone. The stream ends when the run comes to
 * rest, whichever worker goes on with it.
 */
export async function carryOut(
  { app, caller, reply }: Surroundings,
  known: Run,
  { claimed, delivery }: DecidedDirectly,
  receipt: unknown,
): Promise<void> {
  const { agent, taskId } = known;
  reply.open();
  reply.event('receipt', receipt);
  const over = new AbortController();
  const end = (): void => over.abort('the stream is over');
  reply.gone.addEventListener('abort', end, { once: true });
  const may = await caller.rights(agent);
  // Without the right to see content there is only the outcome. Opened first, so that nothing is
  // missed.
  const frames =
    claimed !== undefined && may.has('view')
      ? await streamTask(
          app,
          principalOfRun(known),
          taskId,
          { until: 'terminal', afterRevision: claimed.run.revision },
          over.signal,
        )
      : undefined;
  const watch = frames && !isRefused(frames) ? show(reply, frames) : undefined;
  if (claimed !== undefined) await runSegment(app, claimed, app.agents.get(agent), delivery);
  const view = await projectRun(app, taskId).catch(() => undefined);
  await watch?.until(view?.lastSeq ?? 0);
  end();
  const run = await app.store.get(runDoc(taskId));
  if (run !== undefined) reply.event('rest', runRow.parse(rowOf({ run, may }, app.settings)));
  // An instance gets no processor time after its response (docs/tracing.md).
  await Promise.all([app.tracer?.flush(FLUSH), app.metrics?.flush(FLUSH)]);
  reply.end();
}

interface Watch {
  /** Resolves when that was shown, or nothing more will be. */
  until(seq: number): Promise<void>;
}

function show(reply: Reply, frames: AsyncIterable<Frame>): Watch {
  let seen = 0;
  let wake = (): void => undefined;
  const over = (async () => {
    for await (const frame of frames) {
      reply.event(frame.kind, frameJson(frame), frame.seq);
      await reply.drained();
      seen = frame.seq;
      wake();
    }
    // A journal that can't be read shows no more; what was decided goes on all the same.
  })().catch(() => undefined);
  return {
    async until(seq) {
      const reached = new Promise<void>((resolve) => {
        wake = () => {
          if (seen >= seq) resolve();
        };
        wake();
      });
      await Promise.race([reached, over]);
    },
  };
}

/** Bytes as base64, all else as it is. */
function frameJson(frame: Frame): unknown {
  return JSON.parse(
    JSON.stringify(frame, (_, value: unknown) => (isRawPart(value) ? partToJson(value) : value)),
  );
}

function isRawPart(value: unknown): value is Part {
  return (
    typeof value === 'object' && value !== null && 'raw' in value && value.raw instanceof Uint8Array
  );
}
