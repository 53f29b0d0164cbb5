import type { JsonObject } from '../../domain/json.ts';
import type { Run } from '../../domain/run.ts';
import type { Step } from '../../domain/step.ts';
import { factsOf, type StepFacts, type StepTold } from '../../domain/step-facts.ts';
import { trailCeiling } from '../../domain/trail.ts';
import { isPassing } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { type StepDoc, stepDoc } from '../records/work-documents.ts';
import { type Bound, boundStep } from './bindings.ts';
import { packInline } from './content.ts';
import type { SealingKey } from './sealing-key.ts';
import { seal, unseal } from './sealing.ts';
import { openFacts, sealFacts } from './step-facts.ts';
import { redactedWordsOf, type StepWords, wordsOf } from './step-words.ts';
import { unsealStep } from './step-content.ts';
import { keysBelow, type TrailKeys } from './trail-key.ts';

/** What lies beside a step in its row for when its run has ended, each under a key of its own. */
export type TrailFields = Pick<StepDoc, 'facts' | 'redacted'>;

/** Redacted words of one step that are more than this are not kept: a turn of hundreds of calls. */
const REDACTED_BYTES = 64 * 1024;

const redactedBinding = (path: string, bound: Bound) => ['step redacted', path, ...bound] as const;

/**
 * What is known of a step is there as long as its run is open, whatever is kept of it then; its
 * redacted words are made where those are what is kept. A redactor that is away costs the redacted
 * words of this step, not the run.
 */
export async function trailFields(
  app: App,
  { run, workKey }: { readonly run: Run; readonly workKey: SealingKey },
  at: Pick<StepDoc, 'step' | 'kind' | 'at' | 'fence'>,
  { step, told }: { readonly step: Step; readonly told: StepTold | undefined },
): Promise<TrailFields> {
  const { path } = stepDoc(run.taskId, at.step);
  const bound = boundStep(at);
  const keys = keysBelow(workKey);
  const facts = sealFacts(app, keys.metadata, path, bound, factsOf(step, told));
  if (trailCeiling(run) !== 'redacted') return { facts };
  const words = await redactedIfPossible(app, run, step);
  const plain = words && packInline({ ...words }, REDACTED_BYTES);
  if (plain === undefined || !('plain' in plain)) return { facts };
  const binding = redactedBinding(path, bound);
  return { facts, redacted: seal(keys.redacted, binding, app.ids.bytes(12), plain.plain) };
}

async function redactedIfPossible(app: App, run: Run, step: Step): Promise<StepWords | undefined> {
  try {
    return await redactedWordsOf(app.redactor, step);
  } catch (error) {
    if (!isPassing(error)) throw error;
    app.log.write('warning', 'step not kept redacted', { task: run.taskId, kind: step.kind });
    return undefined;
  }
}

/** A step as far as it can be read. */
export interface ReadStep {
  readonly facts: StepFacts;
  readonly words?: StepWords;
  /** As it was committed; only where everything is kept. */
  readonly step?: Step;
}

/** Throws Unreadable, Unavailable. */
export async function readStep(
  app: App,
  keys: TrailKeys,
  doc: StepDoc,
  words: boolean,
): Promise<ReadStep> {
  const { path } = stepDoc(keys.metadata.taskId, doc.step);
  const bound = boundStep(doc);
  const { full } = keys;
  const wanted = words || doc.facts === undefined;
  const step = full && wanted ? await unsealStep(app, full, doc) : undefined;
  const facts =
    doc.facts === undefined
      ? step && factsOf(step)
      : openFacts(keys.metadata, path, bound, doc.facts);
  const known = { facts: facts ?? {} };
  if (!words) return known;
  if (step !== undefined) return { ...known, step, words: wordsOf(step) };
  if (keys.redacted === undefined || doc.redacted === undefined) return known;
  const plain = unseal(keys.redacted, redactedBinding(path, bound), doc.redacted);
  const json = JSON.parse(Buffer.from(plain).toString('utf8')) as JsonObject;
  return { ...known, words: json };
}
