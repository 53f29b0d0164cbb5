import type { Branch } from './branch.ts';

/**
 * Waits for a time: in this process where the segment lasts longer, else without one. The time is
 * committed with the wait, so that it does not begin anew with each segment.
 */
export function waitUntil(branch: Branch, until: number): Promise<void> {
  const { branches, margin, segment } = branch.around;
  return branch.operation('sleep', 'sleep', async (operation, recorded) => {
    if (recorded === undefined) await branch.record(operation, { until }, 'read');
    const given = recorded?.details['until'];
    const over = typeof given === 'number' ? given : until;
    const left = over - segment.now();
    if (left <= 0) return;
    if (left < segment.transcript.timeLeft - margin) {
      await new Promise<void>((resolve) => {
        segment.after(left, resolve);
      });
      return;
    }
    const { path } = operation;
    await branches.wait({ kind: 'time', path, until: over }, (awaited) =>
      Promise.resolve(
        segment.now() >= over
          ? { kind: 'goes on', value: undefined }
          : { kind: 'ends', ending: { kind: 'slept', until: over, ...(awaited && { awaited }) } },
      ),
    );
  });
}
