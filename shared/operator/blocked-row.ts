import type { z } from 'zod';
import type { Change } from '../domain/blocked.ts';
import type { Run } from '../domain/run.ts';
import type { blocked, changes } from './change-schemas.ts';

/** By what a run is blocked that waits for an operator; undefined if it is not. */
export function blockedOf(run: Run): z.input<typeof blocked> | undefined {
  if (run.blocked === undefined || run.blocked.accepted === true) return undefined;
  const next =
    run.status === 'queued'
      ? run.notBefore
      : run.status === 'waiting_for_dependency'
        ? run.dependency.nextPollAt
        : undefined;
  if (next === undefined) return undefined;
  const { digest, since } = run.blocked;
  return { since, next, digest, changes: changesJson(run.blocked.changes) };
}

export function changesJson(all: readonly Change[]): z.input<typeof changes> {
  return all.map(({ facets, kind, name }) => ({ kind, name, changed: [...facets] }));
}
