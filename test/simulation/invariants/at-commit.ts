import type { MemoryBackend } from '../../../testing/memory-backend.ts';
import type { Commit } from '../record.ts';
import { claimProblem, onlyTheClaimantWrites } from './claims.ts';
import { oneActiveTaskPerContext } from './contexts.ts';
import { eventsComeWithTheirRow } from './events.ts';
import { decisionsAreUsedOnce, pausesEndByTheirDecision } from './decisions.ts';
import {
  journalGrowsWithTheView,
  nothingPublicIsRewritten,
  viewShowsCommittedState,
} from './projections.ts';
import {
  revisionComesWithItsRow,
  somebodyIsResponsible,
  terminalStaysTerminal,
  timeNeverRunsBackwards,
} from './run-rows.ts';
import {
  effectsEndWithAStep,
  endedRunsKeepNothing,
  leftTasksAreCancelled,
  pausesAreCounted,
  pausesAreResolvedOnce,
  stepsComeWithTheirRow,
  waitingHoldsNothing,
} from './waits.ts';

export type CommitInvariant = (commit: Commit, backend: MemoryBackend) => string | undefined;

/** What holds at every single commit, so that a breach is found at the write that made it. */
const invariants: readonly CommitInvariant[] = [
  terminalStaysTerminal,
  revisionComesWithItsRow,
  timeNeverRunsBackwards,
  somebodyIsResponsible,
  claimProblem,
  onlyTheClaimantWrites,
  oneActiveTaskPerContext,
  nothingPublicIsRewritten,
  viewShowsCommittedState,
  journalGrowsWithTheView,
  waitingHoldsNothing,
  pausesAreCounted,
  pausesAreResolvedOnce,
  stepsComeWithTheirRow,
  endedRunsKeepNothing,
  effectsEndWithAStep,
  eventsComeWithTheirRow,
  leftTasksAreCancelled,
  decisionsAreUsedOnce,
  pausesEndByTheirDecision,
];

export function commitProblem(commit: Commit, backend: MemoryBackend): string | undefined {
  for (const invariant of invariants) {
    const problem = invariant(commit, backend);
    if (problem === undefined) continue;
    const by =
      commit.by === undefined ? 'nobody' : `${commit.by.name} in process ${commit.by.process}`;
    return `${invariant.name}: ${problem} (written by ${by})`;
  }
  return undefined;
}
