import type { Ceiling } from '../../domain/ceiling.ts';
import type { Millis } from '../../domain/brand.ts';
import type { Run } from '../../domain/run.ts';
import type { Step } from '../../domain/step.ts';
import type { StepFacts } from '../../domain/step-facts.ts';
import { trailCeiling } from '../../domain/trail.ts';
import type { App } from '../app.ts';
import { runKeyOf } from './sealing-key.ts';
import { readStep } from './step-trail.ts';
import type { StepWords } from './step-words.ts';
import { keysBelow, lastTurn, type TrailKeys, trailKeysOf } from './trail-key.ts';
import { workKeyUnder } from './work-key.ts';
import { stepDoc } from '../records/work-documents.ts';
import { undefinedIfUnreadable } from '../records/unreadable.ts';

/** Steps that are read at once. */
const PAGE = 50;

/** A step of a run, as far as it is kept. */
export interface TrailStep {
  /** From 1 on, without a gap. */
  readonly number: number;
  /** Of the segment that made it. */
  readonly fence: number;
  readonly kind: string;
  /** When it was committed. */
  readonly at: Millis;
  readonly facts: StepFacts;
  /** What was said; absent where it is not kept, can't be read, or was not asked for. */
  readonly words?: StepWords;
  /** As it was committed, where all of it is kept and it was asked for. */
  readonly step?: Step;
}

/** What is kept of the steps of a run. */
export interface TrailRead {
  /** The run is not over: everything can be read, and `level` is what will be kept. */
  readonly open: boolean;
  /** Whether steps can be read, and how much of them: `full` has each as it was committed. */
  readonly level: Ceiling;
  /**
   * When what was said is destroyed. Absent while the run is open, and where nothing of it is kept.
   */
  readonly until?: Millis;
  readonly steps: readonly TrailStep[];
}

export interface TrailWanted {
  /** Number of the first step. Default: 1. */
  readonly from?: number;
  /** Default: all. */
  readonly limit?: number;
  /** Also what was said. */
  readonly words: boolean;
}

/**
 * The steps of a run in their order, as far as they can be read: of a run that is open all there
 * is, of one that has ended what its trail keeps. The turn that completed it comes as one more,
 * without words: they are the answer of the task. Throws KeyMissing, Unavailable.
 */
export async function readTrail(
  app: App,
  run: Run,
  { from = 1, limit = run.steps, words }: TrailWanted,
): Promise<TrailRead> {
  const open = run.payloadKey !== undefined;
  const level = levelOf(run);
  const until = open ? undefined : run.trail?.until;
  const keys = await undefinedIfUnreadable(() => keysOf(app, run));
  const about = { open, level, ...(until !== undefined && { until }) };
  if (keys === undefined) return { ...about, steps: [] };
  const steps: TrailStep[] = [];
  const last = Math.min(run.steps, from + limit - 1);
  for (let first = from; first <= last; first += PAGE) {
    const count = Math.min(PAGE, last - first + 1);
    const docs = Array.from({ length: count }, (_, at) => stepDoc(run.taskId, first + at));
    for (const doc of await app.store.getAll(docs)) {
      if (doc === undefined) continue;
      const { at, fence, kind, step: number } = doc;
      const read = await undefinedIfUnreadable(() => readStep(app, keys, doc, words));
      steps.push({ number, fence, kind, at, ...(read ?? { facts: {} }) });
    }
  }
  const facts = await undefinedIfUnreadable(() => lastTurn(run, keys));
  if (facts !== undefined && last === run.steps) {
    const { fence, statusAt: at, steps: before } = run;
    steps.push({ number: before + 1, fence, kind: 'turn', at, facts });
  }
  return { ...about, steps };
}

function levelOf(run: Run): Ceiling {
  if (run.payloadKey !== undefined) return trailCeiling(run);
  return run.trail?.level ?? (run.steps === 0 ? trailCeiling(run) : 'none');
}

async function keysOf(app: App, run: Run): Promise<TrailKeys | undefined> {
  if (run.payloadKey === undefined && run.trail === undefined) return undefined;
  const runKey = await runKeyOf(app, run);
  if (run.payloadKey !== undefined) return keysBelow(workKeyUnder(app, run, runKey).key);
  return run.trail && trailKeysOf(run, runKey, run.trail);
}
