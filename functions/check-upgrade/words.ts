import { relative } from 'node:path';
import type { Verdict } from '../../shared/app/upgrade/verdict.ts';
import { changesJson } from '../../shared/operator/blocked-row.ts';
import { changesView } from '../cli/views.ts';

/**
 * What a person is told of a verdict beside its kind; of what is held in the words of the server.
 */
export function wordsOf(verdict: Verdict): string {
  switch (verdict.kind) {
    case 'goes on':
      return verdict.from === undefined ? '' : `as before from: ${verdict.from}`;
    case 'held':
      return changesView(changesJson(verdict.changes));
    case 'fails':
      return verdict.reason;
    case 'differs':
    case 'not checked':
      return verdict.why;
  }
}

/** Of the author's code, below the folder that the command runs in where it lies there. */
export function lineOf(verdict: Verdict): string | undefined {
  const line = 'line' in verdict ? verdict.line : undefined;
  if (line === undefined) return undefined;
  const below = relative(process.cwd(), line);
  return below.startsWith('..') ? line : below;
}
