import type { Millis } from './brand.ts';
import { sha256 } from './digest.ts';
import { canonicalJson } from './json.ts';
import type { Remote } from './remote.ts';

/** What a model may call, as far as a call that waits depends on how it is declared. */
export interface Declared {
  readonly kind: 'tool' | 'remote';
  readonly name: string;
  /** By facet (`parameters`, `effect`, `approval`, `card`): a word, or a digest. */
  readonly facets: Readonly<Record<string, string>>;
}

/** A call without a result, and what it was declared as when its run began to wait. */
export interface Pin extends Declared {
  readonly callId: string;
}

/** What a run that waited would go on with is not what it was. */
export interface Change {
  readonly kind: 'agent' | 'tool' | 'remote' | 'step';
  /** Of a step its place and what is recorded there: `3 step charge`. */
  readonly name: string;
  /**
   * The facets that are others now; empty if it is gone. Of a step what its function asks for
   * there.
   */
  readonly facets: readonly string[];
  /** Of all its facets as they are now; empty if it is gone. */
  readonly now: string;
}

/** Why a run does not go on by itself, until that is as it was or an operator lets it. */
export interface Blocked {
  readonly since: Millis;
  readonly changes: readonly Change[];
  /** Of the pause and the changes: what an operator lets it go on with. */
  readonly digest: string;
  readonly accepted?: true;
}

/** Of a digest, what tells it from others. */
const SHORT = 16;

/** What stands for a value of any size. */
export const facetOf = (value: Parameters<typeof canonicalJson>[0]): string =>
  sha256(canonicalJson(value)).slice(0, SHORT);

export function declaredRemote({ approval, card, name }: Remote): Declared {
  return {
    kind: 'remote',
    name,
    facets: { card: facetOf(card), approval: approval ? 'always' : 'never' },
  };
}

/** What is gone or changed of what these calls wait for. */
export function changesOf(pins: readonly Pin[], declared: readonly Declared[]): readonly Change[] {
  const changes = new Map<string, Change>();
  for (const { facets, kind, name } of pins) {
    const now = declared.find((each) => each.name === name && each.kind === kind);
    if (now === undefined) changes.set(name, gone(kind, name));
    else {
      const all = Object.keys({ ...facets, ...now.facets });
      const others = all.filter((facet) => facets[facet] !== now.facets[facet]).toSorted();
      if (others.length > 0)
        changes.set(name, { kind, name, facets: others, now: facetOf(now.facets) });
    }
  }
  return [...changes.values()];
}

export const gone = (kind: Change['kind'], name: string): Change => ({
  kind,
  name,
  facets: [],
  now: '',
});

/** Where a function that works in steps, and what is recorded of it, do not fit. */
export interface Misfit {
  /** The place of the operation in the function: `3`, or `3.1.2` in a branch. */
  readonly at: string;
  /** What is recorded there: `step charge`. */
  readonly recorded: string;
  /** What the function asks for now; empty: it ends. */
  readonly now: string;
  /** Where its author's code asks for it, `file:line:column`. Absent where it is not looked for. */
  readonly line?: string;
}

/**
 * A function that works in steps asks for something else than what is recorded there. No operator
 * can let it go on: there is nothing that it could go on with.
 */
export function changedStep({ at, now, recorded }: Misfit): Change {
  const facets = now === '' ? [] : [now];
  return { kind: 'step', name: `${at} ${recorded}`, facets, now: now === '' ? '' : facetOf(now) };
}

interface Blockable {
  readonly pauseGeneration: number;
  readonly blocked?: Blocked;
}

/** Undefined: it may go on. Nothing has changed, or an operator has said so of all that has. */
export function blockOf(
  { blocked: before, pauseGeneration }: Blockable,
  changes: readonly Change[],
  now: Millis,
): Blocked | undefined {
  const accepted = before?.accepted === true ? before.changes : [];
  if (changes.every((change) => accepted.some((each) => isSame(each, change)))) return undefined;
  const given = changes.map(({ kind, name, now: to }) => [kind, name, to]);
  const digest = facetOf([pauseGeneration, given]);
  return { since: before?.since ?? now, changes, digest };
}

function isSame(one: Change, other: Change): boolean {
  return one.kind === other.kind && one.name === other.name && one.now === other.now;
}
