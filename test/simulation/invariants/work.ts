import type { App } from '../../../shared/app/app.ts';
import {
  type SendDoc,
  stepCodec,
  type StepDoc,
} from '../../../shared/app/records/work-documents.ts';
import { workKeyOf } from '../../../shared/app/content/work-key.ts';
import { unsealSend } from '../../../shared/app/delegation/sends.ts';
import { unsealStep } from '../../../shared/app/content/step-content.ts';
import type { Part } from '../../../shared/domain/message.ts';
import type { Run } from '../../../shared/domain/run.ts';
import type { Step } from '../../../shared/domain/step.ts';
import { runOf } from '../../../testing/rows.ts';
import type { World } from '../world.ts';
import { sendOf } from './outside.ts';

/** What a run worked with, read with the key that its row had until it ended. */
export interface Work {
  readonly run: Run;
  readonly steps: readonly Step[];
  readonly sends: readonly { readonly doc: SendDoc; readonly parts: readonly Part[] }[];
}

export async function workOf(app: App, world: World, run: Run): Promise<Work> {
  const keyed = rowWithKey(world, run);
  if (keyed === undefined) return { run, steps: [], sends: [] };
  const { key: workKey } = await workKeyOf(app, keyed);
  const steps: Step[] = [];
  const docs = world.backend
    .all(`runs/${run.taskId}/steps`)
    .map(({ path, fields }): StepDoc => stepCodec.decode(fields, path));
  for (const doc of docs.toSorted((a, b) => a.step - b.step))
    steps.push(await unsealStep(app, workKey, doc));
  const rows = world.backend.all(`runs/${run.taskId}/sends`);
  const sends = await Promise.all(
    rows.map(sendOf).map(async (doc) => ({ doc, parts: await unsealSend(app, workKey, doc) })),
  );
  return { run, steps, sends };
}

function rowWithKey({ record }: World, { taskId }: Run): Run | undefined {
  for (const { changes } of record.commits.toReversed()) {
    const change = changes.find(({ path }) => path === `runs/${taskId}`);
    const row = [change?.after, change?.before]
      .map(runOf)
      .find((each) => each?.payloadKey !== undefined);
    if (row !== undefined) return row;
  }
  return undefined;
}
