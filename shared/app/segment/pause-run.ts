import type { Pin } from '../../domain/blocked.ts';
import type { Item } from '../../domain/item.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { MessageFrame } from '../../domain/message.ts';
import { pause } from '../../domain/waiting.ts';
import type { PauseRequest } from '../agents.ts';
import type { App } from '../app.ts';
import type { Nothing, Outcome, Write } from '../change/run-change.ts';
import { prepareCheckpoint } from '../content/checkpoint.ts';
import { afterEnd, agentMessage } from '../change/end-run.ts';
import type { Lease } from './lease.ts';
import type { FilesChange, SegmentFiles } from './segment-files.ts';
import { pauseParts } from '../content/pause-parts.ts';
import { type PauseDoc, pauseDoc } from '../records/work-documents.ts';

/** What else a pause says and writes. */
interface More {
  readonly frame?: MessageFrame | undefined;
  readonly metadata?: JsonObject;
  readonly also?: Write;
  /** What its calls depend on. */
  readonly pins?: readonly Pin[];
  /** What the folder holds is kept with the pause. */
  readonly files?: SegmentFiles;
}

/**
 * running -> waiting_for_input or waiting_for_approval: what is asked becomes public, and what the
 * run is taken up from is sealed beside it, in one transaction. Nothing is held from then on (G10).
 */
export async function pauseRun(
  app: App,
  lease: Lease,
  items: readonly Item[],
  request: PauseRequest,
  { frame, metadata, also, files, pins = [] }: More = {},
): Promise<Outcome> {
  const { token } = lease.claimed;
  // Only the holder of the claim raises it.
  const generation = lease.run.pauseGeneration + 1;
  const message = agentMessage(app, pauseParts(request, generation), frame);
  const { digest } = request;
  const asked = {
    status: request.kind === 'approval' ? 'waiting_for_approval' : 'waiting_for_input',
    expectsData: request.kind === 'input' && request.schema !== undefined,
    ...(request.kind === 'input' && request.auth && { auth: request.auth }),
    ...(digest !== undefined && { digest }),
    ...(pins.length > 0 && { pins }),
  } as const;
  const callId = request.kind === 'input' ? (request.callId ?? null) : null;
  const change: FilesChange<{ readonly doc: PauseDoc }, Nothing> = {
    publish: { items, status: { message, ...(metadata && { metadata }) } },
    seal: async ({ run, workKey }, kept = run.files?.commit) => ({
      doc: await prepareCheckpoint(app, workKey, {
        generation,
        kind: request.kind,
        checkpoint: { callId, pause: request, ...(kept && { files: kept.id }) },
      }),
    }),
    decide: (run, now) => pause(run, token, asked, now),
    write(tx, next, { doc }) {
      tx.create(pauseDoc(next.taskId, generation), doc);
      also?.(tx, next);
    },
  };
  const outcome = await (files === undefined ? lease.commit(change) : files.commit('kept', change));
  await afterEnd(app, outcome);
  return outcome;
}
