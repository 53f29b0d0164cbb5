import type { Fence } from '../../domain/ids.ts';
import type { Step } from '../../domain/step.ts';
import type { App } from '../app.ts';
import type { StepTold } from '../../domain/step-facts.ts';
import type { Keys, Write } from './run-change.ts';
import { boundStep } from '../content/bindings.ts';
import { sealFields } from '../content/content.ts';
import { SCHEMA_VERSION } from '../records/documents.ts';
import { stepDoc } from '../records/work-documents.ts';
import { packStep } from '../content/step-content.ts';
import { trailFields } from '../content/step-trail.ts';

export interface NewStep {
  readonly step: Step;
  /** Of the segment that makes it; of the last one where a coordinator answers for it. */
  readonly fence: Fence;
  readonly told?: StepTold;
}

/**
 * The write of one step, sealed for its number. The steps of a run are made by the one handler that
 * the row allows: a number that is taken by then fails the commit.
 */
export async function prepareStep(
  app: App,
  { run, workKey }: Pick<Keys, 'run' | 'workKey'>,
  number: number,
  { step, fence, told }: NewStep,
): Promise<Write> {
  const packed = await packStep(app, workKey, step);
  const doc = stepDoc(workKey.taskId, number);
  const at = app.clock.now();
  const fields = { v: SCHEMA_VERSION, step: number, kind: step.kind, at, fence } as const;
  const trail = await trailFields(app, { run, workKey }, fields, { step, told });
  const sealed = sealFields(app, workKey, doc.path, packed, boundStep(fields));
  return (tx) => tx.create(doc, { ...fields, ...trail, ...sealed });
}
