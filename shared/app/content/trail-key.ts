import { createSecretKey } from 'node:crypto';
import { isEnded, type Run } from '../../domain/run.ts';
import {
  keepsLess,
  keepsWords,
  type Trail,
  trailCeiling,
  type TrailLevel,
} from '../../domain/trail.ts';
import type { StepFacts } from '../../domain/step-facts.ts';
import { Unreadable } from '../../ports/faults.ts';
import type { App } from '../app.ts';
import { lowerKey, Subkeys } from '../subkeys.ts';
import { type SealingKey, whoseOf } from './sealing-key.ts';
import { seal, unseal } from './sealing.ts';
import { openFacts, sealFacts } from './step-facts.ts';
import { openWorkKey } from './work-key.ts';

/**
 * The keys of a trail, from the one that opens most to the one that opens least. Each follows from
 * the one before it, and not the other way round: a row that holds one has all below, and lowering
 * a level destroys what is above it.
 */
export interface TrailKeys {
  /** The work key. Absent below `full`. */
  readonly full?: SealingKey;
  /** Of the redacted words of each step. Absent at `metadata`. */
  readonly redacted?: SealingKey;
  /** Of the facts of each step. */
  readonly metadata: SealingKey;
}

const ORDER = ['full', 'redacted', 'metadata'] as const satisfies readonly TrailLevel[];

/** The keys below the work key of a run. */
export function keysBelow(workKey: SealingKey): Required<TrailKeys> {
  const redacted = { ...workKey, keys: workKey.keys.below('redacted trail') };
  return { full: workKey, redacted, metadata: metadataBelow(redacted) };
}

const metadataBelow = (redacted: SealingKey): SealingKey => ({
  ...redacted,
  keys: redacted.keys.below('trail metadata'),
});

/** Of a run that has ended. Undefined: it has no steps. Throws Unreadable. */
export function trailKeysOf(
  run: Run,
  runKey: SealingKey,
  { key, level }: Trail,
): TrailKeys | undefined {
  if (key === undefined) return undefined;
  const keys = new Subkeys(unseal(runKey, bindingOf(level), key));
  const opened: SealingKey = { ...whoseOf(run), keys, scrubbedRevision: 0, work: true };
  switch (level) {
    case 'full':
      return keysBelow(opened);
    case 'redacted':
      return { redacted: opened, metadata: metadataBelow(opened) };
    case 'metadata':
      return { metadata: opened };
  }
}

const bindingOf = (level: TrailLevel) => ['trail key', level] as const;

/** The keys of a row: as it was sealed, and as what follows is to be sealed. */
export interface RowKeys {
  readonly before: SealingKey;
  readonly after: SealingKey;
}

/**
 * What a run that ends keeps of its steps: the key of its work, or what follows from it, as far as
 * both ceilings allow. `before` is the row that still has its work key.
 */
export function trailAtEnd(
  app: App,
  before: Run,
  ended: Run,
  { after, before: opener }: RowKeys,
): Trail | undefined {
  const level = trailCeiling(ended);
  const { payloadKey } = before;
  const said = ended.errors?.some(({ words }) => words !== undefined) === true;
  if (level === 'none' || (payloadKey === undefined && !said)) return undefined;
  const span = app.agents.get(ended.agent)?.publication?.trail ?? app.settings.trailRetention;
  const kept = span === 0 ? 'metadata' : level;
  return {
    level: kept,
    ...(keepsWords(kept) && { until: ended.statusAt + span }),
    ...(payloadKey && keyField(app, after, kept, () => openWorkKey(opener, payloadKey), 'full')),
  };
}

/**
 * A trail at a lower level, or under another key of its run. Undefined: nothing of it is kept. What
 * can't be opened any more is dropped.
 */
export function trailAt(
  app: App,
  { key, last, level, until }: Trail,
  allowed: ReturnType<typeof trailCeiling>,
  { after, before }: RowKeys,
): Trail | undefined {
  const kept = keepsLess(allowed, level) ? allowed : level;
  if (kept === 'none') return undefined;
  return {
    level: kept,
    ...(keepsWords(kept) && until !== undefined && { until }),
    ...(key && keyField(app, after, kept, () => unseal(before, bindingOf(level), key), level)),
    // Its key follows from every other.
    ...(last && { last }),
  };
}

/** The trail after its time: what was said is destroyed with its key. */
export const faded = (app: App, trail: Trail, runKey: SealingKey): Trail | undefined =>
  trailAt(app, trail, 'metadata', { before: runKey, after: runKey });

function keyField(
  app: App,
  runKey: SealingKey,
  level: TrailLevel,
  open: () => Uint8Array,
  from: TrailLevel,
): Pick<Trail, 'key'> {
  try {
    const plain = lowered(open(), from, level);
    const key = seal(runKey, bindingOf(level), app.ids.bytes(12), plain);
    plain.fill(0);
    return { key };
  } catch (error) {
    if (error instanceof Unreadable) return {};
    throw error;
  }
}

/** Wipes what it is given. */
function lowered(plain: Uint8Array, from: TrailLevel, to: TrailLevel): Uint8Array {
  if (ORDER.indexOf(from) >= ORDER.indexOf(to)) return plain;
  const [next, use] =
    from === 'full'
      ? (['redacted', 'redacted trail'] as const)
      : (['metadata', 'trail metadata'] as const);
  const below = lowerKey(createSecretKey(plain), use);
  plain.fill(0);
  return lowered(below, next, to);
}

/** A change that ends a run keeps what may be kept of its steps. */
export function withTrail(
  app: App,
  before: Run,
  next: Run,
  {
    last,
    runKey,
  }: { readonly last: StepFacts | undefined; readonly runKey: SealingKey | undefined },
): Run {
  if (!isEnded(next) || isEnded(before) || next.trail !== undefined || runKey === undefined)
    return next;
  // It got another key: what that opens the change itself has sealed.
  if (next.scrubbedRevision !== before.scrubbedRevision) return next;
  const trail = trailAtEnd(app, before, next, { before: runKey, after: runKey });
  if (trail === undefined) return next;
  const keys = last && trailKeysOf(next, runKey, trail);
  const sealed = keys && sealFacts(app, keys.metadata, LAST, [next.statusAt], last);
  return { ...next, trail: { ...trail, ...(sealed && { last: sealed }) } };
}

/** In the place of a path: there is one for each run. */
const LAST = 'last turn';

/** What is known of the turn that completed the run. Throws Unreadable. */
export function lastTurn(run: Run, { metadata }: TrailKeys): StepFacts | undefined {
  const { last } = run.trail ?? {};
  return last && openFacts(metadata, LAST, [run.statusAt], last);
}
