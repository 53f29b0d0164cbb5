import type { Json } from '../../domain/json.ts';
import { boundedJson } from '../bounded-json.ts';
import type { Branch } from './branch.ts';
import type { Taken } from './branches.ts';
import { idOf, resultOf, turnOf } from './recorded.ts';
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
  const { branches, course, segment } = branch.around;
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
    const call = { id: idOf(operation.path), tool: name };
    const { digest } = turnOf(operation, details);
    return branches.wait(
      { kind: 'other', path: operation.path },
      async (): Promise<Taken<Approval>> => {
        await course.flush();
        const pause = {
          kind: 'approval',
          words: [{ text: `Approval is needed for: ${name}.` }],
          digest: await segment.transcript.publicDigest(digest),
          calls: [{ ...call, summary }],
        } as const;
        return { kind: 'ends', ending: { kind: 'paused', pause, calls: [call] } };
      },
    );
  });
}
