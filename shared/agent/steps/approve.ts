import type { Json } from '../../domain/json.ts';
import { boundedJson } from '../bounded-json.ts';
import type { Branch } from './branch.ts';
import { holdFor } from './hold.ts';
import { idOf, resultOf } from './recorded.ts';
import type { Approval } from './steps-context.ts';

/** Of the details of an approval, as JSON. */
const DETAILS = 1024 * 1024;
/** Of words that become public. */
const SUMMARY = 1_000;

/** The decision about a model's held turn (G18): it is for exactly these details. */
export function approve(
  branch: Branch,
  name: string,
  { details: given = null, summary }: { readonly summary: string; readonly details?: Json },
): Promise<Approval> {
  if (typeof summary !== 'string' || summary === '' || summary.length > SUMMARY)
    throw new TypeError(`approve: summary must be a text of 1 to ${SUMMARY} characters`);
  const { branches, course } = branch.around;
  const details = { summary, details: boundedJson(given, 'details', DETAILS) };
  return branch.operation('approve', name, async (operation, recorded) => {
    await branch.sameAsRecorded(operation, recorded, details);
    const { answer } = recorded ?? {};
    if (answer?.kind === 'decision') {
      const approval = { approved: answer.decision === 'approve', by: answer.by };
      if (recorded?.result === undefined)
        course.defer({ step: resultOf(idOf(operation.path), approval) });
      return approval;
    }
    if (recorded === undefined) await branch.record(operation, details, 'approve');
    return branches.wait({ kind: 'other', path: operation.path }, () =>
      holdFor(branch, operation, details, summary),
    );
  });
}
