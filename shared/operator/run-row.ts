import type { z } from 'zod';
import { storedStatus } from '../app/operators/run-filter.ts';
import type { Seen } from '../app/operators/operator-rights.ts';
import { isEnded, type Run, stateOf } from '../domain/run.ts';
import { blockedOf } from './blocked-row.ts';
import type { runRow, waitsFor } from './run-schemas.ts';

/** A run as a list shows it: no content, and no word about its owner. */
export function rowOf({ may, run }: Seen): z.input<typeof runRow> {
  const waits = waitOf(run);
  const blocked = blockedOf(run);
  return {
    id: run.taskId,
    context: run.contextId,
    agent: run.agent,
    status: storedStatus(run),
    state: stateOf(run),
    // A status that this version does not know is shown as open
    // (docs/architecture.md#reading-what-a-newer-version-wrote).
    open: !isEnded(run),
    createdAt: run.createdAt,
    statusAt: run.statusAt,
    ...(waits !== undefined && { waitsFor: waits }),
    ...(blocked !== undefined && { blocked }),
    ...(run.status === 'failed' && { reason: run.reason }),
    may: [...may],
  };
}

export function waitOf(run: Run): z.input<typeof waitsFor> | undefined {
  const generation = run.pauseGeneration;
  switch (run.status) {
    case 'waiting_for_approval':
    case 'waiting_for_input': {
      const kind = run.status === 'waiting_for_approval' ? 'approval' : 'input';
      const { digest, pausedAt: since } = run;
      return { kind, since, generation, ...(digest !== undefined && { digest }) };
    }
    case 'waiting_for_dependency': {
      const { deadlineAt, operation, remote } = run.dependency;
      const kind = operation === null ? 'unknown-send' : 'dependency';
      return { kind, since: run.pausedAt, until: deadlineAt, remote, generation };
    }
    case 'queued':
    case 'running':
    case 'completed':
    case 'failed':
    case 'cancelled':
    case 'rejected':
    case 'purging':
    case 'unknown':
      return undefined;
  }
}
